"""Groups of sessions: which conversations belong together, and how they are held and resumed.

One worker holds a whole group, so that the facts a bot gets before a question never depend on the number of workers.
The sessions of a stage take turns round by round and are closed together; then comes the next stage. A conversation by
itself is a group of one.
"""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from itertools import groupby
from pathlib import Path

from chattest.chatter.instance import ChatterSpec
from chattest.chatter.starting import new_user
from chattest.dialogue.loop import Callbacks, Limits, Talk, hold_together
from chattest.records.conversation import Conversation
from chattest.storage.conversations import load
from chattest.storage.journal import Journal


def group_sessions(specs: Sequence[Conversation]) -> Iterator[Sequence[Conversation]]:
    """Yield the conversations, in order, by their groups; a group is planned when it is asked for.

    Conversations by themselves are not planned even then.
    """
    if are_alone(specs):
        yield from (specs[index : index + 1] for index in range(len(specs)))
        return
    for _, group in groupby(specs, lambda spec: spec.session.group if spec.session else spec.run):
        yield list(group)


def are_alone(specs: Sequence[Conversation]) -> bool:
    """Return True if the conversations of a run belong to no groups: all do, or none."""
    return bool(specs) and specs[0].session is None


class Group:
    """The sessions of a group with their journals."""

    def __init__(self, folder: Path, specs: Sequence[Conversation]) -> None:
        """Open a group.

        Users get names that no bot knows, or those that they have in a saved session.

        Args:
            folder: that of the conversations.
            specs: the sessions before their first turn, in order of runs.

        Raises:
            InputError: a file is not what it should be.
        """
        users: dict[str, str] = {}
        for spec in specs:
            saved = Journal(folder, spec).saved() if spec.session is not None else None
            if saved is not None and saved.session is not None:
                users[saved.session.user.partition("-")[0]] = saved.session.user
        named = [_with_user(spec, users) for spec in specs]
        self.journals = {spec.run: Journal(folder, spec) for spec in named}
        """Number of the run -> the journal of the session."""
        self.over = {run for run, journal in self.journals.items() if journal.over}
        """The runs of sessions that are over."""
        for run in self.over:
            self.journals[run].path.unlink(missing_ok=True)

    def load_sessions(self) -> list[Conversation]:
        """Return all sessions, with the turns that are saved. Opens the journals of those that are not over."""
        return [
            load(journal.final) if run in self.over else journal.resumed() for run, journal in self.journals.items()
        ]

    def finish(self, held: Conversation, stopped: bool = False) -> None:
        """Write the file of a session, unless it was over before.

        Args:
            held: the session.
            stopped: whether it may have been cut short.
        """
        if held.run not in self.over:
            cut_short = stopped and held.failed is None and held.last_round < held.plan.length - 1
            if not cut_short or held.last_round >= 0:  # else there is no turn to judge
                self.journals[held.run].finish(held, over=not cut_short)

    def close(self) -> None:
        """Close all journals and keep them."""
        for journal in self.journals.values():
            journal.close()


def hold_stages(
    begun: Sequence[Conversation],
    participants: tuple[ChatterSpec, ChatterSpec],
    limits: Limits,
    callbacks: Callable[[Conversation], Callbacks],
) -> Iterator[Conversation]:
    """Hold the sessions of a group, stage after stage, and yield each with all its turns.

    A session that is over is repeated for chatters that remember, because a later session may ask for its facts;
    nothing in it changes. Once the callbacks say stop, no further stage begins.

    Args:
        begun: the sessions with the turns that are saved.
        participants: driver and subject.
        limits: of each reply.
        callbacks: returns those of a session.
    """
    for _, stage in groupby(begun, lambda spec: spec.session.stage if spec.session else 0):
        driver, subject = participants
        talks = [Talk(spec, driver.make(spec.seed), subject.make(spec.seed), callbacks(spec)) for spec in stage]
        yield from hold_together(talks, limits)
        if any(talk.callbacks.stopped() for talk in talks):
            return


def _with_user(spec: Conversation, users: dict[str, str]) -> Conversation:
    """Return the session with the name of its user, and add a new user's name to `users` (letter -> name)."""
    if spec.session is None:
        return spec
    letter = spec.session.user
    return replace(spec, session=replace(spec.session, user=users.setdefault(letter, f"{letter}-{new_user()}")))
