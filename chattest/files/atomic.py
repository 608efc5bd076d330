"""Write files atomically: a file is replaced as a whole, and a failed or killed write leaves the old file as it was.

Every file that chattest writes in one go is written here: by `write_whole` if it is bytes, and by `whole_file` for
libraries that write to a path. Files that grow line by line (journals, answers, logs) are appended to instead:
`append.py`.
"""

# No library does this: atomicwrites, which did, is archived, and the standard library has the parts only.

import os
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from secrets import token_hex

from chattest.errors import StoreError
from chattest.files.append import sync as synchronise
from chattest.files.links import open_plain


@contextmanager
def whole_file(path: Path, sync: bool = True, make_folder: bool = False) -> Iterator[Path]:
    """Yield a temporary path next to `path` to write to; rename it to `path` when the block ends without an error.

    Args:
        path: the file.
        sync: wait until the content is on the disk, so that a power cut cannot leave an empty file.
        make_folder: create the folder of `path` if it is missing.

    Raises:
        StoreError: replaces every `OSError`, also those of the block.
    """
    temporary, number = path.with_name(f".{path.name}.part"), None
    try:
        if make_folder:
            path.parent.mkdir(parents=True, exist_ok=True)
        temporary, number = _new_file(temporary)
        yield temporary
        if sync:
            with open_plain(temporary, "rb+") as file:
                synchronise(file.fileno())
        temporary.replace(path)
    except OSError as error:
        raise StoreError(
            f"{path} cannot be written: {error.strerror or error}. "
            "Close it where it is open, free space on the disk, or write to another folder or name."
        ) from error
    finally:
        if number is not None:
            with suppress(OSError):
                temporary.unlink()
            os.close(number)


def _new_file(path: Path) -> tuple[Path, int]:
    """Create an empty file that is locked until its number is closed; return its path and number.

    A file of this name that a killed process left, or a link that somebody put there, is deleted. While another process
    writes there, the new file gets another name.
    """
    if path.is_symlink() or not _is_held(path):
        path.unlink(missing_ok=True)
    for name in (path, path.with_name(f".{token_hex(8)}.part")):
        try:
            number = os.open(name, os.O_RDWR | os.O_CREAT | os.O_EXCL | getattr(os, "O_NOFOLLOW", 0), 0o666)
        except FileExistsError:
            continue
        _hold(number)
        return name, number
    raise FileExistsError(f"{path} is there already")


def _is_held(path: Path) -> bool:
    """Return True if a process writes to the file now."""
    try:
        with open_plain(path, "rb+") as file:
            return not _hold(file.fileno())
    except OSError:  # it is not there, or cannot be written; then deleting it tells what is wrong
        return False


def _hold(number: int) -> bool:
    """Lock an open file until it is closed; return `False` if another process holds it."""
    try:
        import fcntl
    except ImportError:  # Windows: nobody can delete a file that is open there
        return True
    try:
        fcntl.flock(number, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        return False
    except OSError:  # some network disks cannot
        return True
    return True


def write_whole(path: Path, content: bytes, sync: bool = True) -> None:
    """Replace the content of a file, and create its folder if it is missing; see `whole_file`."""
    with whole_file(path, sync, make_folder=True) as temporary:
        temporary.write_bytes(content)
