"""Conversations <-> disk.

A run is a folder, `reports/<name>/`:

    run.json                        name, settings, and how far the run has come
    conversations/run-001.json      a conversation that is over
    conversations/run-001.turns     one that is being held: a line for its frame, then a line for every turn
    conversations/clean/...         the same for those held beside them: clean, oracle, amnesiac
    results.jsonl report.xlsx ...   what the report writers leave

Every turn is written before the next one begins, and whole files appear under their name in one step, so a run that is
killed at any moment loses nothing that was said. The disk itself is waited for once a conversation, when it is over: a
power cut may take the last turns of conversations that are being held, never one that is over.
"""

import json
import os
import re
from collections.abc import Iterable, Iterator
from contextlib import suppress
from dataclasses import replace
from functools import cache
from pathlib import Path
from types import TracebackType
from typing import Any

from pydantic import TypeAdapter, ValidationError

from chattest import seed_conversation
from chattest.dialogue import SCHEMA_VERSION, Conversation, Turn
from chattest.errors import InputError, Problem, StoreError
from chattest.json_line import line_of
from chattest.plain_words import Wrong, told, told_of_json
from chattest.probe import ProbePlan
from chattest.saved_form import oddities


@cache
def _conversation_form() -> "TypeAdapter[Conversation]":
    return TypeAdapter(Conversation)


@cache
def _turn_form() -> "TypeAdapter[Turn]":
    return TypeAdapter(Turn)


def write_whole(path: Path, content: bytes, wait: bool = True) -> None:
    """Writes a file so that it is there whole or not at all; waits until the disk has it. Raises `StoreError`."""
    fresh = path.with_name(f".{path.name}.new")
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        with fresh.open("wb") as file:
            file.write(content)
            file.flush()
            if wait:
                os.fsync(file.fileno())
        fresh.replace(path)
    except OSError as error:
        with suppress(OSError):
            fresh.unlink()
        raise StoreError(f"{path} cannot be written: {error.strerror or error}") from error


class Journal:
    """The turns of a conversation being held, on disk as they are said."""

    def __init__(self, folder: Path, frame: Conversation) -> None:
        """folder: where the conversation will lie. frame: the conversation before its first turn."""
        self.path = folder / f"run-{frame.run:03d}.turns"
        self.final = folder / f"run-{frame.run:03d}.json"
        self._frame = frame
        self._said: list[bytes] = []

    def resumed(self) -> Conversation:
        """The frame, with the plan and the turns of an interrupted run where there are any; opens the journal.

        A last line that was cut off by the interruption is dropped. Raises `InputError` when the file is something
        else.
        """
        frame = self._frame
        try:
            lines = self.path.read_bytes().splitlines(keepends=True) if self.path.exists() else []
            whole = [line for line in lines if line.endswith(b"\n")]
            if whole:
                frame = self._replayed(whole)
            said = [_conversation_form().dump_json(replace(frame, turns=())), *map(_turn_form().dump_json, frame.turns)]
            self._said = [line + b"\n" for line in said]
            self._write_anew()
        except OSError as error:
            raise StoreError(f"{self.path} cannot be used: {error.strerror or error}") from error
        return frame

    def _replayed(self, lines: list[bytes]) -> Conversation:
        frame = self._frame
        turns: list[Turn] = []
        for number, line in enumerate(lines, start=1):
            try:
                if number == 1:
                    frame = _conversation_form().validate_json(line, strict=True)
                    if frame.schema != SCHEMA_VERSION:
                        problem = Problem("schema", f"{frame.schema}; this version of chattest reads {SCHEMA_VERSION}")
                        raise InputError([problem])
                elif line.startswith(b'{"plan"'):
                    plan = TypeAdapter(dict[str, ProbePlan]).validate_json(line, strict=True)["plan"]
                    frame = replace(frame, plan=plan)
                else:
                    turns.append(_turn_form().validate_json(line, strict=True))
            except (ValidationError, InputError) as error:
                why = told_of_json(error, line)[0] if isinstance(error, ValidationError) else error
                what = f"is not a turn: {why}"
                raise InputError(
                    [Problem(f"{self.path}:{number}", what, "Delete the file to hold it anew.")]
                ) from error
        return replace(frame, turns=tuple(turns))

    @property
    def over(self) -> bool:
        """Whether the conversation has its final file, and did not end there because the run was stopped.

        Raises `InputError` when that file is no conversation.
        """
        if not self.final.exists():
            return False
        held = load(self.final)  # refuses a file that is no conversation before anything is built on it
        # A kill in the very moment between the two files leaves both of a conversation that is over.
        return not self.path.exists() or held.failed is not None or held.last_round >= held.plan.length - 1

    def record(self, turn: Turn) -> None:
        """Puts a turn on disk."""
        self._write(_turn_form().dump_json(turn))

    def replan(self, plan: ProbePlan) -> None:
        """Puts a changed plan on disk."""
        self._write(TypeAdapter(dict[str, ProbePlan]).dump_json({"plan": plan}))

    def _write(self, line: bytes) -> None:
        self._said.append(line + b"\n")
        try:
            self._file.write(self._said[-1])
            self._file.flush()
            if not self.path.exists():  # somebody deleted or moved it
                self.close()
                self._write_anew()
        except (OSError, ValueError) as error:
            raise StoreError(f"{self.path} cannot be written: {error}") from error

    def _write_anew(self) -> None:
        # Never emptied and filled again: a kill in between would lose what was said.
        write_whole(self.path, b"".join(self._said), wait=len(self._said) > 1)  # at the start there is nothing to lose
        self._file = self.path.open("ab")

    def finish(self, conversation: Conversation, over: bool = True) -> None:
        """Leaves the conversation under its final name; where it is not over, also what it can be gone on with."""
        write_whole(self.final, dump(conversation))
        self.close()
        if over:
            self.path.unlink(missing_ok=True)

    def close(self) -> None:
        """Closes the file; the turns stay."""
        file = getattr(self, "_file", None)
        if file is not None:
            with suppress(OSError):  # a full disk, which was told when the turn was recorded
                file.close()


