"""Reads XLSX."""

import warnings
import zipfile
from collections import Counter
from collections.abc import Iterator, Mapping
from functools import partial
from pathlib import Path
from typing import Any, BinaryIO

from chattest.datasets.own.table import CellCount, Row, Table
from chattest.errors import InputError, Problem, suggest
from chattest.files.reading import check_archive, check_regular, check_xml, guard_library_call, guard_library_items

_KIND = "a workbook"
_REMEDY = "Give an .xlsx file; an .xls file must be saved as .xlsx first. A damaged one: open it and save it again."
MOST_ROWS = 1_048_576
"""Rows of a sheet, as in spreadsheet programs. A damaged row number would otherwise mean a billion empty rows."""


def read_workbook(path: Path, sheet: str | None) -> Table:
    """Read the table of a sheet, whose first row that is not empty names the columns.

    Formulas count as the values that were saved with them.

    Args:
        path: The workbook.
        sheet: The name of the sheet; `None`: the first.

    Raises:
        InputError: The file is no workbook, is damaged, unpacks to too much, has no such sheet, or names a column
            twice.
    """
    from openpyxl.utils import get_column_letter

    columns: dict[int, str] = {}
    rows: list[Row] = []
    check_regular(path, "Paths of files with questions are relative to the folder of config.py.")
    # openpyxl leaves a file that it cannot read open, so it is opened, and closed, here.
    with path.open("rb") as file, warnings.catch_warnings():
        warnings.simplefilter("ignore")  # openpyxl warns of what it leaves out, such as pictures and styles
        place, cells_of_rows = _open_sheet(path, file, sheet)
        header = place
        for number, cells in cells_of_rows:
            if all(cell is None or not str(cell).strip() for cell in cells):
                continue
            if not columns:
                header = f"{place}, row {number}"
                columns = _read_columns(cells, header)
                continue
            letters = {name: get_column_letter(index + 1) for index, name in columns.items()}
            values = {name: cells[index] if index < len(cells) else None for index, name in columns.items()}
            rows.append(Row(values, partial(_describe_place, place, number, letters)))
    return Table(header, rows)


def _open_sheet(path: Path, file: BinaryIO, sheet: str | None) -> tuple[str, Iterator[tuple[int, tuple[Any, ...]]]]:
    """Open a sheet: its place for messages, and its rows by number."""
    from openpyxl import load_workbook

    with guard_library_call(str(path), _KIND, _REMEDY):
        with zipfile.ZipFile(path) as archive:
            check_archive(path, archive)
            check_xml(path, archive)
        book = load_workbook(file, read_only=True, data_only=True, keep_links=False)
        names = [chosen.title for chosen in book.worksheets]  # without chart sheets, which have no rows
    if sheet is not None and sheet not in names:
        book.close()
        raise InputError([Problem(str(path), f'has no sheet "{sheet}"', suggest(sheet, names))])
    if not names:
        book.close()
        raise InputError([Problem(str(path), "has no sheet with rows", _REMEDY)])
    with guard_library_call(str(path), _KIND, _REMEDY):
        chosen = book[sheet or names[0]]
        chosen.reset_dimensions()  # the size that the file gives may be wrong
    place = f'{path}, sheet "{chosen.title}"'
    return place, _number_rows(place, book, chosen)


def _number_rows(place: str, book: Any, sheet: Any) -> Iterator[tuple[int, tuple[Any, ...]]]:
    """Yield the cells of every row, with its number.

    Raises:
        InputError: The sheet is damaged or too large.
    """
    count = CellCount(place)
    rows = guard_library_items(
        sheet.iter_rows(values_only=True), lambda number: f"{place}, row {number}", _KIND, _REMEDY
    )
    try:
        for number, cells in enumerate(rows, start=1):
            count.add(len(cells))
            if number > MOST_ROWS:
                raise InputError([Problem(place, f"has more than {MOST_ROWS:,} rows", _REMEDY)])
            yield number, cells
    finally:
        book.close()


def _describe_place(place: str, number: int, letters: Mapping[str, str], column: str) -> str:
    return f"{place}, cell {letters[column]}{number}" if column in letters else f"{place}, row {number}"


def _read_columns(cells: tuple[Any, ...], where: str) -> dict[int, str]:
    """Return the name of every column that has a name, by index.

    Raises:
        InputError: Two columns have one name.
    """
    names = {index: str(cell).strip() for index, cell in enumerate(cells) if cell is not None and str(cell).strip()}
    twice = [name for name, count in Counter(names.values()).items() if count > 1]
    if twice:
        raise InputError([Problem(where, f'two columns are called "{name}"', "Rename one of them.") for name in twice])
    return names
