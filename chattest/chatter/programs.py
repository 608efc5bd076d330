"""Manage the programs that bots are: none is left running when chattest ends."""

import atexit
import os
import signal
import subprocess
import time
from contextlib import suppress
from threading import Lock

GRACE = 1.0
"""Seconds that a program has between the request to end and being killed."""
_lock = Lock()
_running: set["subprocess.Popen[str]"] = set()
_endings = 0


def began(program: "subprocess.Popen[str]") -> None:
    """Remember a program that was started in its own session."""
    with _lock:
        _running.add(program)


def end(program: "subprocess.Popen[str]") -> None:
    """End a program and its child processes: ask first, then kill."""
    _signal(program, signal.SIGTERM)
    with suppress(subprocess.TimeoutExpired):
        program.wait(GRACE)
    _kill(program)


def end_processes(program: "subprocess.Popen[str]") -> None:
    """End the processes that a finished program has left running."""
    _kill(program)


def count_endings() -> int:
    """Return how often `end_all` was called: what a program that began before a call fails at is not its own doing."""
    return _endings


def end_all() -> None:
    """End all programs that are still running, together."""
    global _endings
    with _lock:
        _endings += 1
        programs = list(_running)
    for program in programs:
        _signal(program, signal.SIGTERM)
    until = time.monotonic() + GRACE
    for program in programs:
        with suppress(subprocess.TimeoutExpired):
            program.wait(max(0.0, until - time.monotonic()))
        _kill(program)


def _kill(program: "subprocess.Popen[str]") -> None:
    _signal(program, signal.SIGKILL)
    with suppress(subprocess.TimeoutExpired):
        program.wait(10)
    with _lock:
        _running.discard(program)


def _signal(program: "subprocess.Popen[str]", number: int) -> None:
    with suppress(ProcessLookupError, PermissionError):  # neither it nor a child of it is left
        os.killpg(program.pid, number)


atexit.register(end_all)
