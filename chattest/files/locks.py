"""Keep processes and threads apart with lock files."""

import errno
import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from time import monotonic, sleep

from chattest.files.links import IS_LINK

PAUSE = 0.02
"""Seconds between two tries."""


@contextmanager
def hold_lock(path: Path, patience: float) -> Iterator[None]:
    """Hold a lock file.

    The folder of the file is never made: a process that waits for a folder that is moved away must not leave another
    one in its place.

    Args:
        path: the lock file.
        patience: seconds to wait for it.

    Raises:
        TimeoutError: somebody else holds it.
        OSError: it cannot be opened.
    """
    from filelock import FileLock, Timeout

    if path.is_symlink():  # opening it would empty the file that it points to
        raise OSError(errno.ELOOP, IS_LINK, str(path))
    lock = FileLock(path)
    end = monotonic() + patience
    while True:
        if not path.parent.is_dir():
            raise FileNotFoundError(errno.ENOENT, os.strerror(errno.ENOENT), str(path.parent))
        try:
            lock.acquire(blocking=False)
            break
        except Timeout:
            if monotonic() >= end:
                raise TimeoutError(errno.ETIMEDOUT, os.strerror(errno.ETIMEDOUT), str(path)) from None
            sleep(PAUSE)
        except RuntimeError:  # this thread holds it itself, so waiting would never end
            raise TimeoutError(errno.ETIMEDOUT, os.strerror(errno.ETIMEDOUT), str(path)) from None
    try:
        yield
    finally:
        lock.release()
