"""Planned single questions as a table that can be looked at, edited, saved, loaded and run."""

import json
from collections.abc import Iterator, Sequence
from dataclasses import fields
from pathlib import Path
from typing import TYPE_CHECKING, Any

from pydantic import TypeAdapter, ValidationError

from chattest.errors import InputError, Problem, suggest
from chattest.files.home import home
from chattest.files.schema_errors import list_problems
from chattest.records.saved_test import SavedTest
from chattest.storage.saved_tests import Placed, find_contradictions, read_tests, shorten_problems, write_tests
from chattest.text.format import many

if TYPE_CHECKING:
    from pandas import DataFrame

COLUMNS = tuple(field.name for field in fields(SavedTest))
_TEST: TypeAdapter[SavedTest] = TypeAdapter(SavedTest)


class Tests(Sequence[SavedTest]):
    """Planned tests, in order. A notebook shows them as a table."""

    __test__ = False  # pytest would collect a class of this name

    def __init__(self, tests: Placed) -> None:
        """Keep tests by place.

        Args:
            tests: by place, which error messages name.

        Raises:
            InputError: the tests contradict each other.
        """
        problems = find_contradictions(tests)
        if problems:
            raise InputError(shorten_problems(problems, "tests"))
        self.placed = tests
        self._tests = tuple(tests.values())

    @classmethod
    def of(cls, tests: Sequence[SavedTest]) -> "Tests":
        """Make tests of a list."""
        return cls({f"test {number}": test for number, test in enumerate(tests, start=1)})

    @classmethod
    def from_pandas(cls, frame: "DataFrame") -> "Tests":
        """Read the tests of a table with the columns of `to_pandas`; columns without values may be missing.

        Raises:
            InputError: names every row that is no test.
        """
        tests: Placed = {}
        problems: list[Problem] = []
        for label, values in zip(frame.index, frame.to_dict("records"), strict=True):
            given = {str(name): value for name, value in values.items() if not _is_missing(value)}
            try:
                text = json.dumps(given, default=lambda value: value.item())  # numpy's numbers
                tests[f"row {label}"] = _TEST.validate_json(text, strict=True)
            except ValidationError as error:
                for wrong in list_problems(error, given):
                    remedy = suggest(str(wrong.place[-1]), COLUMNS) if wrong.unknown else ""
                    problems.append(Problem(f"row {label}", str(wrong), remedy))
            except (AttributeError, TypeError, ValueError) as error:
                problems.append(Problem(f"row {label}", f"holds something that is no plain value: {error}"))
        if problems:
            raise InputError(shorten_problems(problems, "tests"))
        return cls(tests)

    def to_pandas(self) -> "DataFrame":
        """Return a data frame with one row per test; the columns are the fields of `SavedTest`."""
        from pandas import DataFrame

        rows = [[_make_cell(getattr(test, name)) for name in COLUMNS] for test in self._tests]
        return DataFrame(rows, columns=list(COLUMNS))

    def save(self, path: str | Path) -> Path:
        """Write a file of tests, which `load_tests` and `chattest check --from` read.

        Raises:
            StoreError: the file cannot be written.
        """
        write_tests(home() / path, self._tests)
        return Path(path)

    def __len__(self) -> int:
        return len(self._tests)

    def __getitem__(self, place: Any) -> Any:
        return self._tests[place]

    def __iter__(self) -> Iterator[SavedTest]:
        return iter(self._tests)

    def __repr__(self) -> str:
        return f"{many(sum(not test.skipped for test in self), 'test')} of {many(len(self.checks), 'check')}"

    def _repr_html_(self) -> str:
        """Return the table that notebooks display."""
        return str(self.to_pandas().dropna(axis="columns", how="all").to_html(na_rep=""))

    @property
    def checks(self) -> list[str]:
        """Codes of the checks that the tests belong to, in order."""
        return list(dict.fromkeys(test.check for test in self._tests))


def load_tests(path: str | Path) -> Tests:
    """Load the tests of a file that `Tests.save` or `chattest generate` wrote.

    Raises:
        InputError: names the file and line of everything that is wrong.
    """
    return Tests(read_tests(home() / path))


def to_tests(tests: "Tests | DataFrame | str | Path") -> Tests:
    """Return the tests of an argument: tests, a table of tests, or the path of a file.

    Raises:
        InputError: the argument is none of these, or wrong.
    """
    if isinstance(tests, Tests):
        return tests
    if isinstance(tests, str | Path):
        return load_tests(tests)
    if hasattr(tests, "to_dict"):
        return Tests.from_pandas(tests)
    what = f"is {type(tests).__name__}"
    raise InputError([Problem("tests", what, "Give chattest.Tests, a pandas DataFrame of them, or a file's path.")])


def _is_missing(value: Any) -> bool:
    return value is None or value != value or (isinstance(value, str) and not value)


def _make_cell(value: Any) -> Any:
    return list(value) if isinstance(value, tuple) else value
