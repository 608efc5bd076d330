"""The process that scores what a run has said so far; see `ahead`.

It reads the files that the run writes, while it writes them.
"""

import os
import pickle
import signal
import sys
from collections.abc import Iterator, Sequence
from contextlib import suppress
from pathlib import Path
from threading import Event, Thread

from chattest.cases.base import reply_cases
from chattest.checks.base import judged
from chattest.errors import ChattestError
from chattest.judging.ensemble import made_judges
from chattest.judging.verdicts import analyze
from chattest.models.embedded.device import pick_device
from chattest.models.judges import Judges
from chattest.planning.sessions import seats
from chattest.records.conversation import Conversation, ReferenceRun, Speaker
from chattest.runner.background.scoring import ALL_SAID
from chattest.runner.baselines import FLOOR, floor_rows
from chattest.runner.questions.checks import PlannedCheck
from chattest.settings.declaration import Settings
from chattest.storage.answers import FILE, read_answers
from chattest.storage.conversations import load
from chattest.storage.journal import Listener

PAUSE = 0.3
"""Seconds between two looks where nothing is new."""
REPLIES = 8
"""New replies after which a conversation that goes on is judged again: texts are read faster together."""
NICENESS = 5
"""How far the process stands back behind others, 0 to 19: they get three times as much. At the end the run waits."""


class Follower:
    """Scores what lies in a run's folder and was not scored yet."""

    def __init__(
        self, settings: Settings, checks: Sequence[PlannedCheck], folder: Path, saved: Path, judges: Judges
    ) -> None:
        """folder: the run's. saved: that of its conversations."""
        self._settings, self._folder, self._saved, self._judges = settings, folder, saved, judges
        # Of the reference runs only the answers to probes are judged.
        self._probes_only = settings.model_copy(update={"is_analyze": {case.code: False for case in reply_cases()}})
        self._checks = [check for check in checks if check.asks]
        self._answers = (0, 0)
        self._floors = (
            [(cls, check) for check in self._checks for cls in FLOOR.values()] if settings.check_floor else []
        )
        self._over: set[Path] = set()
        self._sessions: dict[tuple[Path, int], list[Conversation]] = {}
        self._listeners: dict[Path, Listener] = {}
        self._heard: dict[Path, int] = {}

    def look(self, last: bool = False) -> bool:
        """Scores some of what is new; returns whether there was anything. last: all is said."""
        for path in self._finished(last):
            self._over.add(path)
            with suppress(ChattestError):  # it is being written, or was deleted; the run itself will tell
                self._judge(path.parent, load(path))
                return True
        for conversation in self._going_on():
            self._judge(self._saved, conversation)
            return True
        return self._answered() or self._floored()

    def _finished(self, last: bool) -> Iterator[Path]:
        for variant in ("", *ReferenceRun):
            found = {path.name for path in (self._saved / variant).glob("run-*")}
            for name in sorted(name for name in found if name.endswith(".json")):
                path = self._saved / variant / name
                if path not in self._over and (last or f"{path.stem}.turns" not in found):
                    yield path

    def _going_on(self) -> Iterator[Conversation]:
        """Conversations under test with enough new replies, as far as they are saved."""
        if len(seats(self._settings)) > 1:  # what a session is judged by may be said in another
            return
        for path in sorted(self._saved.glob("run-*.turns")):
            listener = self._listeners.setdefault(path, Listener(path))
            with suppress(ChattestError):
                listener.look()
            so_far = listener.conversation
            replies = sum(turn.speaker is Speaker.SUBJECT for turn in so_far.turns) if so_far else 0
            if so_far is not None and replies >= self._heard.get(path, 0) + REPLIES:
                self._heard[path] = replies
                yield so_far

    def _judge(self, folder: Path, conversation: Conversation) -> None:
        settings = self._settings if folder == self._saved else self._probes_only
        together = [conversation]
        if conversation.session is not None:
            together = self._sessions.setdefault((folder, conversation.session.group), [])
            together.append(conversation)
            if len(together) < len(seats(settings)):
                return
            del self._sessions[folder, conversation.session.group]
        else:
            path = self._saved / f"{conversation.name}.turns"
            self._listeners.pop(path, None) if folder == self._saved else None
        analyze(together, settings, self._judges)

    def _answered(self) -> bool:
        """Judges the checks of which every question was answered since the last look."""
        try:
            status = (self._folder / FILE).stat()
        except OSError:
            return False
        state = (status.st_size, status.st_mtime_ns)
        if not self._checks or state == self._answers:
            return False
        self._answers = state
        answers = read_answers(self._folder / FILE)
        ready = [c for c in self._checks if all(q in answers for trial in c.trials for q in trial.questions)]
        for check in ready:
            judged(check.check, check.trials, answers, self._judges)
            self._checks.remove(check)
        return bool(ready)

    def _floored(self) -> bool:
        """Judges what a bot of the floor says to the questions of a check."""
        if not self._floors:
            return False
        cls, check = self._floors.pop()
        floor_rows([check], cls, self._settings, self._judges)
        return True


def main() -> None:
    """Reads what it is told from standard input, and follows the run until all is said and scored, or the run gone."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C is for the run, which then says that all is said
    if hasattr(os, "nice"):
        os.nice(NICENESS)
    settings, checks, folder, saved = pickle.load(sys.stdin.buffer)
    all_said = Event()

    def listen() -> None:
        if sys.stdin.buffer.read() != ALL_SAID:
            os._exit(1)  # the run is gone, and nobody waits for scores
        all_said.set()

    Thread(target=listen, daemon=True).start()
    if pick_device("auto") != "cpu":  # there the last digits of a score may depend on the batch
        return
    import torch

    threads = torch.get_num_threads()
    torch.set_num_threads(1)  # several would wait for the one whose processor the bot has
    follower = Follower(settings, checks, folder, saved, made_judges(settings, folder.parent))
    while not all_said.is_set():
        if not follower.look():
            all_said.wait(PAUSE)
    torch.set_num_threads(threads)
    while follower.look(last=True):
        pass
