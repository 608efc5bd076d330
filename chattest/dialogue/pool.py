"""Hold the conversations of a run: make the chatters, and save every turn at once."""

from collections.abc import Callable, Sequence
from contextlib import nullcontext
from itertools import chain, islice
from pathlib import Path
from threading import Event

from chattest.chatter.batching import Lockstep
from chattest.chatter.instance import ChatterSpec
from chattest.chatter.workers import share_out
from chattest.dialogue.loop import Callbacks, Limits
from chattest.dialogue.sessions import Group, group_sessions, hold_stages
from chattest.records.conversation import Conversation, Speaker, Turn
from chattest.settings.declaration import Settings
from chattest.storage.control import Between, do_nothing


def make_history(texts: Sequence[str]) -> tuple[Turn, ...]:
    """Return given history as turns before the first round, driver and subject in turn."""
    speakers = (Speaker.DRIVER, Speaker.SUBJECT)
    return tuple(Turn(-1, speakers[number % 2], text) for number, text in enumerate(texts))


def make_limits(settings: Settings) -> Limits:
    """Return the limits of a reply that the settings give."""
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
    between: Between = do_nothing,
) -> None:
    """Hold every conversation that is not yet in `folder`, and resume those that were interrupted.

    The first error of the disk ends everything and is raised.

    Args:
        specs: a conversation for every run, without turns.
        participants: driver and subject, loaded.
        settings: those of the run.
        folder: that of the conversations.
        stop: once set, running conversations end after their round, to be resumed later, and no other begins.
        spoken: is called with every new turn, from several threads.
        serve: answers a person's command.
        between: is called before each conversation and after each round, and may wait; its time counts for nobody.
    """

    def stopped() -> bool:
        between()
        return stop.is_set()

    def callbacks(group: Group) -> Callable[[Conversation], Callbacks]:
        return lambda spec: _make_callbacks(group, spec, spoken, serve, stopped)

    def hold_one(specs: Sequence[Conversation]) -> None:
        if stopped():
            return
        _hold_group(Group(folder, specs), participants, make_limits(settings), callbacks, stop)

    groups = map(list, group_sessions(specs))  # a group is planned when it is asked for, by one thread at a time
    first = list(
        islice(groups, _count_at_once(participants, settings))
    )  # now, so that lockstep begins with all of them
    workers = len(first)
    for member in participants:
        member.lockstep = Lockstep(member.cls, member.shared) if workers > 1 and member.cls.batches() else None
    share_out(chain(first, groups), lambda: nullcontext(hold_one), workers, stop, "worker")


def _count_at_once(participants: tuple[ChatterSpec, ChatterSpec], settings: Settings) -> int:
    """Return how many conversations are held at once."""
    if any(member.cls.interactive for member in participants):
        return 1
    return settings.workers if settings.workers > 1 else min(member.cls.at_once for member in participants)


def _hold_group(
    group: Group,
    participants: tuple[ChatterSpec, ChatterSpec],
    make_limits: Limits,
    callbacks: Callable[[Group], Callable[[Conversation], Callbacks]],
    stop: Event,
) -> None:
    if len(group.over) == len(group.journals):
        return
    try:
        begun = group.load_sessions()
        steps = [member.lockstep for member in participants if member.lockstep is not None]
        for step in steps:
            step.enter()
        try:
            for conversation in hold_stages(begun, participants, make_limits, callbacks(group)):
                group.finish(conversation, stop.is_set())
        finally:
            for step in steps:
                step.leave()
    finally:
        group.close()


def _make_callbacks(
    group: Group,
    spec: Conversation,
    spoken: Callable[[Conversation, Turn], None],
    serve: Callable[[str, Conversation], str],
    stopped: Callable[[], bool],
) -> Callbacks:
    """Return the callbacks of a session; a session that is over records nothing."""
    journal = group.journals[spec.run]

    def record(turn: Turn) -> None:
        journal.record(turn)
        spoken(spec, turn)

    if spec.run in group.over:
        return Callbacks(stopped=stopped)
    return Callbacks(record, journal.replan, serve, stopped)
