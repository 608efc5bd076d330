"""Judging while the chatters still talk: a process beside the run scores what was said, into the cache of scores.

It makes no verdict. When all is said, the run judges everything as ever, and finds the scores in the cache. They are
the same to the last digit whichever batch they come in, so the report does not depend on how far the process came. It
runs with low priority, so that a bot on this machine is not slowed down, and only where talking takes so long that it
is worth its start.
"""

import os
import pickle
import subprocess
import sys
from contextlib import suppress
from pathlib import Path
from threading import Lock, Timer
from types import TracebackType

import chattest
from chattest.runner.base import Prepared
from chattest.storage.conversations import conversation_folder

AFTER = 4.0
"""Seconds of talking after which the process is started: its own start takes half of that."""
START = "from chattest.runner.background.follow import main; main()"
ALL_SAID = b"all said"
"""What the process is told at the end; if its input is closed without it, the run is gone."""


class Ahead:
    """The process beside a run, if there is any; a context manager around talking."""

    def __init__(self, prepared: Prepared, folder: Path) -> None:
        """folder: the run's."""
        self._lock = Lock()
        self._given = _given(prepared, folder) if _possible(prepared) else b""
        self._process: subprocess.Popen[bytes] | None = None
        self._timer = Timer(AFTER, self._start)
        self._timer.daemon = True

    def __enter__(self) -> "Ahead":
        if self._given:
            self._timer.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._timer.cancel()
        with self._lock:
            self._given = b""  # a timer that has just run out starts nothing any more
            process, self._process = self._process, None
        if process is None:
            return
        if error is not None:
            process.kill()
        with suppress(OSError), process:  # closes its input, and waits
            pass

    def finish(self) -> None:
        """Waits until everything that was said is scored. To be called when all is said."""
        self._timer.cancel()
        with self._lock:
            self._given = b""
        if self._process is not None:
            assert self._process.stdin is not None
            with suppress(OSError):  # it has ended already
                self._process.stdin.write(ALL_SAID)
                self._process.stdin.close()
            self._process.wait()

    def _start(self) -> None:
        with self._lock:
            if not self._given:
                return
            home = str(Path(chattest.__file__).parents[1])
            paths = os.pathsep.join(filter(None, (home, os.environ.get("PYTHONPATH"))))
            command = [sys.executable, "-c", START]
            environment = os.environ | {"PYTHONPATH": paths}
            nowhere, pipe = subprocess.DEVNULL, subprocess.PIPE
            try:
                self._process = subprocess.Popen(command, stdin=pipe, stdout=nowhere, stderr=nowhere, env=environment)
                assert self._process.stdin is not None
                self._process.stdin.write(self._given)
                self._process.stdin.flush()
            except OSError:  # no process can be started, or it ended at once: the run judges at its end
                return


def _possible(prepared: Prepared) -> bool:
    """Whether scores can be made ahead: by the embedded judges in float32, whose scores depend on no batch.

    A chat judge costs money, and which replies it is asked about may depend on all that were given.
    """
    settings = prepared.settings
    wanted = settings.judge_while_talking and settings.score_cache and settings.is_analyze_conversation
    here = settings.executor == "local" and not settings.is_load_conversation
    choices = settings.models.values() if isinstance(settings.models, dict) else [settings.models]
    embedded = all(choice in ("embedded", ["embedded"]) for choice in choices)
    return wanted and here and embedded and settings.precision == "float32" and not prepared.chat.by_kind


def _given(prepared: Prepared, folder: Path) -> bytes:
    """What the process is told; empty if a check of another package cannot be sent."""
    settings = prepared.settings
    saved = conversation_folder(folder, settings.save_conv_folder)
    try:
        return pickle.dumps((settings, prepared.checks, folder.resolve(), saved.resolve()))
    except Exception:  # whatever the classes of other packages raise
        return b""
