"""The user's folder, from which relative paths are read.

A bot may change the process's folder. A user's relative paths still mean the user's folder, not the bot's, so every
relative path from the user is joined to `home()` before it is used.
"""

import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from threading import Lock

_lock = Lock()


class _Stay:
    """The user's folder while code of bots may run, and the folder into which such code has moved the process."""

    def __init__(self) -> None:
        self.depth = 0
        self.folder = Path()
        self.left_in: Path | None = None
        """The folder in which bots have left the process, until the user changes it."""


_stay = _Stay()


def home() -> Path:
    """Return the user's folder: the current one, or the one before bots changed it."""
    with _lock:
        if _stay.depth:
            return _stay.folder
        here = _find_current()
        if here == _stay.left_in:
            return _stay.folder
        _stay.left_in = None  # the user has gone elsewhere
        return here


@contextmanager
def keep_home() -> Iterator[Path]:
    """Keep `home()` as it is while code of bots may run, and afterwards until the user changes the folder."""
    folder = home()
    with _lock:
        if not _stay.depth:
            _stay.folder = folder
        _stay.depth += 1
    try:
        yield folder
    finally:
        with _lock:
            _stay.depth -= 1
            if not _stay.depth:
                here = _find_current()
                _stay.left_in = here if here != _stay.folder else None


def shorten_path(path: Path) -> Path:
    """Return the path as the user would write it: relative to the user's folder if it is inside it."""
    folder = home()
    return path.relative_to(folder) if path != folder and path.is_relative_to(folder) else path


def shorten_paths(text: str) -> str:
    """Return a message with paths in the user's folder made relative to it."""
    folder = str(home())
    return text if folder == os.sep else text.replace(f"{folder}{os.sep}", "")


def _find_current() -> Path:
    """Return the process's folder; the relative one if it was deleted."""
    try:
        return Path.cwd()
    except OSError:
        return Path()
