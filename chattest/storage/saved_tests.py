"""Files of tests: JSON lines that people read and edit. The first line names the form, each other line is a test."""

import json
from collections.abc import Iterable
from pathlib import Path
from typing import Any

from pydantic import TypeAdapter, ValidationError

from chattest.errors import InputError, Problem, suggest
from chattest.files.atomic import write_whole
from chattest.files.reading import read_bytes
from chattest.files.schema_errors import list_json_problems
from chattest.records.saved_test import SavedTest
from chattest.records.version import VERSION

FILE = "tests.jsonl"
"""Name of the file in a run's folder."""
FORM = "chattest tests"
FORM_VERSION = 1
MOST_PROBLEMS = 10
"""Number of bad lines that are reported; the rest are only counted."""
_HEADER = f'Its first line must be like {{"form": "{FORM}", "version": {FORM_VERSION}}}.'

_FIELDS = [name for name in SavedTest.__dataclass_fields__ if not name.startswith("_")]
_TEST: TypeAdapter[SavedTest] = TypeAdapter(SavedTest)

Placed = dict[str, SavedTest]
"""The place of a test, such as `tests.jsonl:7`, for messages -> the test."""


def write_tests(path: Path, tests: Iterable[SavedTest]) -> None:
    """Write a file of tests, and its folder if it is missing.

    Raises:
        StoreError: it cannot be written.
    """
    header = {"form": FORM, "version": FORM_VERSION, "chattest": VERSION}
    lines = [_write_line(header), *(_write_line(test.values()) for test in tests)]
    write_whole(path, "".join(f"{line}\n" for line in lines).encode())


def _write_line(values: dict[str, Any]) -> str:
    """Return values as JSON in which readable characters stay as they are, and invisible ones are escaped."""
    text = json.dumps(values, ensure_ascii=False)
    return "".join(sign if sign.isprintable() else json.dumps(sign)[1:-1] for sign in text)


def read_tests(path: Path) -> Placed:
    """Read the tests of a file, by place, in order. Blank lines are skipped.

    Raises:
        InputError: the file cannot be read, has no tests, or has lines that are no tests (all are named).
    """
    lines = read_bytes(path, remedy="Write one: python main.py generate --out tests.jsonl").split(b"\n")
    _check_header(path, lines[0])
    tests: Placed = {}
    problems: list[Problem] = []
    for number, line in enumerate(lines[1:], start=2):
        place = f"{path}:{number}"
        try:
            if line.strip():
                tests[place] = _TEST.validate_json(line, strict=True)
        except ValidationError as error:
            for wrong in list_json_problems(error, line):
                remedy = suggest(str(wrong.place[-1]), _FIELDS) if wrong.unknown else ""
                problems.append(Problem(place, str(wrong), remedy))
    if not tests and not problems:
        problems.append(Problem(str(path), "holds no tests"))
    if problems:
        raise InputError(shorten_problems(problems, str(path)))
    return tests


def shorten_problems(problems: list[Problem], where: str) -> list[Problem]:
    """Return the first problems, and how many more there are."""
    more = len(problems) - MOST_PROBLEMS
    return problems if more <= 0 else [*problems[:MOST_PROBLEMS], Problem(where, f"{more} more problems in it")]


def find_contradictions(tests: Placed) -> list[Problem]:
    """Return what is wrong with tests that are well formed: repeated ids, and fields that clash."""
    problems: list[Problem] = []
    places: dict[str, str] = {}
    for place, test in tests.items():
        if test.id and places.setdefault(test.id, place) != place:
            problems.append(Problem(place, f'the id "{test.id}" is taken ({places[test.id]})'))
        if test.skipped and test.altered is not None:
            problems.append(Problem(place, "is skipped and has an altered question", "Leave out one of the two."))
        if test.altered is None and (test.altered_context is not None or test.altered_options is not None):
            problems.append(Problem(place, "has an altered context or options, and no altered question"))
    return problems


def _check_header(path: Path, line: bytes) -> None:
    try:
        header = json.loads(line)
    except (ValueError, RecursionError):
        header = None
    if not isinstance(header, dict) or header.get("form") != FORM:
        raise InputError([Problem(f"{path}:1", "is not the beginning of a file of tests", _HEADER)])
    if header.get("version") != FORM_VERSION:
        what = f"the tests have form {header.get('version')!r}; this version of chattest reads form {FORM_VERSION}"
        raise InputError([Problem(f"{path}:1", what, "Generate them again.")])
