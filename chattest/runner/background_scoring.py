"""Judge while the chatters still talk: a second process scores the replies so far and fills the cache of scores.

It makes no verdict. When the talking is over, the run judges everything as usual, and finds the scores in the cache.
They are the same to the last digit in any batch, so the report does not depend on how far the process came. It reads
the files that the run writes, while it writes them. It runs with low priority, so that a bot on this machine is not
slowed down, and starts only if the talking takes long enough to be worth it.
"""

import os
import pickle
import signal
import subprocess
import sys
from collections.abc import Iterator, Sequence
from contextlib import suppress
from pathlib import Path
from threading import Event, Lock, Thread, Timer
from types import TracebackType

import chattest
from chattest.cases.base import reply_cases
from chattest.checks.base import judge_check
from chattest.errors import ChattestError
from chattest.judging.verdicts import analyze
from chattest.judging.who_judges import make_judges
from chattest.models.embedded.device import pick_device
from chattest.models.judges import Judges
from chattest.planning.sessions import list_seats
from chattest.records.conversation import Conversation, ReferenceRun, Speaker
from chattest.runner.base import Prepared
from chattest.runner.baselines import FLOOR, judge_floor_bot
from chattest.runner.questions.checks import PlannedCheck
from chattest.settings.declaration import Settings
from chattest.storage.answers import FILE, read_answers
from chattest.storage.conversations import conversation_folder, load
from chattest.storage.journal import Listener

AFTER = 4.0
"""Seconds of talking after which the process is started: its own start takes half of that."""
START = "from chattest.runner.background_scoring import main; main()"
ALL_SAID = b"all said"
"""What the process reads at the end; if its input is closed without it, the run is gone."""


class BackgroundScorer:
    """The scoring process of a run, if there is one; a context manager around talking."""

    def __init__(self, prepared: Prepared, folder: Path) -> None:
        """Prepare the process for a run in this folder. It starts after `AFTER` seconds."""
        self._lock = Lock()
        self._task = _pickle_task(prepared, folder) if _can_score_ahead(prepared) else b""
        self._process: subprocess.Popen[bytes] | None = None
        self._timer = Timer(AFTER, self._start)
        self._timer.daemon = True

    def __enter__(self) -> "BackgroundScorer":
        if self._task:
            self._timer.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._timer.cancel()
        with self._lock:
            self._task = b""  # a timer that has just run out starts nothing any more
            process, self._process = self._process, None
        if process is None:
            return
        if error is not None:
            process.kill()
        with suppress(OSError), process:  # closes its input, and waits
            pass

    def finish(self) -> None:
        """Wait until every reply is scored. Call it when the talking is over."""
        self._timer.cancel()
        with self._lock:
            self._task = b""
        if self._process is not None:
            assert self._process.stdin is not None
            with suppress(OSError):  # it has ended already
                self._process.stdin.write(ALL_SAID)
                self._process.stdin.close()
            self._process.wait()

    def _start(self) -> None:
        with self._lock:
            if not self._task:
                return
            home = str(Path(chattest.__file__).parents[1])
            paths = os.pathsep.join(filter(None, (home, os.environ.get("PYTHONPATH"))))
            command = [sys.executable, "-c", START]
            environment = os.environ | {"PYTHONPATH": paths}
            nowhere, pipe = subprocess.DEVNULL, subprocess.PIPE
            try:
                self._process = subprocess.Popen(command, stdin=pipe, stdout=nowhere, stderr=nowhere, env=environment)
                assert self._process.stdin is not None
                self._process.stdin.write(self._task)
                self._process.stdin.flush()
            except OSError:  # no process can be started, or it ended at once: the run judges at its end
                return


def _can_score_ahead(prepared: Prepared) -> bool:
    """Return True if scores can be made ahead.

    Only the embedded judges in float32 give the same scores in any batch. A chat judge costs money, and which replies
    it gets may depend on all replies.
    """
    settings = prepared.settings
    wanted = settings.judge_while_talking and settings.score_cache and settings.is_analyze_conversation
    here = settings.executor == "local" and not settings.is_load_conversation
    choices = settings.models.values() if isinstance(settings.models, dict) else [settings.models]
    embedded = all(choice in ("embedded", ["embedded"]) for choice in choices)
    return wanted and here and embedded and settings.precision == "float32" and not prepared.chat.by_kind


def _pickle_task(prepared: Prepared, folder: Path) -> bytes:
    """Return the input of the process; empty if a check of another package cannot be pickled."""
    settings = prepared.settings
    saved = conversation_folder(folder, settings.save_conv_folder)
    try:
        return pickle.dumps((settings, prepared.checks, folder.resolve(), saved.resolve()))
    except Exception:  # whatever the classes of other packages raise
        return b""


PAUSE = 0.3
"""Seconds between two looks where nothing is new."""
REPLIES = 8
"""New replies after which a conversation that goes on is judged again: texts are read faster together."""
NICENESS = 5
"""How far the process yields to others, 0 to 19: they get three times as much. At the end the run waits for it."""


class Follower:
    """Scores what is in a run's folder and was not scored yet."""

    def __init__(
        self, settings: Settings, checks: Sequence[PlannedCheck], folder: Path, saved: Path, judges: Judges
    ) -> None:
        """Follow a run.

        Args:
            settings: those of the run.
            checks: its checks by single questions.
            folder: the run's folder.
            saved: the folder of its conversations.
            judges: the models that score.
        """
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
        """Score some of what is new; return whether there was anything new.

        Args:
            last: whether the talking is over.
        """
        for path in self._find_finished(last):
            self._over.add(path)
            with suppress(ChattestError):  # it is being written, or was deleted; the run itself will tell
                self._judge(path.parent, load(path))
                return True
        for conversation in self._find_open():
            self._judge(self._saved, conversation)
            return True
        return self._judge_checks() or self._judge_baseline()

    def _find_finished(self, last: bool) -> Iterator[Path]:
        for variant in ("", *ReferenceRun):
            names = {path.name for path in (self._saved / variant).glob("run-*")}
            for name in sorted(name for name in names if name.endswith(".json")):
                path = self._saved / variant / name
                if path not in self._over and (last or f"{path.stem}.turns" not in names):
                    yield path

    def _find_open(self) -> Iterator[Conversation]:
        """Yield conversations under test with enough new replies, as far as they are saved."""
        if len(list_seats(self._settings)) > 1:  # the verdict may depend on another session
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
            if len(together) < len(list_seats(settings)):
                return
            del self._sessions[folder, conversation.session.group]
        else:
            path = self._saved / f"{conversation.name}.turns"
            self._listeners.pop(path, None) if folder == self._saved else None
        analyze(together, settings, self._judges)

    def _judge_checks(self) -> bool:
        """Judge the checks with all questions answered; return False if nothing changed since the last look."""
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
            judge_check(check.check, check.trials, answers, self._judges)
            self._checks.remove(check)
        return bool(ready)

    def _judge_baseline(self) -> bool:
        """Judge a baseline bot's answers to the questions of a check."""
        if not self._floors:
            return False
        cls, check = self._floors.pop()
        judge_floor_bot([check], cls, self._settings, self._judges)
        return True


def main() -> None:
    """Read the task from standard input, and follow the run until everything is scored, or the run is gone."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C is for the run, which then ends this process
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
    torch.set_num_threads(1)  # several would wait for the processor that the bot uses
    follower = Follower(settings, checks, folder, saved, make_judges(settings, folder.parent))
    while not all_said.is_set():
        if not follower.look():
            all_said.wait(PAUSE)
    torch.set_num_threads(threads)
    while follower.look(last=True):
        pass
