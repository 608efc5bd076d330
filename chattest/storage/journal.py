"""The journal of a conversation in progress: every turn is saved before the next one begins."""

import os
from contextlib import suppress
from dataclasses import replace
from functools import cache
from pathlib import Path

from pydantic import TypeAdapter, ValidationError

from chattest.errors import InputError, Problem, StoreError
from chattest.files.append import UNSYNCED, Appender
from chattest.files.atomic import write_whole
from chattest.files.links import open_plain, read_plain
from chattest.files.schema_errors import list_json_problems
from chattest.records.conversation import SCHEMA_VERSION, Conversation, Turn
from chattest.records.plan import ProbePlan
from chattest.storage.conversations import conversation_form, load, to_json


@cache
def _make_turn_adapter() -> "TypeAdapter[Turn]":
    return TypeAdapter(Turn)


def _read_line(line: bytes, first: bool, where: str) -> Conversation | ProbePlan | Turn:
    """Read a line of a journal: the first one holds the conversation, the others a turn, or a plan that was changed."""
    try:
        if first:
            spec = conversation_form().validate_json(line, strict=True)
            if spec.schema != SCHEMA_VERSION:
                problem = Problem("schema", f"{spec.schema}; this version of chattest reads {SCHEMA_VERSION}")
                raise InputError([problem])
            return spec
        if line.startswith(b'{"plan"'):
            return TypeAdapter(dict[str, ProbePlan]).validate_json(line, strict=True)["plan"]
        return _make_turn_adapter().validate_json(line, strict=True)
    except (ValidationError, InputError) as error:
        why = list_json_problems(error, line)[0] if isinstance(error, ValidationError) else error
        what = f"is not a turn: {why}"
        raise InputError([Problem(where, what, "Delete the file to hold the conversation again.")]) from error


class Listener:
    """Reads a journal while it is written: the new lines since the last look."""

    def __init__(self, path: Path) -> None:
        """Prepare to read the journal at this path."""
        self.path = path
        self.conversation: Conversation | None = None
        """The conversation as far as it is saved; `None` before the first look at its first line."""
        self._place = (0, 0, 0)  # the file's number, how many bytes and how many lines of it are read

    def look(self) -> bool:
        """Read what is new; return whether the journal still exists. An incomplete last line is left for the next look.

        Raises:
            InputError: the file is not a journal.
        """
        try:
            with open_plain(self.path) as file:
                status = os.fstat(file.fileno())
                number, start, count = self._place
                if status.st_ino != number or status.st_size < start:  # a resumed run has written it again
                    start, count = 0, 0
                file.seek(start)
                lines = [line for line in file.read().splitlines(keepends=True) if line.endswith(b"\n")]
        except OSError:
            return False
        spec = self.conversation if start else None
        turns = [] if spec is None else list(spec.turns)
        for line in lines:
            count += 1
            entry = _read_line(line, count == 1, f"{self.path}:{count}")
            if isinstance(entry, Conversation):
                spec = entry
            elif isinstance(entry, ProbePlan):
                spec = spec and replace(spec, plan=entry)
            else:
                turns.append(entry)
        if spec is not None:
            self.conversation = replace(spec, turns=tuple(turns))
        self._place = (status.st_ino, start + sum(map(len, lines)), count)
        return True


class Journal:
    """The file of a conversation in progress; every turn is appended to it."""

    def __init__(self, folder: Path, spec: Conversation) -> None:
        """Prepare the files.

        Args:
            folder: the folder of the conversation.
            spec: the conversation before its first turn.
        """
        self.path = folder / f"run-{spec.run:03d}.turns"
        self.final = folder / f"run-{spec.run:03d}.json"
        self._spec = spec
        self._lines: list[bytes] = []

    def resumed(self) -> Conversation:
        """Open the journal; return the conversation spec, with the plan and turns of an interrupted run if any.

        A last line that the interruption cut off is dropped.

        Raises:
            InputError: the file is not a journal.
        """
        spec = self._spec
        try:
            lines = read_plain(self.path).splitlines(keepends=True) if self.path.exists() else []
            whole = [line for line in lines if line.endswith(b"\n")]
            if whole:
                spec = self._read_lines(whole)
            lines_to_write = [
                conversation_form().dump_json(replace(spec, turns=())),
                *map(_make_turn_adapter().dump_json, spec.turns),
            ]
            self._lines = [line + b"\n" for line in lines_to_write]
            self._rewrite()
        except OSError as error:
            raise StoreError(f"{self.path} cannot be used: {error.strerror or error}") from error
        return spec

    def saved(self) -> Conversation | None:
        """Return the conversation as far as it is saved; `None` before it began. Raises as `resumed` does."""
        try:
            lines = read_plain(self.path).splitlines(keepends=True) if self.path.exists() else []
        except OSError as error:
            raise StoreError(f"{self.path} cannot be used: {error.strerror or error}") from error
        whole = [line for line in lines if line.endswith(b"\n")]
        if whole:
            return self._read_lines(whole)
        return load(self.final) if self.final.exists() else None

    def _read_lines(self, lines: list[bytes]) -> Conversation:
        spec = self._spec
        turns: list[Turn] = []
        for number, line in enumerate(lines, start=1):
            entry = _read_line(line, number == 1, f"{self.path}:{number}")
            if isinstance(entry, Conversation):
                spec = entry
            elif isinstance(entry, ProbePlan):
                spec = replace(spec, plan=entry)
            else:
                turns.append(entry)
        return replace(spec, turns=tuple(turns))

    @property
    def over(self) -> bool:
        """Whether the conversation is finished, not merely stopped: its final file exists and contains its end.

        Raises `InputError` if that file is not a conversation.
        """
        if not self.final.exists():
            return False
        saved = load(self.final)  # raises for a file that is not a conversation
        # A kill between writing the final file and deleting the journal leaves both files of a finished conversation.
        return not self.path.exists() or saved.failed is not None or saved.last_round >= saved.plan.length - 1

    def record(self, turn: Turn) -> None:
        """Save a turn."""
        self._write(_make_turn_adapter().dump_json(turn))

    def replan(self, plan: ProbePlan) -> None:
        """Save a changed plan."""
        self._write(TypeAdapter(dict[str, ProbePlan]).dump_json({"plan": plan}))

    def _write(self, line: bytes) -> None:
        self._lines.append(line + b"\n")
        try:
            self._file.write(self._lines[-1])
            if not self.path.exists():  # the user deleted or moved it
                self.close()
                self._rewrite()
        except OSError as error:
            raise StoreError(f"{self.path} cannot be written: {error}") from error

    def _rewrite(self) -> None:
        # The file is replaced, never truncated and refilled: a kill in between would lose turns.
        # Before the first turn there is nothing to lose in a power cut.
        write_whole(self.path, b"".join(self._lines), sync=len(self._lines) > 1)
        self._file = Appender(self.path, UNSYNCED)

    def finish(self, conversation: Conversation, over: bool = True) -> None:
        """Write the final file.

        Args:
            conversation: the conversation with its turns.
            over: whether the conversation is finished; if not, the journal is kept to resume from.
        """
        write_whole(self.final, to_json(conversation))
        self.close(wait=not over)
        if over:
            self.path.unlink(missing_ok=True)

    def close(self, wait: bool = True) -> None:
        """Close the file and keep it.

        Args:
            wait: whether to wait until its content is on the disk.
        """
        file = getattr(self, "_file", None)
        if file is not None:
            with suppress(StoreError):  # a full disk, which was reported when the turn was recorded
                file.close(wait)
