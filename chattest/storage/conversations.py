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
import re
from collections.abc import Iterable
from contextlib import suppress
from functools import cache
from pathlib import Path

from pydantic import TypeAdapter, ValidationError

from chattest.errors import InputError, Problem
from chattest.files.json_position import line_of
from chattest.files.schema_errors import Wrong, told
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
    texts = [] if paths else emely.files(folder)
    if not paths and not texts:
        remedy = "A run's own folder holds them in conversations/."
        raise InputError([Problem(str(folder), "there are no saved conversations (run-*.json)", remedy)])
    problems: list[Problem] = []
    found: dict[str, tuple[Path, Conversation]] = {}
    for number, path in enumerate(paths or texts, start=1):
        try:
            conversation = load(path) if paths else emely.read(path, number)
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
