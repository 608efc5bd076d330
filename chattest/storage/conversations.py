"""Conversations <-> disk.

A run is a folder, `reports/<name>/`:

    run.json                        name, settings, and how far the run has come
    conversations/run-001.json      a finished conversation
    conversations/run-001.turns     one in progress: a line for its conversation spec, then a line for every turn
    conversations/clean/...         the same for the reference runs: clean, oracle, amnesiac
    results.jsonl report.xlsx ...   what the report writers leave

Every turn is written before the next one begins, and files are replaced atomically, so a run that is killed at any
moment loses nothing that was said. The disk is synchronised once per conversation, at its end: a power cut may lose the
last turns of conversations in progress, never a finished one.
"""

import json
import re
from collections.abc import Iterable
from contextlib import suppress
from functools import cache
from pathlib import Path

from pydantic import TypeAdapter, ValidationError

from chattest.errors import InputError, Problem
from chattest.files.json_position import line_of
from chattest.files.schema_errors import Wrong, validation_problems
from chattest.records.conversation import SCHEMA_VERSION, Conversation
from chattest.storage import emely
from chattest.storage.consistency import oddities


@cache
def _conversation_form() -> "TypeAdapter[Conversation]":
    return TypeAdapter(Conversation)


def dump(conversation: Conversation) -> bytes:
    """A conversation as indented JSON."""
    return _conversation_form().dump_json(conversation, indent=1)


def load(path: Path) -> Conversation:
    """Reads a saved conversation.

    Raises `InputError` with file and line for everything that is wrong with it: it is cut short, has another schema, or
    has fields or values that no conversation has.
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
        remedy = "If it was cut short, restore it from a copy, or hold the conversation again."
        where = f"{path}:{_broken_line(content, error)}"
        raise InputError([Problem(where, f"is not a saved conversation: {error}", remedy)]) from error

    def refused(keys: tuple[str | int, ...], what: str, remedy: str = "") -> Problem:
        return Problem(f"{path}:{line_of(text, keys)}", what, remedy)

    if type(schema) is not int or schema != SCHEMA_VERSION:
        newer = type(schema) is int and schema > SCHEMA_VERSION
        remedy = "A newer chattest wrote it; update chattest." if newer else "No chattest wrote such files."
        what = f"has schema {schema!r}; this version of chattest reads schema {SCHEMA_VERSION}"
        raise InputError([refused(("schema",), what, remedy)])
    try:
        conversation = _conversation_form().validate_json(content, strict=True)
    except ValidationError as error:
        wrong = validation_problems(error, values)
        if error.errors()[0]["type"] == "json_invalid":  # half a character, which Python's own reader takes
            raise InputError([Problem(f"{path}:{_line_told(wrong[0].what)}", wrong[0].what)]) from error
        raise InputError(refused(found.place, _in_words(found)) for found in wrong) from error
    except InputError as error:  # the plan's own check
        raise InputError(refused(("plan",), str(problem)) for problem in error.problems) from error
    problems = [refused(where, what) for where, what in oddities(conversation)]
    if problems:
        raise InputError(problems)
    return conversation


def _broken_line(content: bytes, error: Exception) -> int:
    """The line on which a file stops being UTF-8 or JSON; 1 where that is not known."""
    if isinstance(error, UnicodeDecodeError):
        return content.count(b"\n", 0, error.start) + 1
    return error.lineno if isinstance(error, json.JSONDecodeError) else 1


def _line_told(message: str) -> str:
    match = re.search(r"at line (\d+)", message)
    return match[1] if match else "1"


def _in_words(wrong: Wrong) -> str:
    return f"{wrong.where}: no conversation has such a field" if wrong.unknown else str(wrong)


def load_all(folder: Path) -> list[Conversation]:
    """All conversations of a folder (or of the `conversations` folder in it), in order of runs.

    Where there is no `run-*.json`, text files in the seed's form are taken; see `seed_conversation`. Raises
    `InputError` with every file that cannot be read, when two hold the same run, or when there is none.
    """
    inner = folder / "conversations"
    folder = inner if inner.is_dir() else folder
    paths = sorted(folder.glob("run-*.json"))
    texts = [] if paths else emely.files(folder)
    if not paths and not texts:
        remedy = "A run's own folder holds them in conversations/."
        raise InputError([Problem(str(folder), "there are no saved conversations (run-*.json)", remedy)])
    problems: list[Problem] = []
    by_name: dict[str, tuple[Path, Conversation]] = {}
    for number, path in enumerate(paths or texts, start=1):
        try:
            conversation = load(path) if paths else emely.read(path, number)
        except InputError as error:
            problems.extend(error.problems)
            continue
        if conversation.name in by_name:
            what = f"is conversation {conversation.name} again, which {by_name[conversation.name][0].name} holds"
            problems.append(Problem(str(path), what, "Remove one of the two."))
        by_name[conversation.name] = path, conversation
    if problems:
        raise InputError(problems)
    return sorted((conversation for _, conversation in by_name.values()), key=lambda held: (held.run, held.name))


def load_beside(folder: Path, variants: Iterable[str]) -> dict[str, list[Conversation]]:
    """The conversations of the reference runs beside those of a folder, by variant; only variants that have any.

    folder: as for `load_all`; each variant has a folder of its name in it. Raises `InputError` as `load_all` does.
    """
    inner = folder / "conversations"
    held = {variant: (inner if inner.is_dir() else folder) / variant for variant in variants}
    return {variant: load_all(path) for variant, path in held.items() if any(path.glob("run-*.json"))}


def forget(folder: Path, variants: Iterable[str] = ()) -> None:
    """Deletes the conversations of a folder, and the folder itself when it is empty then.

    variants: reference runs whose conversations are deleted too.
    """
    for variant in variants:
        forget(folder / variant)
    for path in folder.glob("run-*.json"):
        path.unlink(missing_ok=True)
    with suppress(OSError):
        folder.rmdir()
