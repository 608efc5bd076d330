"""Open files of a run folder without following symbolic links.

Somebody else may have made the folder. A link in it would show, or overwrite, a file elsewhere; reading a pipe or a
device would never end. `refuse_links` checks a whole folder when it is entered; `open_plain` and `read_plain` open one
file.
"""

# No library does this: Python's own open() takes an opener, which is all that is needed.

import errno
import os
import stat
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from typing import IO, Any

from chattest.errors import InputError, Problem

REMEDY = "Delete it, or put a copy of what it points to in its place."
IS_LINK = f"it is a symbolic link, and links in the folder of a run are not followed. {REMEDY}"
IS_SPECIAL = "it is no ordinary file, and would be read without end. Delete it."
CONVERSATIONS = "conversations"
"""The folder in a run's folder that is also read, with its own folders."""


def open_plain(path: Path, mode: str = "rb", **options: Any) -> IO[Any]:
    """Open a file as `open` does, but raise `OSError` if it is a symbolic link, a pipe or a device."""
    return open(path, mode, opener=_open_checked, **options)


def read_plain(path: Path) -> bytes:
    """Return the content of a file. Raises `OSError` as `open_plain` does."""
    with open_plain(path) as file:
        content: bytes = file.read()
    return content


def _open_checked(path: str, flags: int) -> int:
    if not hasattr(os, "O_NOFOLLOW") and os.path.islink(path):
        raise OSError(errno.ELOOP, IS_LINK, path)
    try:
        # A pipe without a writer would hold whoever opens it.
        number = os.open(path, flags | getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_NONBLOCK", 0), 0o666)
    except OSError as error:
        if error.errno in (errno.ELOOP, errno.EMLINK) or os.path.islink(path):
            raise OSError(errno.ELOOP, IS_LINK, path) from error
        raise
    if not stat.S_ISREG(os.fstat(number).st_mode):
        os.close(number)
        if os.path.isdir(path):
            raise IsADirectoryError(errno.EISDIR, os.strerror(errno.EISDIR), path)
        raise OSError(errno.EINVAL, IS_SPECIAL, path)
    return number


def refuse_links(folder: Path) -> None:
    """Raise `InputError` for the symbolic links, pipes and devices in the folder of a run.

    The folder itself may be a link, because the user named it. Folders that no run has are not checked.
    """
    problems = []
    for entry in _list_entries(folder):
        if entry.is_symlink():
            problems.append(Problem(entry.path, "is a symbolic link, which is not followed in a run's folder", REMEDY))
        elif not entry.is_file(follow_symlinks=False) and not entry.is_dir(follow_symlinks=False):
            problems.append(Problem(entry.path, "is no ordinary file", "Delete it."))
    if problems:
        raise InputError(sorted(problems, key=lambda problem: problem.where))


def _list_entries(folder: Path, within: bool = False) -> Iterator["os.DirEntry[str]"]:
    """Yield the entries of a run's folder, and of its folder of conversations.

    Args:
        folder: the folder.
        within: whether it is the folder of conversations, or inside it.
    """
    within = within or folder.name == CONVERSATIONS
    with suppress(OSError), os.scandir(folder) as entries:
        for entry in entries:
            yield entry
            if (within or entry.name == CONVERSATIONS) and entry.is_dir(follow_symlinks=False):
                yield from _list_entries(Path(entry.path), within=True)
