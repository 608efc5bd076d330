"""A table of the user, whatever it was read from: rows, and where each value is in the file."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from chattest.errors import InputError, Problem
from chattest.files.reading import MOST_CELLS, read_text

REMEDY = "Paths of files with questions are relative to the folder of config.py."
"""What to do where a file of questions cannot be opened."""
MOST_PROBLEMS = 10
"""Number of problems that are reported for each file; the rest are only counted."""


@dataclass(frozen=True, slots=True)
class Row:
    """One row."""

    values: Mapping[str, Any]
    """Column -> value; `None` or an empty text where there is none."""
    where: Callable[[str], str]
    """The place of a column's value, for messages. Worked out on demand, because that may take long."""
    split: str = ""
    """The split that the row was read from; empty where the table has none."""


@dataclass(frozen=True, slots=True)
class Table:
    """All rows of a file."""

    where: str
    """The file, for messages; with the line of the columns' names where they have one."""
    rows: Sequence[Row]


def raise_first(problems: Sequence[Problem], where: str) -> None:
    """Raise `InputError` with the first problems of a file, if there are any.

    Args:
        problems: All problems.
        where: The file.
    """
    if problems:
        left = len(problems) - MOST_PROBLEMS
        more = [Problem(where, f"{left} more values are wrong")] if left > 0 else []
        raise InputError([*problems[:MOST_PROBLEMS], *more])


class CellCount:
    """Counts the cells of a table, and refuses one that would fill the memory."""

    def __init__(self, where: str) -> None:
        self._where = where
        self._cells = 0

    def add(self, cells: int) -> None:
        """Count a row.

        Raises:
            InputError: There are more cells than a table may have.
        """
        self._cells += cells + 1  # an empty row takes memory, too
        if self._cells > MOST_CELLS:
            what = f"has more than {MOST_CELLS:,} cells, the most that are read of a table"
            raise InputError([Problem(self._where, what, "Split it, or leave out columns and rows.")])


def read_table_text(path: Path) -> str:
    """Read the text of a file of questions, unpacked if its name ends with `.gz`.

    Raises:
        InputError: The file cannot be read.
    """
    return read_text(path, remedy=REMEDY)
