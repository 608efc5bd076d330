"""Read CSV and TSV."""

import csv
import io
from collections import Counter
from functools import partial
from pathlib import Path

from chattest.datasets.own.table import CellCount, Row, Table, raise_first, read_table_text
from chattest.errors import InputError, Problem
from chattest.files.csv_cells import EXAMPLE_COLUMNS, original_cell
from chattest.files.reading import LONGEST_CELL

_SEPARATORS = ",;\t|"


def read_delimited(path: Path) -> Table:
    """Read a CSV or TSV file, whose first line names the columns.

    The separator is the one that the first line has most often.

    Raises:
        InputError: With every line that has more or fewer values than there are columns; or if quotes are not closed.
    """
    text = read_table_text(path)
    if not text.strip():
        raise InputError([Problem(str(path), "is empty", "The first line must name the columns.")])
    first = text.lstrip("\r\n").partition("\n")[0]
    separator = max(_SEPARATORS, key=first.count)
    csv.field_size_limit(LONGEST_CELL)  # an article may be longer than the default of 128 KiB
    reader = csv.reader(io.StringIO(text, newline=""), delimiter=separator, strict=True)
    count = CellCount(str(path))
    problems: list[Problem] = []
    rows: list[Row] = []
    columns: list[str] = []
    own = False
    start = 1
    try:
        for cells in reader:
            line, start = start, reader.line_num + 1
            count.add(len(cells))
            if not any(cell.strip() for cell in cells):
                continue
            if not columns:
                columns = _columns(cells, f"{path}:{line}")
                own = tuple(columns) == EXAMPLE_COLUMNS  # what chattest wrote; in other files a quote is a quote
            elif len(cells) != len(columns):
                what = f"has {len(cells)} values, and the first line names {len(columns)} columns"
                remedy = f'Put a value that holds "{separator}" in double quotes.'
                problems.append(Problem(f"{path}:{line}", what, remedy))
            else:
                values = dict(zip(columns, map(original_cell, cells) if own else cells, strict=True))
                rows.append(Row(values, partial(_where, f"{path}:{line}")))
    except csv.Error as error:
        remedy = 'Write a double quote inside a quoted value twice: "".'
        problems.append(Problem(f"{path}:{start}", f"is not CSV: {error}", remedy))
    raise_first(problems, str(path))
    return Table(f"{path}:1", rows)


def _columns(cells: list[str], where: str) -> list[str]:
    """Return the names of the columns.

    Raises:
        InputError: A column has no name, or the name of another.
    """
    names = [cell.strip() for cell in cells]
    problems = [
        Problem(where, f'two columns are called "{name}"' if name else "a column has no name", "Rename one of them.")
        for name, count in Counter(names).items()
        if count > 1 or not name
    ]
    if problems:
        raise InputError(problems)
    return names


def _where(place: str, column: str) -> str:
    return f'{place}, column "{column}"'
