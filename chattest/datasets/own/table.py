"""A table of the user's, whatever it was read from: columns, rows, and where each value stands."""

import gzip
import zlib
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from chattest.errors import InputError, Problem

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
    """Raises `InputError` with the first problems of a file, if there are any. where: the file."""
    if problems:
        left = len(problems) - MOST_PROBLEMS
        more = [Problem(where, f"{left} more values are wrong")] if left > 0 else []
        raise InputError([*problems[:MOST_PROBLEMS], *more])


def read_text(path: Path) -> str:
    """The text of a file, unpacked if its name ends with `.gz`. Raises `InputError` if it cannot be read."""
    try:
        data = path.read_bytes()
        return (gzip.decompress(data) if path.suffix == ".gz" else data).decode("utf-8-sig")
    except UnicodeDecodeError as error:
        line = error.object.count(b"\n", 0, error.start) + 1
        remedy = "Save the file as UTF-8; a spreadsheet offers it when it saves as CSV."
        raise InputError([Problem(f"{path}:{line}", "is not UTF-8", remedy)]) from error
    except (OSError, EOFError, zlib.error) as error:
        why = getattr(error, "strerror", None) or error
        remedy = "Paths of files with questions are relative to the folder of config.py."
        raise InputError([Problem(str(path), f"cannot be read: {why}", remedy)]) from error
