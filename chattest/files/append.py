"""Append to files that grow line by line: all of the content is in the file afterwards, or an error is raised.

A write to a disk that is almost full writes a part and reports no error, so the bytes are counted. If not all fit, the
part is removed again: readers would take half a line for damage, and the next line would continue it.
"""

import errno
import os
from contextlib import suppress
from pathlib import Path
from time import monotonic
from typing import IO, Any

from chattest.errors import StoreError
from chattest.files.links import open_plain

UNKNOWN_HERE = frozenset({errno.EINVAL, errno.ENOTSUP, errno.EROFS})
"""Errors of a file that cannot be synchronised at all, such as a pipe or one on some network disks."""
UNSYNCED = 1.0
"""Longest time in seconds that turns stay unsynchronised: a power cut loses that much at most."""
REMEDY = "Free space on the disk, or write to another folder or name, and do it again."


def sync(descriptor: int) -> None:
    """Wait until a file's content is on the disk, if its file system can tell.

    Raises:
        OSError: the disk refuses.
    """
    try:
        os.fsync(descriptor)
    except OSError as error:
        if error.errno not in UNKNOWN_HERE:
            raise


def append(path: Path, content: bytes, keep: int | None = None, wait: bool = True) -> None:
    """Append content to a file: all of it is there afterwards, or nothing.

    Others who append to the file must wait meanwhile.

    Args:
        path: the file, created if it is missing.
        content: what to append.
        keep: how many bytes of the file stay, such as all but a line that was cut off; `None` for all.
        wait: whether to wait until it is on the disk.

    Raises:
        StoreError: the file cannot be written.
    """
    try:
        with open_plain(path, "ab", buffering=0) as file:
            if keep is not None:
                file.truncate(keep)
            before = os.fstat(file.fileno()).st_size
            _write(file.fileno(), content)
            if wait:
                _sync_or_undo(file.fileno(), before)
    except OSError as error:
        raise _make_error(path, error) from error


class Appender:
    """A file that one process appends to for a long time; its content is synchronised now and then, and at the end."""

    def __init__(self, path: Path, seconds: float = 0.0) -> None:
        """Open the file.

        Args:
            path: the file, created if it is missing.
            seconds: longest time that content stays unsynchronised.

        Raises:
            StoreError: the file cannot be opened.
        """
        self.path = path
        self._seconds = seconds
        self._synced = monotonic()
        try:
            self._file: IO[Any] = open_plain(path, "ab", buffering=0)
        except OSError as error:
            raise _make_error(path, error) from error

    def truncate(self, size: int) -> None:
        """Keep the first bytes only.

        Raises:
            StoreError: the file cannot be written.
        """
        try:
            self._file.truncate(size)
        except OSError as error:
            raise _make_error(self.path, error) from error

    def write(self, content: bytes) -> None:
        """Append content as a whole.

        Raises:
            StoreError: the file cannot be written; it is then as it was before.
        """
        try:
            descriptor = self._file.fileno()
            before = os.fstat(descriptor).st_size
            _write(descriptor, content)
            if monotonic() - self._synced >= self._seconds:
                _sync_or_undo(descriptor, before)
                self._synced = monotonic()
        except (OSError, ValueError) as error:  # ValueError: it is closed
            raise _make_error(self.path, error) from error

    def close(self, wait: bool = True) -> None:
        """Synchronise and close the file. May be called twice.

        Args:
            wait: whether to wait until it is on the disk.

        Raises:
            StoreError: the file cannot be written.
        """
        if self._file.closed:
            return
        try:
            with self._file:
                if wait:
                    sync(self._file.fileno())
        except OSError as error:
            raise _make_error(self.path, error) from error


def _make_error(path: Path, error: Exception) -> StoreError:
    """Return the error for a file that cannot be appended to."""
    why = error.strerror if isinstance(error, OSError) and error.strerror else error
    return StoreError(f"{path} cannot be written: {why}. {REMEDY}")


def _write(descriptor: int, content: bytes) -> None:
    """Write all of the content at the end of a file, or leave it as it was. Raises `OSError`."""
    before = os.fstat(descriptor).st_size
    left = memoryview(content)
    try:
        while left:
            written = os.write(descriptor, left)
            if not written:
                raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))
            left = left[written:]
    except OSError:
        _undo(descriptor, before)
        raise


def _sync_or_undo(descriptor: int, before: int) -> None:
    """Synchronise what was appended; remove it again if the disk did not take it. Raises `OSError`."""
    try:
        sync(descriptor)
    except OSError:
        _undo(descriptor, before)
        raise


def _undo(descriptor: int, size: int) -> None:
    with suppress(OSError):  # a part of a line stays at the end, which every reader passes over
        os.ftruncate(descriptor, size)
