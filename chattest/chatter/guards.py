"""Protect what the program needs from the code of bots: its standard files, its own files, the recursion limit.

A bot runs in the same process, so the protection is never certain. It covers calls that bots make by mistake: recipes
for daemons close all descriptors, and a lowered recursion limit breaks every library. While bots may run, such a call
only leaves a note.
"""

import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from threading import Lock
from typing import TextIO

from chattest.chatter.calls import current_call, note

_STANDARD = {0: "standard input", 1: "standard output", 2: "standard error"}
_close, _close_range, _set_limit = os.close, os.closerange, sys.setrecursionlimit


class _Guard:
    """The protected things, while bots may run."""

    def __init__(self) -> None:
        self.lock = Lock()
        self.depth = 0
        self.process = 0
        """The process that is protected: what a bot forks may close anything."""
        self.standard: dict[int, str] = {}
        """The standard files that are open."""
        self.kept: set[int] = set()
        """Further descriptors that stay open."""
        self.folders: set[str] = set()
        self.limit = 0
        self.streams: tuple[TextIO, TextIO] = (sys.stdout, sys.stderr)
        self.deeds: dict[str, None] = {}
        """The calls that bots have tried, each once."""


_guard = _Guard()


@contextmanager
def guard() -> Iterator[None]:
    """Protect what the program needs while code of bots may run."""
    with _guard.lock:
        if not _guard.depth:
            _begin()
        _guard.depth += 1
    try:
        yield
    finally:
        with _guard.lock:
            _guard.depth -= 1
            if not _guard.depth:
                os.close, os.closerange, sys.setrecursionlimit = _close, _close_range, _set_limit


def _begin() -> None:
    _guard.process, _guard.limit = os.getpid(), sys.getrecursionlimit()
    _guard.standard = {number: name for number, name in _STANDARD.items() if _is_open(number)}
    _guard.streams = sys.stdout, sys.stderr
    _guard.folders, _guard.deeds = set(), {}
    os.close, os.closerange, sys.setrecursionlimit = (
        _close_unless_kept,
        _close_range_unless_kept,
        _set_limit_unless_kept,
    )


def keep(number: int) -> None:
    """Keep a descriptor open until it is dropped."""
    _guard.kept.add(number)


def drop(number: int) -> None:
    """Stop keeping a descriptor open."""
    _guard.kept.discard(number)


def keep_files(folder: Path) -> None:
    """Keep the files of a folder open, too: journals, answers, logs and locks."""
    _guard.folders.add(f"{folder.resolve()}{os.sep}")


def give_back_streams() -> None:
    """Restore `sys.stdout` and `sys.stderr` if a bot has replaced them."""
    if _guard.depth and (sys.stdout, sys.stderr) != _guard.streams:
        tell("replace sys.stdout or sys.stderr; what is printed now goes to the old ones")
        sys.stdout, sys.stderr = _guard.streams


def deeds() -> list[str]:
    """Return the calls that bots tried since `guard` began, each once: "close standard output; it stays open"."""
    return list(_guard.deeds)


def tell(deed: str) -> None:
    """Note a call that a bot has tried, on the current reply and for the end of the run."""
    _guard.deeds[deed] = None
    note(f"it tried to {deed}")


def _is_open(number: int) -> bool:
    try:
        os.fstat(number)
    except OSError:
        return False
    return True


def _is_ours(number: int) -> bool:
    """Return True for a file of the program that a bot's call closes."""
    if current_call() is None:
        return False
    target = ""
    with suppress(OSError):  # no such file, or a system without /proc
        target = os.readlink(f"/proc/self/fd/{number}")
    return any(target.startswith(folder) for folder in _guard.folders)


def _close_unless_kept(fd: int) -> None:
    if os.getpid() == _guard.process and fd in _guard.standard:
        tell(f"close {_guard.standard[fd]}; it stays open")
    elif os.getpid() == _guard.process and (fd in _guard.kept or _is_ours(fd)):
        tell("close a file of chattest; it stays open")
    else:
        _close(fd)


def _close_range_unless_kept(fd_low: int, fd_high: int, /) -> None:
    if os.getpid() == _guard.process:
        tell("close all descriptors (os.closerange); they stay open")
    else:
        _close_range(fd_low, fd_high)


def _set_limit_unless_kept(limit: int, /) -> None:
    if os.getpid() == _guard.process and limit < _guard.limit:
        tell(f"lower the recursion limit to {limit}; it stays {sys.getrecursionlimit()}")
    else:
        _set_limit(limit)
