"""Keeps commands running when the reader of their output goes away, as in `python main.py | head`."""

import os
from typing import Any, TextIO, cast


def tolerate_closed_pipe(stream: TextIO) -> TextIO:
    """The stream itself if it is a terminal, else one that discards the output after its reader has gone."""
    return stream if stream.isatty() else cast("TextIO", _TolerantStream(stream))


class _TolerantStream:
    def __init__(self, stream: TextIO) -> None:
        self._stream = stream

    def write(self, text: str) -> int:
        """Writes a text and returns its length."""
        try:
            return self._stream.write(text)
        except BrokenPipeError:
            self._discard()
            return len(text)

    def flush(self) -> None:
        """Flushes the buffer."""
        try:
            self._stream.flush()
        except BrokenPipeError:
            self._discard()

    def _discard(self) -> None:
        # Python flushes the buffer again when it exits, so the file descriptor must accept the rest.
        null = os.open(os.devnull, os.O_WRONLY)
        os.dup2(null, self._stream.fileno())
        os.close(null)

    def __getattr__(self, name: str) -> Any:
        return getattr(self._stream, name)
