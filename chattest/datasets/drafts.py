"""Test sets that are being written: from the fields of a form to a file, checked as it will be when it is read."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from shutil import copytree
from threading import Lock
from typing import Any

from chattest.datasets.stories import NAMED, STORIES
from chattest.datasets.testsets import (
    KINDS,
    NAME,
    find_one_sided,
    list_testset_files,
    parse_testset,
    read_usable_testsets,
)
from chattest.errors import InputError, Problem, StoreError, suggest
from chattest.files.atomic import write_whole
from chattest.files.shipped import testset_folder
from chattest.records.plan import TestSet, format_answer, split_answers
from chattest.text.format import ALTERNATIVES

LARGEST = 20_000
"""Most characters of the texts of a test set that is written here."""
MOST_LINES = 100
"""Most lines of a field."""
LONGEST_NAME = 60
"""Most characters of the name of a test set that is written here."""
EMPTY = {"wrong": "{}", "claims": "[]", "presses": "[]"}
"""Keys of a file that may be left out -> their value then."""
_SAVING = Lock()


@dataclass(frozen=True, slots=True)
class Mistaken:
    """One thing that is wrong with a draft."""

    field: str
    """The field that it is about; empty if it is about the whole."""
    problem: Problem


@dataclass(frozen=True, slots=True)
class Draft:
    """What somebody has written so far. All fields are texts; those with several entries have one a line."""

    kind: str
    """One of `KINDS`, which is the folder."""
    name: str
    """The name of the test set and of its file."""
    fields: Mapping[str, str]
    """Field, one of `list_keys` -> what was written."""

    @property
    def path(self) -> Path:
        """The file, from the folder of the test sets."""
        return Path(self.kind, f"{self.name}.toml")

    def values(self) -> dict[str, Any]:
        """Return the keys and values of the file; a field that was left empty has no key."""
        given = {field: self.fields.get(field, "").strip() for field in list_keys(self.kind)}
        values: dict[str, Any] = {"about": given["about"]}
        for field in ("information", "told", "questions", "claims", "presses"):
            if given.get(field):
                values[field] = _split_blocks(given[field]) if field == "told" else _split_lines(given[field])
        if answers := [_parse_answer(line) for line in _split_lines(given.get("answer", ""))]:
            values |= {"answer": answers[0]} if len(answers) == 1 else {"answers": answers}
        if given["extract_with"]:
            values["extract_with"] = given["extract_with"]
        if given.get("wrong"):
            values["wrong"] = dict(map(_parse_wrong_answer, _split_lines(given["wrong"])))
        return {key: value for key, value in values.items() if value or value is False}

    def text(self) -> str:
        """Return the TOML of the file."""
        note = [f"# {line}" for line in _split_lines(self.fields.get("note", ""))]
        return "\n".join([*note, *(f"{key} = {_format_toml(value)}" for key, value in self.values().items())]) + "\n"


def list_keys(kind: str) -> tuple[str, ...]:
    """Return the fields that a test set of a kind has, in the order in which the form has them."""
    if kind == "co":
        return ("note", "about", "questions", "extract_with")
    if kind not in STORIES:
        return ("note", "about", "information", "questions", "answer", "extract_with")
    pressing = ("claims", "presses") if kind == "firm" else ()
    answer = () if kind == "untold" else ("answer",)
    return ("note", "about", "told", "questions", *answer, "extract_with", "wrong", *pressing)


def make_draft(testset: TestSet, note: str = "") -> Draft:
    """Return a draft with the content of a test set.

    Args:
        testset: The test set.
        note: The comment at the top of its file.
    """
    target = testset.target
    wrong = [f"{each.name} = {format_answer(each.answer)}" for each in target.wrong]
    fields = {
        "note": note,
        "about": testset.about,
        "information": "\n".join(testset.information),
        "told": "\n\n".join("\n".join(wordings) for wordings in testset.told),
        "questions": "\n".join(testset.questions),
        "answer": "\n".join(split_answers(format_answer(target.answer))),
        "extract_with": target.extract_with,
        "wrong": "\n".join(wrong),
        "claims": "\n".join(testset.claims),
        "presses": "\n".join(testset.presses),
    }
    return Draft(testset.kind, testset.name, {name: fields[name] for name in list_keys(testset.kind)})


def make_empty_draft(kind: str) -> Draft:
    """Return a draft with only the keys that a kind must name.

    Raises:
        InputError: There is no such kind.
    """
    if kind not in KINDS:
        raise InputError([Problem("kind", f'"{kind}" is not a kind of test set', suggest(kind, KINDS))])
    return Draft(kind, "", {"wrong": f"{NAMED[kind]} = "} if kind in NAMED else {})


def read_note(text: str) -> str:
    """Return the comment at the top of a TOML file, without its signs."""
    lines = []
    for line in text.splitlines():
        if not line.startswith("#"):
            break
        lines.append(line.lstrip("# "))
    return "\n".join(lines)


def find_mistakes(folder: Path, draft: Draft, with_shipped: bool = False) -> list[Mistaken]:
    """Return everything for which the file would be refused, in the reader's own words; empty for a good test set.

    Args:
        folder: The project's `testsets/`, which need not exist.
        draft: The test set.
        with_shipped: Whether saving copies the shipped test sets of the kind into the project. Otherwise the draft will
            be the only one of its kind.
    """
    if draft.kind not in KINDS:
        return [
            Mistaken("kind", Problem("kind", f'"{draft.kind}" is not a kind of test set', suggest(draft.kind, KINDS)))
        ]
    if what := _find_name_fault(draft.name):
        return [Mistaken("name", Problem("name", what, "Use words in lower case joined by hyphens: cat-name."))]
    if too_long := [field for field, text in draft.fields.items() if text.count("\n") > MOST_LINES]:
        return [Mistaken(too_long[0], Problem(too_long[0], f"has more than {MOST_LINES} lines", "Leave some out."))]
    if sum(map(len, draft.fields.values())) > LARGEST:
        return [Mistaken("", Problem("the test set", f"has more than {LARGEST:,} characters", "Shorten its texts."))]
    path, text, problems = folder / draft.path, draft.text(), list[Problem]()
    try:
        text.encode("utf-8")
    except UnicodeEncodeError:
        return [Mistaken("", Problem(str(path), "holds half a character, which no file can hold"))]
    # What is missing has no line, by which `_find_field` tells its field; an empty value is no value to the reader.
    missing = [f"{key} = {empty}\n" for key, empty in EMPTY.items() if key in list_keys(draft.kind)]
    text += "".join(line for line in missing if line.split()[0] not in draft.values())
    testset = parse_testset(path, draft.kind, text, problems)
    mistaken = [Mistaken(_find_field(problem, text), problem) for problem in problems]
    return [*mistaken, *_compare_with_others(folder, draft, None if mistaken else testset, with_shipped)]


def _compare_with_others(folder: Path, draft: Draft, testset: TestSet | None, with_shipped: bool) -> Iterator[Mistaken]:
    """Return the problems of a draft with other test sets: its name is taken, or too many have one answer."""
    kept = with_shipped or (folder / draft.kind).is_dir()
    for file in list_testset_files(folder):
        if file.stem == draft.name and (kept or file.parent.name != draft.kind):
            remedy = "Choose another name: a test set is named after its file."
            what = f"has the same name as {file}"
            yield Mistaken("name", Problem(str(folder / draft.path), what, remedy))
    if testset is not None:
        others = read_usable_testsets(folder)[0][draft.kind] if kept else []
        yield from (Mistaken("answer", problem) for problem in find_one_sided(draft.kind, [*others, testset]))


def save_draft(folder: Path, draft: Draft, with_shipped: bool = False) -> Path:
    """Write the file of a draft, never over another, and return its path.

    Args:
        folder: The project's `testsets/`.
        draft: The test set.
        with_shipped: As for `find_mistakes`.

    Raises:
        InputError: With every reason for which the file would be refused, or if the folder is a link to another place.
        StoreError: The file cannot be written.
    """
    with _SAVING:
        if elsewhere := find_link(folder, draft.kind):
            raise InputError([elsewhere])
        if problems := [mistake.problem for mistake in find_mistakes(folder, draft, with_shipped)]:
            raise InputError(problems)
        path, own = folder / draft.path, folder / draft.kind
        if with_shipped and not own.is_dir():
            _copy(testset_folder(folder, draft.kind), own)
        if path.exists():
            raise InputError([Problem(str(path), "is there already", "Choose another name.")])
        write_whole(path, draft.text().encode("utf-8"))
        return path


def find_link(folder: Path, kind: str) -> Problem | None:
    """Return the problem that a folder of test sets is a link: a new file would lie outside of the project."""
    for path in (folder, folder / kind):
        if path.is_symlink():
            what = f"is a link to {path.resolve()}: a new file would not be in this project"
            return Problem(str(path), what, "Put a folder in place of the link, with a copy of what it holds.")
    return None


def _copy(shipped: Path, own: Path) -> None:
    """Copy the shipped test sets of a kind as a whole: a part would look like all that the project has."""
    part = own.with_name(f".{own.name}.part")
    try:
        own.parent.mkdir(parents=True, exist_ok=True)
        copytree(shipped, part, dirs_exist_ok=True)
        part.replace(own)
    except OSError as error:
        raise StoreError(f"{own} cannot be made: {error.strerror or error}. Free space, or allow writing.") from error


def _find_name_fault(name: str) -> str:
    """Return why no test set can have this name; empty if one can."""
    if not name:
        return "the test set needs a name"
    if len(name) > LONGEST_NAME:
        return f"the name has more than {LONGEST_NAME} characters"
    return "" if NAME.match(name) else f'"{name}" is no name for a test set'


def _find_field(problem: Problem, text: str) -> str:
    """Return the field that the reader's problem is about, by its line or by the key at its beginning."""
    fields = (
        "about",
        "information",
        "told",
        "questions",
        "answers",
        "answer",
        "extract_with",
        "wrong",
        "claims",
        "presses",
    )
    line = problem.where.rpartition(":")[2]
    before = text.splitlines()[: int(line)] if line.isdigit() else [problem.what.replace(":", " =", 1)]
    keys = [key for row in before for key in fields if row.startswith((f"{key} =", f"{key}[", f"{key}."))]
    return (keys or [""])[-1].replace("answers", "answer")


