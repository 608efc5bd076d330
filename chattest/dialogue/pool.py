"""Holds the conversations of a run: makes the chatters, and keeps every turn on disk as it is said."""

from collections.abc import Callable, Sequence
from contextlib import nullcontext
from dataclasses import replace
from pathlib import Path
from threading import Event

from chattest.chatter.batching import Lockstep
from chattest.chatter.instance import ChatterSpec
from chattest.dialogue.loop import Callbacks, Limits, hold
from chattest.dialogue.workers import share_out
from chattest.records.conversation import Conversation, Speaker, Turn
from chattest.settings.declaration import Settings
from chattest.storage.journal import Journal


def history(texts: Sequence[str]) -> tuple[Turn, ...]:
    """Given history as turns before the first round, driver and subject in turn."""
    speakers = (Speaker.DRIVER, Speaker.SUBJECT)
    return tuple(Turn(-1, speakers[number % 2], text) for number, text in enumerate(texts))


def limits(settings: Settings) -> Limits:
    """The limits of a reply that the settings give."""
    return Limits(
        settings.reply_timeout,
        settings.max_reply_length,
        (settings.prev_conv_memory_chatter1, settings.prev_conv_memory_chatter2),
    )


def hold_all(
    specs: Sequence[Conversation],
    participants: tuple[ChatterSpec, ChatterSpec],
    settings: Settings,
    folder: Path,
    stop: Event,
    spoken: Callable[[Conversation, Turn], None],
    serve: Callable[[str, Conversation], str],
) -> None:
    """Holds every conversation that is not yet in `folder`, and resumes those that were interrupted.

    specs: a conversation without turns of its own for every run. stop: once set, running conversations end after their
    round, to be resumed another time, and no other begins. spoken: called with every new turn, from several threads.
    serve: answers a person's command. The first error of the disk ends everything and is raised.
    """
    callbacks = Callbacks(stopped=stop.is_set, serve=serve)

    def hold_one(spec: Conversation) -> None:
        _hold(spec, participants, limits(settings), folder, callbacks, spoken)

    interactive = any(member.cls.interactive for member in participants)
    workers = 1 if interactive else min(settings.workers, len(specs))
    for member in participants:
        member.lockstep = Lockstep(member.cls, member.shared) if workers > 1 and member.cls.batches() else None
    share_out(specs, lambda: nullcontext(hold_one), workers, stop, "worker")


def _hold(
    spec: Conversation,
    participants: tuple[ChatterSpec, ChatterSpec],
    limits: Limits,
    folder: Path,
    callbacks: Callbacks,
    spoken: Callable[[Conversation, Turn], None],
) -> None:
    journal = Journal(folder, spec)
    if journal.over:
        journal.path.unlink(missing_ok=True)
        return
    spec = journal.resumed()

    def record(turn: Turn) -> None:
        journal.record(turn)
        spoken(spec, turn)

    steps = [member.lockstep for member in participants if member.lockstep is not None]
    for step in steps:
        step.enter()
    try:
        driver, subject = (member.make() for member in participants)
        callbacks = replace(callbacks, record=record, replan=journal.replan)
        held = hold(spec, driver, subject, limits, callbacks)
        cut_short = callbacks.stopped() and held.failed is None and held.last_round < held.plan.length - 1
        journal.finish(held, over=not cut_short)
    finally:
        for step in steps:
            step.leave()
        journal.close()
