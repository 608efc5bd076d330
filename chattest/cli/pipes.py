"""Output whose reader may go away: `python main.py | head` goes on to its end and keeps what it came to."""

import os
from typing import Any, TextIO, cast


def outliving(stream: TextIO) -> TextIO:
    """The stream itself where it is a terminal, else one that drops what is written once nobody reads it any more."""
    return stream if stream.isatty() else cast("TextIO", _Outliving(stream))


class _Outliving:
    def __init__(self, stream: TextIO) -> None:
        self._stream = stream

    def write(self, text: str) -> int:
        """Writes a text; gives its length."""
        try:
            return self._stream.write(text)
        except BrokenPipeError:
            self._drop()
            return len(text)

    def flush(self) -> None:
        """Hands on what is held back."""
        try:
            self._stream.flush()
        except BrokenPipeError:
            self._drop()

    def _drop(self) -> None:
        # What is held back is flushed once more when Python ends, so the place it goes to must take it.
        nowhere = os.open(os.devnull, os.O_WRONLY)
        os.dup2(nowhere, self._stream.fileno())
        os.close(nowhere)

    def __getattr__(self, name: str) -> Any:
        return getattr(self._stream, name)