def dump(conversation: Conversation) -> bytes:
    """A conversation as indented JSON."""
    return _conversation_form().dump_json(conversation, indent=1)


def load(path: Path) -> Conversation:
    """A saved conversation. Raises `InputError` with file and line for all that keeps it from being read as it was
    written: it is cut short, of another schema, or has fields or values that no conversation has.
    """
    try:
        content = path.read_bytes()
        text = content.decode("utf-8")
        values = json.loads(text)
        if not isinstance(values, dict):
            raise ValueError("it is no object")
        schema = values.get("schema")
    except OSError as error:
        raise InputError([Problem(str(path), f"cannot be read: {error.strerror or error}")]) from error
    except (ValueError, RecursionError) as error:
        remedy = "If it was cut short, take it from a copy, or hold the conversation anew."
        place = f"{path}:{_broken_line(content, error)}"
        raise InputError([Problem(place, f"is not a saved conversation: {error}", remedy)]) from error

    def refused(found: tuple[str | int, ...], what: str, remedy: str = "") -> Problem:
        return Problem(f"{path}:{line_of(text, found)}", what, remedy)

    if type(schema) is not int or schema != SCHEMA_VERSION:
        newer = type(schema) is int and schema > SCHEMA_VERSION
        remedy = "A newer chattest wrote it; update chattest." if newer else "No chattest wrote such files."
        what = f"has schema {schema!r}; this version of chattest reads schema {SCHEMA_VERSION}"
        raise InputError([refused(("schema",), what, remedy)])
    try:
        conversation = _conversation_form().validate_json(content, strict=True)
    except ValidationError as error:
        wrong = told(error, values)
        if error.errors()[0]["type"] == "json_invalid":  # half a character, which Python's own reader takes
            raise InputError([Problem(f"{path}:{_line_told(wrong[0].what)}", wrong[0].what)]) from error
        raise InputError(refused(found.place, _in_words(found)) for found in wrong) from error
    except InputError as error:  # the plan's own check
        raise InputError(refused(("plan",), str(problem)) for problem in error.problems) from error
    problems = [refused(place, what) for place, what in oddities(conversation)]
    if problems:
        raise InputError(problems)
    return conversation


def _broken_line(content: bytes, error: Exception) -> int:
    """The line on which a file stops being text, or JSON; the first where that is not known."""
    if isinstance(error, UnicodeDecodeError):
        return content.count(b"\n", 0, error.start) + 1
    return error.lineno if isinstance(error, json.JSONDecodeError) else 1


def _line_told(message: str) -> str:
    found = re.search(r"at line (\d+)", message)
    return found[1] if found else "1"


def _in_words(found: Wrong) -> str:
    return f"{found.where}: no conversation has such a field" if found.unknown else str(found)


def load_all(folder: Path) -> list[Conversation]:
    """All conversations of a folder (or of the `conversations` folder in it), in order of runs.

    Where there is no `run-*.json`, text files in the seed's form are taken; see `seed_conversation`. Raises
    `InputError` with every file that cannot be read, when two hold the same run, or when there is none.
    """
    inner = folder / "conversations"
    folder = inner if inner.is_dir() else folder
    paths = sorted(folder.glob("run-*.json"))
    texts = [] if paths else seed_conversation.files(folder)
    if not paths and not texts:
        remedy = "A run's own folder holds them in conversations/."
        raise InputError([Problem(str(folder), "there are no saved conversations (run-*.json)", remedy)])
    problems: list[Problem] = []
    found: dict[str, tuple[Path, Conversation]] = {}
    for number, path in enumerate(paths or texts, start=1):
        try:
            conversation = load(path) if paths else seed_conversation.read(path, number)
        except InputError as error:
            problems.extend(error.problems)
            continue
        if conversation.name in found:
            what = f"is conversation {conversation.name} again, which {found[conversation.name][0].name} holds"
            problems.append(Problem(str(path), what, "Take one of the two away."))
        found[conversation.name] = path, conversation
    if problems:
        raise InputError(problems)
    return sorted((one for _, one in found.values()), key=lambda one: (one.run, one.name))


