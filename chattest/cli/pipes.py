"""Keep a command running if its output cannot be written: the reader left, the disk is full, or a bot closed it."""

import errno
import io
import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager, redirect_stderr, redirect_stdout, suppress
from typing import Any, TextIO, cast

from chattest.chatter.guards import drop, keep, tell


@contextmanager
def keep_streams() -> Iterator[None]:
    """Put streams in place of `sys.stdout` and `sys.stderr` that discard what can no longer be written."""
    out, err = _KeptStream(sys.stdout, "standard output"), _KeptStream(sys.stderr, "standard error")
    try:
        with redirect_stdout(cast("TextIO", out)), redirect_stderr(cast("TextIO", err)):
            yield
    finally:
        out.release()
        err.release()


class _KeptStream:
    """A stream that writes to another one."""

    def __init__(self, stream: TextIO, name: str) -> None:
        self._stream = stream
        self._name = name
        self._spare: int | None = None
        with suppress(OSError, ValueError):  # a stream without a descriptor, such as one in memory
            self._spare = os.dup(stream.fileno())
            keep(self._spare)

    def write(self, text: str) -> int:
        """Write a text and return its length."""
        try:
            return self._stream.write(text)
        except (OSError, ValueError) as error:
            if self._is_writable_again(error):
                return self._stream.write(text)
            return len(text)

    def flush(self) -> None:
        """Flush the buffer."""
        try:
            self._stream.flush()
        except (OSError, ValueError) as error:
            self._is_writable_again(error)

    def close(self) -> None:
        """Do nothing, so that a bot which closes `sys.stdout` does not close the program's."""
        tell(f"close {self._name}; it stays open")

    def detach(self) -> None:
        """Refuse, as other streams do that cannot be detached."""
        raise io.UnsupportedOperation("detach")

    def release(self) -> None:
        """Give up what was held to open the stream again."""
        if self._spare is not None:
            drop(self._spare)
            os.close(self._spare)
            self._spare = None

    def _is_writable_again(self, error: Exception) -> bool:
        """Return True if a stream that a bot closed is open again; else what is printed is discarded from now on."""
        closed = self._stream.closed or (isinstance(error, OSError) and error.errno == errno.EBADF)
        if closed and self._spare is not None:
            tell(f"close {self._name}; it was opened again")
            encoding = self._stream.encoding
            spare = os.dup(self._spare)
            self._stream = open(spare, "w", encoding=encoding, errors="backslashreplace", buffering=1)  # noqa: SIM115
            return True
        if isinstance(error, ValueError) and not closed:
            raise error
        if not isinstance(error, BrokenPipeError) and self._name == "standard output":
            reason = error.strerror if isinstance(error, OSError) else str(error)
            print(f"What is printed cannot be written ({reason}); the command continues without it.", file=sys.stderr)
        self._discard()
        return False

    def _discard(self) -> None:
        # Python flushes the buffer again when it exits, so the file descriptor must accept the rest.
        null = os.open(os.devnull, os.O_WRONLY)
        os.dup2(null, self._stream.fileno())
        os.close(null)

    def __getattr__(self, name: str) -> Any:
        return getattr(self._stream, name)
