"""A program that talks over its standard input and output."""

import os
import shlex
import signal
import subprocess
from collections import deque
from collections.abc import Callable
from contextlib import suppress
from queue import Empty, SimpleQueue
from threading import Thread
from typing import IO

from pydantic import BaseModel, ConfigDict, Field

from chattest import Chatter
from chattest.errors import ChatterError
from chattest.records.plan import ProbePlan

UNREAD = 100
"""Lines that are kept although nobody asked for them yet; a program that floods its output must not fill the memory."""

SETTLES = 0.01
"""Seconds before each question in which a line that nobody asked for has time to arrive."""


class CommandOptions(BaseModel):
    """Settings of a program that talks."""

    model_config = ConfigDict(extra="forbid")

    command: str | list[str] = Field(
        min_length=1, description="the command line; {conversation_id} in it is filled in; run without a shell"
    )
    timeout: float = Field(30.0, gt=0, description="seconds the program may take for one line")
    skip_lines: int = Field(0, ge=0, description="lines it prints before it listens, such as a greeting")
    max_length: int = Field(100_000, gt=0, description="longest line that is read, in characters")


class CommandLine(Chatter):
    """A program on standard input and output: a line in, a line out; one process per conversation.

    Line breaks in what it hears become spaces. As the opener it is given an empty line.
    """

    Options = CommandOptions
    _process: subprocess.Popen[str] | None = None

    def start(self, conversation_id: str, seed: str, plan: ProbePlan) -> None:
        """Starts the program and reads past its greeting."""
        given = self.options.command
        words = shlex.split(given) if isinstance(given, str) else given
        words = [word.replace("{conversation_id}", conversation_id) for word in words]
        try:
            self._process = subprocess.Popen(
                words,
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=subprocess.PIPE,
                encoding="utf-8",
                errors="surrogateescape",  # what is not UTF-8 is replaced, with a note, where the turn is made
                start_new_session=True,  # so that what it starts itself can be ended with it
            )
        except OSError as error:
            raise ChatterError(f"the program cannot be started: {error}") from error
        self._lines: SimpleQueue[str] = SimpleQueue()
        self._complaints: deque[str] = deque(maxlen=5)
        self._readers = [
            Thread(target=self._read, args=(self._process.stdout, self._keep), daemon=True),
            Thread(target=self._read, args=(self._process.stderr, self._complaints.append), daemon=True),
        ]
        for reader in self._readers:
            reader.start()
        for _ in range(self.options.skip_lines):
            self._line()

    def get_response(self, conv_array: list[str]) -> str:
        """The program's next line. A line that it said without being asked would pass for the reply, so it fails."""
        with suppress(Empty):
            unasked = self._lines.get(timeout=SETTLES)
            if not unasked:
                raise self._ended()
            what = f"the program said a line without being asked: {unasked.rstrip()[:100]!r}"
            raise ChatterError(f"{what}; if it greets, set skip_lines to the lines it prints before it listens")
        assert self._process is not None
        assert self._process.stdin is not None
        try:
            self._process.stdin.write(" ".join((conv_array or [""])[-1].splitlines()) + "\n")
            self._process.stdin.flush()
        except OSError as error:
            raise self._ended() from error
        return self._line()

    def close(self) -> None:
        """Ends the input; a program that does not end then is ended, with all it started."""
        process = self._process
        if process is None:
            return
        assert process.stdin is not None
        ending = Thread(target=self._end_input, args=(process.stdin,), daemon=True)
        ending.start()
        ending.join(timeout=1)  # it waits where the program does not read what was sent to it
        for sign, seconds in ((None, 1), (signal.SIGTERM, 1), (signal.SIGKILL, 10)):
            if sign is not None:
                os.killpg(process.pid, sign)
            with suppress(subprocess.TimeoutExpired):
                process.wait(timeout=seconds)
                break
        for reader in self._readers:
            reader.join(timeout=2)

    def _keep(self, line: str) -> None:
        if not line or self._lines.qsize() < self.options.skip_lines + UNREAD:
            self._lines.put(line)

    def _end_input(self, stream: IO[str]) -> None:
        with suppress(OSError):  # the program may have gone already, leaving a line unread
            stream.close()

    def _read(self, stream: IO[str], take: Callable[[str], None]) -> None:
        """Hands on each line; an empty text (no line break) at the end of the output. Closes the stream then."""
        with stream:
            while True:
                line = stream.readline(self.options.max_length + 1)
                take(line)
                if not line:
                    return

    def _line(self) -> str:
        try:
            line = self._lines.get(timeout=self.options.timeout)
        except Empty:
            raise ChatterError(f"the program gave no line within {self.options.timeout:g} seconds") from None
        if not line:
            raise self._ended()
        if len(line) > self.options.max_length:
            raise ChatterError(f"the program's line is longer than max_length ({self.options.max_length})")
        return line.rstrip("\r\n")

    def _ended(self) -> ChatterError:
        assert self._process is not None
        self._readers[1].join(timeout=1)
        with suppress(subprocess.TimeoutExpired):
            self._process.wait(timeout=1)
        complaints = " ".join("".join(self._complaints).split())[-300:]
        return ChatterError(f"the program ended (exit status {self._process.poll()}) {complaints}".rstrip())
