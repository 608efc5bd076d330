"""Watch a run in progress through its files: what is said, how far it is, and what it was asked to do."""

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
from chattest.storage.run_folder import is_in_use, read_run_plan, read_run_settings, read_run_state
from chattest.storage.source import find_own_folder

RECENT = 3
"""Finished conversations that stay on the page: the last ones."""
MOST = 50
"""Most conversations that are read if they end between two looks. A faster bot needs no more."""
SOON = 5.0
"""Seconds after which the measured speed is used to estimate the time left."""


@dataclass(slots=True)
class WatchedConversation:
    """A conversation that is shown."""

    conversation: Conversation
    over: bool = False

    @property
    def whole_rounds(self) -> int:
        """The number of rounds that the bot has answered."""
        return sum(turn.speaker is Speaker.SUBJECT and turn.round >= 0 for turn in self.conversation.turns)


@dataclass(frozen=True, slots=True)
class RunStatus:
    """A run at one moment."""

    state: str
    """`talking`, `pausing`, `paused`, `stopping` or `judging`; later the state in run.json, or `interrupted`."""
    talks: tuple[WatchedConversation, ...]
    """The conversations in progress, then the last ones that are over."""
    done: int
    """Finished rounds."""
    rounds: int
    """All planned rounds."""
    finished: int
    """Finished conversations."""
    conversations: int
    """All planned conversations, including reference runs."""
    failed: int
    """Watched conversations that ended because a chatter failed."""
    answers: int
    """Single questions that were answered."""
    questions: int
    seconds_left: float | None
    """Estimated at the speed so far; `None` if unknown."""

    @property
    def ended(self) -> bool:
        """Whether nothing more will happen."""
        return self.state not in ("talking", "pausing", "paused", "stopping", "judging")

    @property
    def actions(self) -> tuple[str, ...]:
        """What the run can be asked to do; see `chattest.storage.control.ACTIONS`."""
        by_state = {"talking": ("pause", "stop"), "pausing": ("resume", "stop"), "paused": ("resume", "stop")}
        return by_state.get(self.state, ()) if self.conversations or self.questions else ()


@dataclass(slots=True)
class _Answers:
    """The count of lines in the file of answers."""

    offset: int = 0
    count: int = 0


@dataclass(slots=True)
class Watch:
    """Watch one run. Several threads may call it; they take turns."""

    folder: Path
    _lock: Lock = field(default_factory=Lock)
    _listening: dict[Path, Listener] = field(default_factory=dict)
    _over: set[Path] = field(default_factory=set)
    _recent: deque[WatchedConversation] = field(default_factory=lambda: deque(maxlen=RECENT))
    _failed: int = 0
    _answers: _Answers = field(default_factory=_Answers)
    _speed: tuple[float, int] | None = None

    def look(self) -> RunStatus:
        """Return the run as it is now. Files that are gone or damaged are left out."""
        with self._lock:
            return self._look()

    def finished(self) -> list[Path]:
        """Return the files of the finished conversations under test, as of the last look."""
        with self._lock:
            return sorted(path for path in self._over if path.parent.name not in set(ReferenceRun))

    def _look(self) -> RunStatus:
        settings = read_run_settings(self.folder)
        planned = read_run_plan(self.folder)
        length = int(settings.get("conversation_length", 1))
        before = len(self._over)
        self._listen(find_own_folder(self.folder, settings), before == 0)
        listening = (listener.conversation for _, listener in sorted(self._listening.items()))
        talks = [WatchedConversation(conversation) for conversation in listening if conversation is not None]
        conversations = planned.conversations if planned else len(self._over) + len(self._listening)
        done = length * len(self._over) + sum(talk.whole_rounds for talk in talks)
        rounds = max(done, length * conversations)
        questions = planned.questions if planned else 0
        state = self._state(talks)
        waiting = length * planned.waiting if planned else rounds
        left = self._estimate_seconds(state, done, rounds, waiting)
        answers = min(self._count_answers(), questions)
        shown = (*talks, *reversed(self._recent))
        finished = len(self._over)
        return RunStatus(state, shown, done, rounds, finished, conversations, self._failed, answers, questions, left)

    def _state(self, talks: list[WatchedConversation]) -> str:
        state = read_run_state(self.folder)
        if state not in ("talking", "judging"):
            return state or "gone"
        if not is_in_use(self.folder):
            # It may have ended between the two looks.
            return again if (again := read_run_state(self.folder)) not in ("talking", "judging") else "interrupted"
        if state == "talking" and is_stopping(self.folder):
            return "stopping"
        if state == "talking" and is_pausing(self.folder):
            turns = [talk.conversation.turns[-1] for talk in talks if talk.conversation.turns]
            return "paused" if all(turn.speaker is Speaker.SUBJECT for turn in turns) else "pausing"
        return state

    def _listen(self, saved: Path, at_first: bool) -> None:
        """Read what is new in the conversations. At the first look, only the last finished ones are read."""
        journals: set[Path] = set()
        over: list[tuple[float, Path]] = []
        for entry in _find_files(saved):
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
        self._recent.append(WatchedConversation(conversation, over=True))

    def _count_answers(self) -> int:
        """Return how many single questions were answered."""
        answers = self._answers
        try:
            with open_plain(self.folder / ANSWERS) as file:
                file.seek(answers.offset)
                new = file.read()
        except OSError:
            return answers.count
        answers.offset, answers.count = answers.offset + len(new), answers.count + new.count(b"\n")
        return answers.count

    def _estimate_seconds(self, state: str, done: int, rounds: int, waiting: int) -> float | None:
        """Estimate the seconds of talk left.

        The speed is measured since the first look; before that is long enough, since the run began.
        """
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


def _find_files(saved: Path) -> Iterator[os.DirEntry[str]]:
    """Yield the files of conversations, both under test and of reference runs."""
    for folder in (saved, *(saved / variant for variant in ReferenceRun)):
        try:
            with os.scandir(folder) as entries:
                files = [entry for entry in entries if entry.name.startswith("run-")]
        except OSError:
            continue
        yield from (entry for entry in files if entry.name.endswith((".turns", ".json")))
