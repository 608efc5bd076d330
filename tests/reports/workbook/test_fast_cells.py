"""Cells that are written as XML are those that XlsxWriter's own methods write."""

import zipfile
from collections.abc import Callable
from io import BytesIO
from typing import Any

import pytest
import xlsxwriter
from xlsxwriter.worksheet import Worksheet

from chattest.reports.content.text import Change
from chattest.reports.workbook.book import Book, Table
from chattest.reports.workbook.cells import Cell, Column, Link, Marked
from chattest.reports.workbook.fast_cells import (
    FastSheet,
    format_empty_cell,
    format_number_cell,
    format_rich_cell,
    format_text_cell,
)

TEXTS = [
    "plain",
    "",
    " spaces around ",
    "two\nlines",
    "\ttab",
    "<b> & \"quotes\" 'too' ]]>",
    "_x0041_",
    "_x",
    "é ü 😀",
    "0",
]
NUMBERS = [0, -1, 1, 10**9, 0.1, -0.5, 1 / 3, 1e-7, 1e300, 123456789.123456789]


def sheet_of(worksheet: type[Worksheet], write: Callable[[Any, Any, Any], None]) -> str:
    """The XML of a sheet with two rows that XlsxWriter wrote itself, and what `write` wrote into the row between."""
    content = BytesIO()
    workbook = xlsxwriter.Workbook(content, {"constant_memory": True})
    plain, bold = workbook.add_format({"font_color": "#1F2937"}), workbook.add_format({"bold": True})
    sheet = workbook.add_worksheet("Sheet", worksheet)
    sheet.write_string(0, 0, "head", plain)
    write(sheet, plain, bold)
    sheet.set_row(1, 30)
    sheet.write_string(2, 0, "foot", bold)
    workbook.close()
    return zipfile.ZipFile(content).read("xl/worksheets/sheet1.xml").decode()


@pytest.mark.parametrize("text", TEXTS)
def test_texts(text: str) -> None:
    def theirs(sheet: Worksheet, plain: Any, bold: Any) -> None:
        sheet.write_string(1, 2, text, plain) if text else sheet.write_blank(1, 2, None, plain)

    def ours(sheet: FastSheet, plain: Any, bold: Any) -> None:
        sheet.write_cells(1, 2, 2, format_text_cell("C2", plain._get_xf_index(), text))

    assert sheet_of(FastSheet, ours) == sheet_of(Worksheet, theirs)


@pytest.mark.parametrize("number", NUMBERS)
def test_numbers(number: float) -> None:
    def ours(sheet: FastSheet, plain: Any, bold: Any) -> None:
        sheet.write_cells(1, 1, 1, format_number_cell("B2", plain._get_xf_index(), number) or "")

    assert sheet_of(FastSheet, ours) == sheet_of(
        Worksheet, lambda sheet, plain, _: sheet.write_number(1, 1, number, plain)
    )


@pytest.mark.parametrize("number", [float("nan"), float("inf"), -float("inf")])
def test_a_number_that_is_not_finite_is_left_to_xlsxwriter(number: float) -> None:
    assert format_number_cell("B2", 1, number) is None


@pytest.mark.parametrize("text", [text for text in TEXTS if text and "_x0041_" not in text])
@pytest.mark.parametrize("marked_first", [True, False])
def test_texts_in_several_fonts(text: str, marked_first: bool) -> None:
    def theirs(sheet: Worksheet, plain: Any, bold: Any) -> None:
        pieces = [bold, text, " between ", bold, text, " end"] if marked_first else [text, bold, text, " end"]
        sheet.write_rich_string(1, 1, *pieces, plain)

    def ours(sheet: FastSheet, plain: Any, bold: Any) -> None:
        mark, default = sheet.font(bold), sheet.font(None)
        marked = [(mark, text), (default, " between "), (mark, text), (default, " end")]
        unmarked = [("", text), (mark, text), (default, " end")]
        sheet.write_cells(1, 1, 1, format_rich_cell("B2", plain._get_xf_index(), marked if marked_first else unmarked))

    assert sheet_of(FastSheet, ours) == sheet_of(Worksheet, theirs)


def test_several_cells_at_once_stand_beside_those_that_xlsxwriter_wrote() -> None:
    def theirs(sheet: Worksheet, plain: Any, bold: Any) -> None:
        sheet.write_blank(1, 0, None, plain)
        sheet.write_string(1, 1, "one", bold)
        sheet.write_boolean(1, 2, True, plain)
        sheet.write_number(1, 4, 2, plain)

    def ours(sheet: FastSheet, plain: Any, bold: Any) -> None:
        first, second = plain._get_xf_index(), bold._get_xf_index()
        sheet.write_cells(1, 0, 1, format_empty_cell("A2", first) + format_text_cell("B2", second, "one"))
        sheet.write_boolean(1, 2, True, plain)
        sheet.write_cells(1, 4, 4, format_number_cell("E2", first, 2) or "")

    assert sheet_of(FastSheet, ours) == sheet_of(Worksheet, theirs)


def test_a_row_of_a_table_may_mix_all_kinds_of_cells() -> None:
    pieces = ((Change.SAME, "my "), (Change.REMOVED, "cat"), (Change.ADDED, "kat"))

    class Words(str):
        """A text of a class of its own."""

    cells: list[Cell] = ["=1+1", Link("there", "Sheet"), None, 3, True, float("nan"), 0.5, Marked(pieces), Words("=2")]
    content = BytesIO()
    book = Book(content)
    table = Table(book, book.sheet("Sheet"), [Column(str(number), "wrap") for number in range(len(cells))])
    table.add(cells)
    table.add(cells[::-1], total=True)
    table.finish()
    book.close()
    openpyxl = pytest.importorskip("openpyxl")
    rows = list(openpyxl.load_workbook(content, rich_text=True)["Sheet"].iter_rows(min_row=2))
    for row in (rows[0], rows[1][::-1]):
        assert [cell.value for cell in row[:7]] == ["=1+1", "there", None, 3, True, "=#NUM!", 0.5]
        assert [cell.data_type for cell in row] == ["s", "s", "n", "n", "b", "f", "n", "s", "s"]
        assert row[1].hyperlink.location == "'Sheet'!A1"
        assert [str(part) for part in row[7].value] == ["my ", "kat"]
        assert row[7].value[1].font.b
        assert row[8].value == "=2"
