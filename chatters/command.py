"""A program that talks on its standard input and output."""

import shlex
import subprocess
from collections import deque
from collections.abc import Callable
from contextlib import suppress
from queue import Empty, SimpleQueue
from threading import Thread
from typing import IO

from pydantic import BaseModel, ConfigDict, Field

from chattest import Chatter
from chattest.chatter import programs
from chattest.chatter.starting import new_session
from chattest.errors import ChatterError
from chattest.records.plan import ProbePlan

MAX_UNREAD = 100
"""Most unread lines kept, so that a program that floods its output does not fill the memory."""

SETTLE_SECONDS = 0.01
"""Seconds to wait before each question for unexpected lines."""


class CommandOptions(BaseModel):
    """Settings of a program that talks."""

    model_config = ConfigDict(extra="forbid")

    command: str | list[str] = Field(
        min_length=1,
        description="the command line, run without a shell; {conversation_id}, {session} (new each time) and {user} in "
        "it are replaced",
    )
    timeout: float = Field(30.0, gt=0, description="seconds the program may take for one line")
    skip_lines: int = Field(0, ge=0, description="lines it prints before it reads input, such as a greeting")
    max_length: int = Field(100_000, gt=0, description="longest line that is read, in characters")


class CommandLine(Chatter):
    """A program on standard input and output: a line in, a line out; one process per conversation.

    Line breaks in the texts it gets become spaces. To open a conversation it gets an empty line.
    """

    Options = CommandOptions
    _process: subprocess.Popen[str] | None = None

    def start(self, conversation_id: str, seed: str, plan: ProbePlan, user_id: str = "") -> None:
        """Start the program and skip its greeting."""
        command = self.options.command
        words = shlex.split(command) if isinstance(command, str) else command
        values = {"conversation_id": conversation_id, "session": new_session(conversation_id), "user": user_id}
        words = [_fill(word, values) for word in words]
        try:
            self._process = subprocess.Popen(
                words,
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=subprocess.PIPE,
                encoding="utf-8",
                errors="surrogateescape",  # the loop replaces invalid UTF-8 and adds a note
                start_new_session=True,  # so that its child processes can be ended too
            )
        except OSError as error:
            raise ChatterError(f"the program cannot be started: {error}") from error
        programs.began(self._process)
        self._lines: SimpleQueue[str] = SimpleQueue()
        self._complaints: deque[str] = deque(maxlen=5)
        self._readers = [
            Thread(target=self._read, args=(self._process.stdout, self._keep), daemon=True),
            Thread(target=self._read, args=(self._process.stderr, self._complaints.append), daemon=True),
        ]
        for reader in self._readers:
            reader.start()
        for _ in range(self.options.skip_lines):
            self._next_line()

    def get_response(self, conv_array: list[str]) -> str:
        """Return the program's next line. An unread line is an error, because it would be taken for the reply."""
        with suppress(Empty):
            unasked = self._lines.get(timeout=SETTLE_SECONDS)
            if not unasked:
                raise self._make_end_error()
            what = f"the program printed a line without being asked: {unasked.rstrip()[:100]!r}"
            raise ChatterError(f"{what}; for a greeting, set skip_lines to the number of its lines")
        assert self._process is not None
        assert self._process.stdin is not None
        try:
            self._process.stdin.write(" ".join((conv_array or [""])[-1].splitlines()) + "\n")
            self._process.stdin.flush()
        except OSError as error:
            raise self._make_end_error() from error
        return self._next_line()

    def close(self) -> None:
        """Close the input; a program that does not end then is killed together with its child processes."""
        process = self._process
        if process is None:
            return
        assert process.stdin is not None
        ending = Thread(target=self._end_input, args=(process.stdin,), daemon=True)
        ending.start()
        ending.join(timeout=1)  # closing blocks if the program does not read its input
        try:
            process.wait(timeout=1)
        except subprocess.TimeoutExpired:
            programs.end(process)
        else:
            programs.end_processes(process)
        for reader in self._readers:
            reader.join(timeout=2)

    def _keep(self, line: str) -> None:
        if not line or self._lines.qsize() < self.options.skip_lines + MAX_UNREAD:
            self._lines.put(line)

    def _end_input(self, stream: IO[str]) -> None:
        with suppress(OSError):  # the program may have ended without reading a line
            stream.close()

    def _read(self, stream: IO[str], take: Callable[[str], None]) -> None:
        """Pass on each line, and an empty text at the end of the output; then close the stream."""
        with stream:
            while True:
                line = stream.readline(self.options.max_length + 1)
                take(line)
                if not line:
                    return

    def _next_line(self) -> str:
        try:
            line = self._lines.get(timeout=self.options.timeout)
        except Empty:
            raise ChatterError(f"the program printed no line within {self.options.timeout:g} seconds") from None
        if not line:
            raise self._make_end_error()
        if len(line) > self.options.max_length:
            raise ChatterError(f"the program's line is longer than max_length ({self.options.max_length})")
        return line.rstrip("\r\n")

    def _make_end_error(self) -> ChatterError:
        assert self._process is not None
        self._readers[1].join(timeout=1)
        with suppress(subprocess.TimeoutExpired):
            self._process.wait(timeout=1)
        complaints = " ".join("".join(self._complaints).split())[-300:]
        return ChatterError(f"the program ended (exit status {self._process.poll()}) {complaints}".rstrip())


def _fill(word: str, values: dict[str, str]) -> str:
    for name, value in values.items():
        word = word.replace(f"{{{name}}}", value)
    return word
