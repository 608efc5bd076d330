"""Holds the conversations of a run: makes the chatters, and keeps every turn on disk as it is said."""

from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path
from queue import Empty, SimpleQueue
from threading import Event, Thread

from chattest.chatter.batching import Lockstep
from chattest.chatter.instance import ChatterSpec
from chattest.dialogue.loop import Callbacks, Limits, hold
from chattest.records.conversation import Conversation, Speaker, Turn
from chattest.settings.declaration import Settings
from chattest.storage.journal import Journal


def history(texts: Sequence[str]) -> tuple[Turn, ...]:
    """Given history as turns before the first round, driver and subject in turn."""
    speakers = (Speaker.DRIVER, Speaker.SUBJECT)
    return tuple(Turn(-1, speakers[place % 2], text) for place, text in enumerate(texts))


def limits(settings: Settings) -> Limits:
    """What a reply may take."""
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
    """Holds every conversation that is not yet in `folder`, going on with those that were interrupted.

    specs: a conversation without turns of its own for every run. stop: once set, running conversations end after their
    round, to be gone on with another time, and no other begins. spoken: told of every new turn, from several threads.
    serve: answers a person's command. The first error of the disk ends everything and is raised.
    """
    waiting: SimpleQueue[int] = SimpleQueue()
    for place in range(len(specs)):
        waiting.put(place)
    failures: list[BaseException] = []

    def work() -> None:
        while not stop.is_set() and not failures:
            try:
                place = waiting.get_nowait()
            except Empty:
                return
            try:
                _hold(
                    specs[place],
                    participants,
                    limits(settings),
                    folder,
                    Callbacks(stopped=stop.is_set, serve=serve),
                    spoken,
                )
            except BaseException as error:
                failures.append(error)

    interactive = any(member.cls.interactive for member in participants)
    workers = 1 if interactive else min(settings.workers, len(specs))
    for member in participants:
        member.lockstep = Lockstep(member.cls, member.shared) if workers > 1 and member.cls.batches() else None
    if workers <= 1:
        work()  # in the calling thread: a person needs the terminal, and Ctrl-C comes here
    else:
        threads = [Thread(target=work, name=f"worker-{number}", daemon=True) for number in range(workers)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
    if failures:
        raise failures[0]


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
