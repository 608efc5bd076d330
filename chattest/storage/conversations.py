"""Save and load conversations.

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
from chattest.files.schema_errors import Fault, list_problems
from chattest.records.conversation import SCHEMA_VERSION, Conversation
from chattest.storage import emely
from chattest.storage.consistency import find_inconsistencies


@cache
def conversation_form() -> "TypeAdapter[Conversation]":
    """Return pydantic's adapter of conversations, made on first use."""
    return TypeAdapter(Conversation)


def to_json(conversation: Conversation) -> bytes:
    """Return a conversation as indented JSON."""
    return conversation_form().dump_json(conversation, indent=1)


def from_json(content: bytes) -> Conversation:
    """Return the conversation from the content that `to_json` made."""
    return conversation_form().validate_json(content, strict=True)


def load(path: Path) -> Conversation:
    """Read a saved conversation.

    Raises:
        InputError: the file is cut short, has another schema, or has fields or values that no conversation has; names
            the line of every problem.
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
        where = f"{path}:{_find_broken_line(content, error)}"
        raise InputError([Problem(where, f"is not a saved conversation: {error}", remedy)]) from error

    def make_problem(keys: tuple[str | int, ...], what: str, remedy: str = "") -> Problem:
        return Problem(f"{path}:{find_json_line(text, keys)}", what, remedy)

    if type(schema) is not int or schema != SCHEMA_VERSION:
        newer = type(schema) is int and schema > SCHEMA_VERSION
        remedy = "A newer chattest wrote it; update chattest." if newer else "No chattest wrote such files."
        what = f"has schema {schema!r}; this version of chattest reads schema {SCHEMA_VERSION}"
        raise InputError([make_problem(("schema",), what, remedy)])
    try:
        conversation = conversation_form().validate_json(content, strict=True)
    except ValidationError as error:
        wrong = list_problems(error, values)
        if error.errors()[0]["type"] == "json_invalid":  # half a character, which Python's own parser accepts
            raise InputError([Problem(f"{path}:{_find_line(wrong[0].what)}", wrong[0].what)]) from error
        raise InputError(make_problem(problem.place, _phrase(problem)) for problem in wrong) from error
    except InputError as error:  # the plan's own check
        raise InputError(make_problem(("plan",), str(problem)) for problem in error.problems) from error
    problems = [make_problem(path, what) for path, what in find_inconsistencies(conversation)]
    if problems:
        raise InputError(problems)
    return conversation


def _find_broken_line(content: bytes, error: Exception) -> int:
    """Return the line on which a file stops being UTF-8 or JSON; 1 if unknown."""
    if isinstance(error, UnicodeDecodeError):
        return content.count(b"\n", 0, error.start) + 1
    return error.lineno if isinstance(error, json.JSONDecodeError) else 1


def _find_line(message: str) -> str:
    match = re.search(r"at line (\d+)", message)
    return match[1] if match else "1"


def _phrase(wrong: Fault) -> str:
    return f"{wrong.where}: no conversation has such a field" if wrong.unknown else str(wrong)


def conversation_folder(folder: Path, chosen: str) -> Path:
    """Return where a run keeps its conversations.

    Args:
        folder: the run's own.
        chosen: the setting `save_conv_folder`, or empty.
    """
    return home() / chosen / folder.name if chosen else folder / "conversations"


def load_all(folder: Path) -> list[Conversation]:
    """Load all conversations of a folder (or of the `conversations` folder in it), sorted by run.

    Without any `run-*.json`, text files of the reference implementation are read; see `emely`.

    Raises:
        InputError: a file cannot be read (all are named), two files contain the same run, or there are no files.
    """
    inner = folder / "conversations"
    folder = inner if inner.is_dir() else folder
    paths = sorted(folder.glob("run-*.json"))
    texts = [] if paths else emely.find_files(folder)
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
    """Load the reference conversations by variant, for the variants that have any.

    Args:
        folder: as for `load_all`; each variant has a subfolder of its name.
        variants: the variants.

    Raises:
        InputError: as for `load_all`.
    """
    inner = folder / "conversations"
    folders = {variant: (inner if inner.is_dir() else folder) / variant for variant in variants}
    return {variant: load_all(path) for variant, path in folders.items() if any(path.glob("run-*.json"))}


def delete_conversations(folder: Path, variants: Iterable[str] = ()) -> None:
    """Delete the conversations of a folder, and then the folder if it is empty.

    Args:
        folder: the folder.
        variants: reference runs; their conversations are deleted too.
    """
    for variant in variants:
        delete_conversations(folder / variant)
    for path in folder.glob("run-*.json"):
        path.unlink(missing_ok=True)
    with suppress(OSError):
        folder.rmdir()
