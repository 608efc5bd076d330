"""Reads XLSX."""

import zipfile
from collections import Counter
from collections.abc import Mapping
from functools import partial
from pathlib import Path
from typing import Any

from chattest.datasets.own.table import Row, Table
from chattest.errors import InputError, Problem, nearest


def read_workbook(path: Path, sheet: str | None) -> Table:
    """The table of a sheet, whose first row that is not empty names the columns. sheet: its name; `None`: the first.

    Formulas count as the values that were saved with them. Raises `InputError` if the file is no workbook, has no such
    sheet, or names a column twice.
    """
    from openpyxl import load_workbook
    from openpyxl.utils import get_column_letter
    from openpyxl.utils.exceptions import InvalidFileException

    try:
        book = load_workbook(path, read_only=True, data_only=True)
    except (OSError, InvalidFileException, zipfile.BadZipFile, KeyError, ValueError) as error:
        why = getattr(error, "strerror", None) or "it is no workbook"
        remedy = "Give an .xlsx file; an .xls file must be saved as .xlsx first."
        raise InputError([Problem(str(path), f"cannot be read: {why}", remedy)]) from error
    try:
        if sheet is not None and sheet not in book.sheetnames:
            raise InputError([Problem(str(path), f'has no sheet "{sheet}"', nearest(sheet, book.sheetnames))])
        chosen = book[sheet or book.sheetnames[0]]
        columns: dict[int, str] = {}
        rows: list[Row] = []
        place = f'{path}, sheet "{chosen.title}"'
        header = place
        for number, cells in enumerate(chosen.iter_rows(values_only=True), start=1):
            if all(cell is None or not str(cell).strip() for cell in cells):
                continue
            if not columns:
                header = f"{place}, row {number}"
                columns = _columns(cells, header)
                continue
            letters = {name: get_column_letter(index + 1) for index, name in columns.items()}
            values = {name: cells[index] if index < len(cells) else None for index, name in columns.items()}
            rows.append(Row(values, partial(_where, place, number, letters)))
    finally:
        book.close()
    return Table(header, rows)


def _where(place: str, number: int, letters: Mapping[str, str], column: str) -> str:
    return f"{place}, cell {letters[column]}{number}" if column in letters else f"{place}, row {number}"


def _columns(cells: tuple[Any, ...], where: str) -> dict[int, str]:
    """Index -> name of every column that has a name. Raises `InputError` where a name stands twice."""
    names = {index: str(cell).strip() for index, cell in enumerate(cells) if cell is not None and str(cell).strip()}
    twice = [name for name, count in Counter(names.values()).items() if count > 1]
    if twice:
        raise InputError([Problem(where, f'two columns are called "{name}"', "Rename one of them.") for name in twice])
    return names
