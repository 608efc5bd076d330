"""Saves and loads conversations.

A run is a folder, `reports/<name>/`:

    run.json                        state and settings of the run
    conversations/run-001.json      a finished conversation
    conversations/run-001.turns     one in progress: a line for its conversation spec, then a line for every turn
    conversations/clean/...         the same for the reference runs: clean, oracle, amnesiac
    results.jsonl report.xlsx ...   the files of the report writers

Every turn is written before the next one begins, and files are replaced atomically. A run that is killed at any moment
loses no turn. The disk is synchronised once per conversation, at its end: a power cut may lose the last turns of
conversations in progress, but never a finished conversation.
"""

import json
import re
from collections.abc import Iterable
from contextlib import suppress
from functools import cache
from pathlib import Path

from pydantic import TypeAdapter, ValidationError

from chattest.errors import InputError, Problem
from chattest.files.home import home
from chattest.files.json_position import find_json_line
from chattest.files.reading import read_bytes
from chattest.files.schema_errors import Wrong, validation_problems
from chattest.records.conversation import SCHEMA_VERSION, Conversation
from chattest.storage import emely
from chattest.storage.consistency import inconsistencies


@cache
def _conversation_form() -> "TypeAdapter[Conversation]":
    return TypeAdapter(Conversation)


def dump(conversation: Conversation) -> bytes:
    """A conversation as indented JSON."""
    return _conversation_form().dump_json(conversation, indent=1)


def undump(content: bytes) -> Conversation:
    """The conversation of which `dump` made the content."""
    return _conversation_form().validate_json(content, strict=True)


def load(path: Path) -> Conversation:
    """Reads a saved conversation.

    Raises `InputError` with file and line for every problem: the file is cut short, has another schema, or has fields
    or values that no conversation has.
    """
    content = read_bytes(path, follow=False)
    try:
        text = content.decode("utf-8")
        values = json.loads(text)
        if not isinstance(values, dict):
            raise ValueError("it is not a JSON object")
        schema = values.get("schema")
    except (ValueError, RecursionError) as error:
        remedy = "If it was cut short, restore it from a copy, or hold the conversation again."
        where = f"{path}:{_broken_line(content, error)}"
        raise InputError([Problem(where, f"is not a saved conversation: {error}", remedy)]) from error

    def refused(keys: tuple[str | int, ...], what: str, remedy: str = "") -> Problem:
        return Problem(f"{path}:{find_json_line(text, keys)}", what, remedy)

    if type(schema) is not int or schema != SCHEMA_VERSION:
        newer = type(schema) is int and schema > SCHEMA_VERSION
        remedy = "A newer chattest wrote it; update chattest." if newer else "No chattest wrote such files."
        what = f"has schema {schema!r}; this version of chattest reads schema {SCHEMA_VERSION}"
        raise InputError([refused(("schema",), what, remedy)])
    try:
        conversation = _conversation_form().validate_json(content, strict=True)
    except ValidationError as error:
        wrong = validation_problems(error, values)
        if error.errors()[0]["type"] == "json_invalid":  # half a character, which Python's own parser accepts
            raise InputError([Problem(f"{path}:{_line_in(wrong[0].what)}", wrong[0].what)]) from error
        raise InputError(refused(problem.place, _in_words(problem)) for problem in wrong) from error
    except InputError as error:  # the plan's own check
        raise InputError(refused(("plan",), str(problem)) for problem in error.problems) from error
    problems = [refused(path, what) for path, what in inconsistencies(conversation)]
    if problems:
        raise InputError(problems)
    return conversation


def _broken_line(content: bytes, error: Exception) -> int:
    """The line on which a file stops being UTF-8 or JSON; 1 if unknown."""
    if isinstance(error, UnicodeDecodeError):
        return content.count(b"\n", 0, error.start) + 1
    return error.lineno if isinstance(error, json.JSONDecodeError) else 1


def _line_in(message: str) -> str:
    match = re.search(r"at line (\d+)", message)
    return match[1] if match else "1"


def _in_words(wrong: Wrong) -> str:
    return f"{wrong.where}: no conversation has such a field" if wrong.unknown else str(wrong)


def conversation_folder(folder: Path, chosen: str) -> Path:
    """Where a run keeps its conversations. folder: the run's own. chosen: the setting `save_conv_folder`, or empty."""
    return home() / chosen / folder.name if chosen else folder / "conversations"


def load_all(folder: Path) -> list[Conversation]:
    """All conversations of a folder (or of the `conversations` folder in it), sorted by run.

    Without any `run-*.json`, text files of the reference implementation are read; see `emely`. Raises `InputError` with
    every file that cannot be read, if two files contain the same run, and if there are no files.
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
            what = f"is conversation {conversation.name}, and so is {by_name[conversation.name][0].name}"
            problems.append(Problem(str(path), what, "Remove one of the two."))
        by_name[conversation.name] = path, conversation
    if problems:
        raise InputError(problems)
    conversations = [conversation for _, conversation in by_name.values()]
    return sorted(conversations, key=lambda conversation: (conversation.run, conversation.name))


def load_reference_runs(folder: Path, variants: Iterable[str]) -> dict[str, list[Conversation]]:
    """Variant -> its reference conversations, for the variants that have any.

    folder: as for `load_all`; each variant has a subfolder of its name. Raises `InputError` as `load_all` does.
    """
    inner = folder / "conversations"
    folders = {variant: (inner if inner.is_dir() else folder) / variant for variant in variants}
    return {variant: load_all(path) for variant, path in folders.items() if any(path.glob("run-*.json"))}


def forget(folder: Path, variants: Iterable[str] = ()) -> None:
    """Deletes the conversations of a folder, and then the folder if it is empty.

    variants: reference runs whose conversations are deleted too.
    """
    for variant in variants:
        forget(folder / variant)
    for path in folder.glob("run-*.json"):
        path.unlink(missing_ok=True)
    with suppress(OSError):
        folder.rmdir()
