"""Watches a run that talks, through its files alone: what is said, how far it is, what it is told to do."""

from __future__ import annotations

import os
from collections import deque
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from threading import Lock
from time import monotonic, time

from chattest.errors import InputError
from chattest.files.links import open_plain
from chattest.records.conversation import Conversation, ReferenceRun, Speaker
from chattest.storage.answers import FILE as ANSWERS
from chattest.storage.control import is_pausing, is_stopping
from chattest.storage.conversations import load
from chattest.storage.journal import Listener
from chattest.storage.run_folder import is_in_use, saved_plan, saved_settings, saved_state
from chattest.storage.source import talked_in

RECENT = 3
"""Conversations that are still shown when they are over: the last ones."""
MOST = 50
"""Conversations that are read at most when they end between two looks; a bot that is that fast has no need of more."""
SOON = 5.0
"""Seconds that the speed is measured before it says how long a run still takes."""


@dataclass(slots=True)
class Talk:
    """A conversation that is shown."""

    conversation: Conversation
    over: bool = False

    @property
    def whole_rounds(self) -> int:
        """How many rounds the bot has answered."""
        return sum(turn.speaker is Speaker.SUBJECT and turn.round >= 0 for turn in self.conversation.turns)


@dataclass(frozen=True, slots=True)
class Seen:
    """A run at one moment."""

    state: str
    """`talking`, `pausing`, `paused`, `stopping`, `judging`, or how it ended: as run.json says, or `interrupted`."""
    talks: tuple[Talk, ...]
    """The conversations under way, then the last ones that are over."""
    done: int
    """Rounds."""
    rounds: int
    """All of them."""
    finished: int
    """Conversations."""
    conversations: int
    """All of them, reference runs included."""
    failed: int
    """How many of the conversations that were watched ended because a chatter failed."""
    answers: int
    """Single questions that were answered."""
    questions: int
    seconds_left: float | None
    """At the speed so far; `None` where that is not known."""

    @property
    def ended(self) -> bool:
        """Whether nothing more will come."""
        return self.state not in ("talking", "pausing", "paused", "stopping", "judging")

    @property
    def actions(self) -> tuple[str, ...]:
        """What can be asked of it; see `chattest.storage.control.ACTIONS`."""
        by_state = {"talking": ("pause", "stop"), "pausing": ("resume", "stop"), "paused": ("resume", "stop")}
        return by_state.get(self.state, ()) if self.conversations or self.questions else ()


@dataclass(slots=True)
class _Answers:
    """Counts the lines of the file of answers."""

    place: int = 0
    count: int = 0


@dataclass(slots=True)
class Watch:
    """Watches a run; for several threads, which take turns."""

    folder: Path
    _lock: Lock = field(default_factory=Lock)
    _listening: dict[Path, Listener] = field(default_factory=dict)
    _over: set[Path] = field(default_factory=set)
    _recent: deque[Talk] = field(default_factory=lambda: deque(maxlen=RECENT))
    _failed: int = 0
    _answers: _Answers = field(default_factory=_Answers)
    _speed: tuple[float, int] | None = None

    def look(self) -> Seen:
        """The run as it is now. Raises nothing for files that are gone or damaged: they are left out."""
        with self._lock:
            return self._look()

    def finished(self) -> list[Path]:
        """The files of the conversations under test that are over, as of the last look."""
        with self._lock:
            return sorted(path for path in self._over if path.parent.name not in set(ReferenceRun))

    def _look(self) -> Seen:
        settings = saved_settings(self.folder)
        planned = saved_plan(self.folder)
        length = int(settings.get("conversation_length", 1))
        before = len(self._over)
        self._listen(talked_in(self.folder, settings), before == 0)
        listening = (listener.conversation for _, listener in sorted(self._listening.items()))
        talks = [Talk(conversation) for conversation in listening if conversation is not None]
        conversations = planned.conversations if planned else len(self._over) + len(self._listening)
        done = length * len(self._over) + sum(talk.whole_rounds for talk in talks)
        rounds = max(done, length * conversations)
        questions = planned.questions if planned else 0
        state = self._state(talks)
        waiting = length * planned.waiting if planned else rounds
        left = self._seconds_left(state, done, rounds, waiting)
        answers = min(self._answered(), questions)
        shown = (*talks, *reversed(self._recent))
        finished = len(self._over)
        return Seen(state, shown, done, rounds, finished, conversations, self._failed, answers, questions, left)

    def _state(self, talks: list[Talk]) -> str:
        state = saved_state(self.folder)
        if state not in ("talking", "judging"):
            return state or "gone"
        if not is_in_use(self.folder):
            # It may have ended between the two looks.
            return again if (again := saved_state(self.folder)) not in ("talking", "judging") else "interrupted"
        if state == "talking" and is_stopping(self.folder):
            return "stopping"
        if state == "talking" and is_pausing(self.folder):
            turns = [talk.conversation.turns[-1] for talk in talks if talk.conversation.turns]
            return "paused" if all(turn.speaker is Speaker.SUBJECT for turn in turns) else "pausing"
        return state

    def _listen(self, saved: Path, at_first: bool) -> None:
        """Reads what is new in the conversations. at_first: those that were over before nobody has watched."""
        journals: set[Path] = set()
        over: list[tuple[float, Path]] = []
        for entry in _entries(saved):
            path = Path(entry.path)
            if path.suffix == ".turns":
                journals.add(path)
            elif path not in self._over:
                try:
                    over.append((entry.stat().st_mtime, path))
                except OSError:
                    continue
        new = [path for _, path in sorted(over) if path.with_suffix(".turns") not in journals]
        self._over.update(new)
        for path in new[-RECENT:] if at_first else new[-MOST:]:
            self._end(path)
        for path in sorted(journals):
            listener = self._listening.setdefault(path, Listener(path))
            try:
                if not listener.look():
                    del self._listening[path]
            except InputError:
                continue
        for path in set(self._listening) - journals:
            del self._listening[path]

    def _end(self, path: Path) -> None:
        self._listening.pop(path.with_suffix(".turns"), None)
        try:
            conversation = load(path)
        except InputError:
            return
        self._failed += conversation.failed is not None
        self._recent.append(Talk(conversation, over=True))

    def _answered(self) -> int:
        """How many single questions were answered."""
        known = self._answers
        try:
            with open_plain(self.folder / ANSWERS) as file:
                file.seek(known.place)
                new = file.read()
        except OSError:
            return known.count
        known.place, known.count = known.place + len(new), known.count + new.count(b"\n")
        return known.count

    def _seconds_left(self, state: str, done: int, rounds: int, waiting: int) -> float | None:
        """How long the talk still takes: at the speed since it is watched, or, at first, since it began."""
        if state not in ("talking", "stopping") or done >= rounds:
            self._speed = None
            return None
        now = monotonic()
        if self._speed is None:
            self._speed = (now, done)
        began, before = self._speed
        if now - began >= SOON and done > before:
            return (now - began) / (done - before) * (rounds - done)
        since = done - (rounds - waiting)
        try:
            elapsed = time() - (self.folder / "run.json").stat().st_mtime
        except OSError:
            return None
        return elapsed / since * (rounds - done) if since > 0 and elapsed > 0 else None


def _entries(saved: Path) -> Iterator[os.DirEntry[str]]:
    """The files of conversations, of those under test and of reference runs."""
    for folder in (saved, *(saved / variant for variant in ReferenceRun)):
        try:
            with os.scandir(folder) as entries:
                found = [entry for entry in entries if entry.name.startswith("run-")]
        except OSError:
            continue
        yield from (entry for entry in found if entry.name.endswith((".turns", ".json")))
