"""Read tables from text: CSV, TSV, JSON lines, and JSON.

JSON is a list of objects, the same under `data`, or SQuAD's articles with their paragraphs.
"""

import csv
import io
import json
from collections import Counter
from collections.abc import Iterator, Mapping
from functools import partial
from pathlib import Path
from typing import Any

from chattest.datasets.own.table import CellCount, Row, Table, raise_first, read_table_text
from chattest.errors import InputError, Problem
from chattest.files.csv_cells import EXAMPLE_COLUMNS, unescape_cell
from chattest.files.json_position import find_json_line
from chattest.files.reading import LONGEST_CELL

_LINE = 'A line is an object such as {"question": "Where is Oslo?", "answers": ["Norway", "in Norway"]}.'
_WHOLE = 'The file must hold a list of objects, the same under "data", or SQuAD\'s articles.'
_Path = tuple[str | int, ...]
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
                columns = _read_columns(cells, f"{path}:{line}")
                own = tuple(columns) == EXAMPLE_COLUMNS  # what chattest wrote; in other files a quote is a quote
            elif len(cells) != len(columns):
                what = f"has {len(cells)} values, and the first line names {len(columns)} columns"
                remedy = f'Put a value that holds "{separator}" in double quotes.'
                problems.append(Problem(f"{path}:{line}", what, remedy))
            else:
                values = dict(zip(columns, map(unescape_cell, cells) if own else cells, strict=True))
                rows.append(Row(values, partial(_describe_cell, f"{path}:{line}")))
    except csv.Error as error:
        remedy = 'Write a double quote inside a quoted value twice: "".'
        problems.append(Problem(f"{path}:{start}", f"is not CSV: {error}", remedy))
    raise_first(problems, str(path))
    return Table(f"{path}:1", rows)


def _read_columns(cells: list[str], where: str) -> list[str]:
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


def _describe_cell(place: str, column: str) -> str:
    return f'{place}, column "{column}"'


def read_json_lines(path: Path) -> Table:
    """Read a file with one JSON object a line.

    Raises:
        InputError: With every line that is no object.
    """
    count = CellCount(str(path))
    rows: list[Row] = []
    problems: list[Problem] = []
    for number, line in enumerate(read_table_text(path).split("\n"), start=1):
        if not line.strip():
            continue
        try:
            if len(line) > LONGEST_CELL:
                raise ValueError(f"it has more than {LONGEST_CELL:,} characters")
            values = json.loads(line)
            if not isinstance(values, dict):
                raise ValueError("it is no object")
        except (ValueError, RecursionError, MemoryError) as error:
            problems.append(Problem(f"{path}:{number}", f"is not a JSON object: {error}", _LINE))
            continue
        count.add(len(values))
        rows.append(Row(values, partial(_describe_line, path, number)))
    raise_first(problems, str(path))
    return Table(str(path), rows)


def read_json(path: Path) -> Table:
    """Read a JSON file.

    Raises:
        InputError: The file has no objects to read, or one of its parts is no object.
    """
    text = read_table_text(path)
    try:
        content = json.loads(text)
    except json.JSONDecodeError as error:
        remedy = "A file with one object a line must be called .jsonl."
        raise InputError([Problem(f"{path}:{error.lineno}", f"is not JSON: {error.msg}", remedy)]) from error
    except (ValueError, RecursionError, MemoryError) as error:
        raise InputError([Problem(str(path), f"is not JSON: {error or 'more than the memory holds'}")]) from error
    at: _Path = ("data",) if isinstance(content, Mapping) and "data" in content else ()
    records = content["data"] if at else content
    if not isinstance(records, list):
        raise InputError([Problem(str(path), "holds no list of questions", _WHOLE)])
    rows: list[Row] = []
    problems: list[Problem] = []
    for place, values in _read_records(records, at):
        if isinstance(values, dict):
            rows.append(Row(values, partial(_describe_object, path, text, place)))
        else:
            problems.append(Problem(f"{path}:{find_json_line(text, place)}", "is no object", _WHOLE))
    raise_first(problems, str(path))
    return Table(str(path), rows)


def _describe_line(path: Path, number: int, column: str) -> str:
    return f'{path}:{number}, key "{column}"'


def _describe_object(path: Path, text: str, place: _Path, column: str) -> str:
    return f'{path}:{find_json_line(text, (*place, column))}, key "{column}"'


def _read_records(records: list[Any], at: _Path) -> Iterator[tuple[_Path, Any]]:
    """Return place and values of every question; a question of SQuAD gets its paragraph as context."""
    for index, record in enumerate(records):
        place = (*at, index)
        paragraphs = record.get("paragraphs") if isinstance(record, Mapping) else None
        if not isinstance(paragraphs, list):
            yield place, record
            continue
        for number, paragraph in enumerate(paragraphs):
            asked = paragraph.get("qas") if isinstance(paragraph, Mapping) else None
            if not isinstance(asked, list):
                yield (*place, "paragraphs", number), None
                continue
            for position, question in enumerate(asked):
                inner = (*place, "paragraphs", number, "qas", position)
                has_context = isinstance(question, Mapping)
                yield inner, {**question, "context": paragraph.get("context")} if has_context else None