def load_beside(folder: Path, variants: Iterable[str]) -> dict[str, list[Conversation]]:
    """Variant -> the conversations of that kind which were held beside those of the folder, where there are any.

    folder: as for `load_all`; each variant has a folder of its name in it. Raises `InputError` as `load_all` does.
    """
    inner = folder / "conversations"
    held = {variant: (inner if inner.is_dir() else folder) / variant for variant in variants}
    return {variant: load_all(path) for variant, path in held.items() if any(path.glob("run-*.json"))}


def forget(folder: Path, variants: Iterable[str] = ()) -> None:
    """Deletes the conversations of a folder, and the folder when nothing else is in it.

    variants: also those held beside them.
    """
    for variant in variants:
        forget(folder / variant)
    for path in folder.glob("run-*.json"):
        path.unlink(missing_ok=True)
    with suppress(OSError):
        folder.rmdir()


class RunFolder:
    """The folder of one run, locked while it is used (a context manager)."""

    def __init__(self, path: Path, known: bytes | None = None) -> None:
        """path: the run's folder; `claim` finds the right one. known: what run.json held when it was found."""
        from filelock import FileLock

        self.path = path
        self._known = known
        self._lock = FileLock(path / ".lock", timeout=0)

    def __enter__(self) -> "RunFolder":
        from filelock import Timeout

        try:
            self.path.mkdir(parents=True, exist_ok=True)
            self._lock.acquire()
        except Timeout:
            what = f"{self.path} is in use by another run of the same name"
            raise StoreError(f"{what}; wait for it, or set save_analysis_name to another") from None
        except OSError as error:
            raise StoreError(f"{self.path} cannot be used: {error.strerror or error}") from error
        # Between the look and the lock another process may have had the folder; its settings may be others.
        if self._state() != self._known:
            self._lock.release()
            raise StoreError(f"{self.path} was in use by another run of the same name until just now; start once more")
        return self

    def _state(self) -> bytes | None:
        try:
            return (self.path / "run.json").read_bytes()
        except OSError:
            return None

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._lock.release()

    def mark(self, state: str, settings: dict[str, Any]) -> None:
        """Notes how far the run has come: `talking`, `judging`, `stopped` (and judged so far) or `finished`."""
        content = {"state": state, "settings": settings}
        write_whole(self.path / "run.json", json.dumps(content, indent=1, ensure_ascii=False).encode())


def claim(folder: Path, name: str, settings: dict[str, Any], counted: bool = False) -> RunFolder:
    """The folder the run belongs in.

    folder: the `reports` folder. settings: those that must be the same for an unfinished run to be gone on with. A name
    not yet used is taken; an unfinished run with the same settings is gone on with; after a finished one comes
    `<name>-2`, `<name>-3`, ..., as it does after an unfinished one when saved conversations are judged. counted: the
    first one is `<name>-1` already. Raises `InputError` for an unfinished run with other settings.
    """
    for path in _candidates(folder, name, counted):
        state = path / "run.json"
        if not state.exists():
            return RunFolder(path)
        try:
            content = state.read_bytes()
            known = json.loads(content)
            finished, before = known["state"] == "finished", known["settings"]
        except (OSError, ValueError, KeyError, TypeError) as error:
            remedy = "Delete the folder, or set save_analysis_name to another name."
            raise InputError([Problem(str(state), f"cannot be read: {error}", remedy)]) from error
        # Judging saved conversations again has nothing to go on with in a run that is still being held.
        if finished or (settings.get("is_load_conversation") and not before.get("is_load_conversation")):
            continue
        if before == settings:
            return RunFolder(path, content)
        names = set(before) | set(settings)
        changed = sorted(key for key in names if before.get(key) != settings.get(key))
        what = f"the run there is unfinished and had other settings: {', '.join(changed)}"
        remedy = "Set them back to go on with it, delete the folder, or set save_analysis_name to another name."
        raise InputError([Problem(str(path), what, remedy)])
    raise AssertionError("unreachable: the candidates never end")


def _candidates(folder: Path, name: str, counted: bool) -> Iterator[Path]:
    yield folder / (f"{name}-1" if counted else name)
    number = 2
    while True:
        yield folder / f"{name}-{number}"
        number += 1