def _split_lines(text: str) -> list[str]:
    return [line.strip() for line in text.splitlines() if line.strip()]


def _split_blocks(text: str) -> list[list[str]]:
    """Split a text into blocks of lines at blank lines."""
    blocks: list[list[str]] = [[]]
    for line in text.splitlines():
        if line.strip():
            blocks[-1].append(line.strip())
        elif blocks[-1]:
            blocks.append([])
    return [block for block in blocks if block]


def _parse_answer(text: str) -> str | bool:
    """Return true or false for a yes or no, else the text."""
    return {"yes": True, "no": False}.get(text.casefold(), text)


def _parse_wrong_answer(line: str) -> tuple[str, str | bool | list[str]]:
    """Split a line such as `stale = 8 am` into the name of a wrong answer and the answer."""
    name, _, answer = line.partition("=")
    texts = [text.strip() for text in answer.split(ALTERNATIVES)]
    return name.strip(), _parse_answer(texts[0]) if len(texts) == 1 else list(texts)


def _format_toml(value: Any, inside: bool = False) -> str:
    """Return a value as TOML, with a line for each entry of a list; lists within lists stay on one line."""
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, str):
        # A text of JSON is one of TOML, which also wants this one character escaped.
        return json.dumps(value, ensure_ascii=False).replace("\x7f", "\\u007f")
    if isinstance(value, Mapping):
        return (
            "{ " + ", ".join(f"{_format_key(key)} = {_format_toml(entry, True)}" for key, entry in value.items()) + " }"
        )
    entries: Sequence[str] = [_format_toml(entry, True) for entry in value]
    return f"[{', '.join(entries)}]" if inside else "".join(["[\n", *(f"    {entry},\n" for entry in entries), "]"])


def _format_key(name: str) -> str:
    """Return a key as TOML, in quotes if it is more than a word."""
    return name if re.fullmatch(r"[A-Za-z0-9_-]+", name) else _format_toml(name)
