"""Build workbooks row by row: styles, sheets and tables for all .xlsx files of chattest.

With `constant_memory`, XlsxWriter keeps only one row of a sheet in memory.
"""

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from datetime import datetime
from io import BytesIO
from pathlib import Path
from typing import Any

import xlsxwriter
from xlsxwriter.exceptions import XlsxWriterException
from xlsxwriter.format import Format
from xlsxwriter.utility import xl_col_to_name

from chattest.errors import StoreError
from chattest.files.atomic import whole_file
from chattest.records.result import Verdict
from chattest.reports.content.marks import select_side
from chattest.reports.content.text import Change, shorten, visible
from chattest.reports.workbook.cells import Cell, Column, Link, Marked, cut
from chattest.reports.workbook.fast_cells import (
    FastSheet,
    format_empty_cell,
    format_number_cell,
    format_rich_cell,
    format_text_cell,
)

SHEET_ROWS = 1_048_576
"""Largest number of rows in a sheet, set by the file format."""
VIEW_ROWS = 100_000
"""Largest number of rows in a sheet that shows rows of the sheet Results in another way."""

# The same date for all workbooks, so that the same report gives the same bytes.
_CREATED = datetime(2000, 1, 1)

_INK, _FAINT, _LINE, _HEAD, _STRIPE = "#1F2937", "#6B7280", "#D9DEE7", "#1F3A5F", "#EEF2F8"
GREEN, AMBER, RED, BLUE = "#7CC08A", "#F6D77A", "#E8807A", "#2F6DB5"

_LEFT = {"align": "left", "indent": 1}
_BODY = {"font_color": _INK, "valign": "top", "bottom": 1, "bottom_color": _LINE}
_MARKS = {
    "ADDED": {"bold": True, "font_color": "#B42318"},
    "REMOVED": {"font_strikeout": True, "font_color": "#B42318"},
}
_STYLES: dict[str, dict[str, Any]] = {
    "title": {"bold": True, "font_size": 16, "font_color": _HEAD},
    "lead": {"font_color": _INK},
    "note": {"font_color": _FAINT, "italic": True},
    "section": {"bold": True, "font_size": 12, "font_color": _HEAD},
    "head": _LEFT | {"bold": True, "font_color": "#FFFFFF", "bg_color": _HEAD, "text_wrap": True, "valign": "vcenter"},
    "text": _BODY | _LEFT,
    "wrap": _BODY | _LEFT | {"text_wrap": True},
    "mark": _BODY | _LEFT | {"text_wrap": True, "font_color": _FAINT},
    "count": _BODY | {"num_format": "#,##0"},
    "number": _BODY | {"num_format": "0.00", "align": "right"},
    "precise": _BODY | {"num_format": "0.0000", "align": "right"},
    "rate": _BODY | {"num_format": "0.0%", "align": "right"},
    "link": _BODY | {"align": "left", "indent": 1, "font_color": BLUE, "underline": 1},
    "PASS": _BODY | {"align": "left", "indent": 1, "font_color": "#1E6B34", "bg_color": "#E2F2E6"},
    "FAIL": _BODY | {"align": "left", "indent": 1, "font_color": "#9B1C1C", "bg_color": "#FBE3E1"},
    "NOT_APPLICABLE": _BODY | {"align": "left", "indent": 1, "font_color": _FAINT},
    "ERROR": _BODY | {"align": "left", "indent": 1, "font_color": "#7A4B00", "bg_color": "#FDEFD0"},
    "empty": {"bottom": 1, "bottom_color": _LINE},
    **_MARKS,
}
_STYLES |= {f"all {name}": _STYLES["wrap"] | mark for name, mark in _MARKS.items()}
_TOTAL = {"bold": True, "bg_color": _STRIPE, "top": 1, "top_color": _HEAD}


class Book:
    """A workbook and its styles."""

    def __init__(self, content: BytesIO) -> None:
        """Start a workbook; `content` receives the finished file."""
        options = {"constant_memory": True, "nan_inf_to_errors": True}
        self._workbook = xlsxwriter.Workbook(content, options)
        self._workbook.set_properties({"title": "chattest report", "created": _CREATED})
        self._workbook.set_size(2400, 1500)
        self._formats = {name: self._workbook.add_format(style) for name, style in _STYLES.items()}
        self._totals = {name: self._workbook.add_format(style | _TOTAL) for name, style in _STYLES.items()}
        self._numbers: dict[tuple[str, bool], int] = {}
        self._fonts: dict[str, str] = {}
        self.names: list[str] = []

    def format(self, style: str, total: bool = False) -> Format:
        """Return the workbook's format of a style, or of its variant for a row of totals."""
        return (self._totals if total else self._formats)[style]

    def sheet(self, name: str, colour: str = "") -> FastSheet:
        """Add a sheet after the existing ones."""
        sheet: FastSheet = self._workbook.add_worksheet(name, FastSheet)
        self.names.append(name)
        sheet.hide_gridlines(2)
        sheet.set_landscape()
        sheet.set_paper(9)  # A4
        sheet.fit_to_pages(1, 0)
        if colour:
            sheet.set_tab_color(colour)
        return sheet

    def chart(self, kind: str) -> Any:
        """Create a chart of the kind `line` or `column`, to insert into a sheet."""
        return self._workbook.add_chart({"type": kind})

    def close(self) -> None:
        """Write the file."""
        self._workbook.close()

    def put(self, sheet: FastSheet, row: int, col: int, cell: Cell, style: str, total: bool = False) -> None:
        """Write a cell. The rows of a sheet must be written from top to bottom."""
        xml = self.xml(sheet, f"{xl_col_to_name(col)}{row + 1}", cell, style, total)
        if xml is not None:
            sheet.write_cells(row, col, col, xml)
        elif isinstance(cell, Link):
            target = f"internal:'{cell.sheet}'!{cell.cell}"
            sheet.write_url(row, col, target, self.format("link", total), shorten(cell.text, 200))
        elif isinstance(cell, bool):
            sheet.write_boolean(row, col, cell, self.format(style, total))
        else:
            sheet.write_number(row, col, cell, self.format(style, total))

    def xml(self, sheet: FastSheet, where: str, cell: Cell, style: str, total: bool = False) -> str | None:
        """Return a cell as XML, for `FastSheet.write_cells`; `None` if only `put` can write it, such as a link.

        Args:
            sheet: The sheet.
            where: The name of the cell, such as `B7`.
            cell: Its content.
            style: Its style.
            total: Whether it is in a row of totals.
        """
        kind = type(cell)
        if kind is str:
            return format_text_cell(where, self._format_number(style, total), cut(visible(cell)))  # type: ignore[arg-type]
        if kind is Marked:
            return self._marked(sheet, where, cell, style, total)  # type: ignore[arg-type]
        if kind is int or kind is float:
            return format_number_cell(where, self._format_number(style, total), cell)  # type: ignore[arg-type]
        if kind is Verdict:
            return format_text_cell(where, self._format_number(cell.value), cell.value)  # type: ignore[union-attr]
        if isinstance(cell, str):
            return format_text_cell(where, self._format_number(style, total), cut(visible(str(cell))))
        return format_empty_cell(where, self._format_number(style, total)) if cell is None else None

    def _format_number(self, style: str, total: bool = False) -> int:
        """Return the number of a format in the workbook."""
        number = self._numbers.get((style, total))
        if number is None:
            number = self._numbers[style, total] = self.format(style, total)._get_xf_index()
        return number

    def _font(self, sheet: FastSheet, style: str) -> str:
        """Return the XML of a style's font; the default font for an empty name."""
        if style not in self._fonts:
            self._fonts[style] = sheet.font(self.format(style) if style else None)
        return self._fonts[style]

    def _marked(self, sheet: FastSheet, where: str, cell: Marked, style: str, total: bool) -> str:
        pieces = [(change, visible(text)) for change, text in select_side(cell.pieces, cell.side) if text]
        text = "".join(text for _, text in pieces)
        if len(pieces) < 2 or cell.side not in dict(pieces) or cut(text) != text:
            # A text of one piece cannot be marked in part.
            differs = bool(pieces) and all(change is cell.side for change, _ in pieces)
            number = self._format_number(f"all {cell.side.name}") if differs else self._format_number(style, total)
            return format_text_cell(where, number, cut(text))
        fonts = {cell.side: self._font(sheet, cell.side.name), Change.SAME: self._font(sheet, "")}
        runs = [(fonts[change], piece) for change, piece in pieces]
        if pieces[0][0] is Change.SAME:
            runs[0] = ("", pieces[0][1])  # the font of the cell
        return format_rich_cell(where, self._format_number(style, total), runs)


@contextmanager
def open_book(path: Path, make_folder: bool = False) -> Iterator[Book]:
    """Open a workbook that replaces the file at `path` when the block ends without an error.

    Args:
        path: The file.
        make_folder: Create the folder of `path` if it is missing.

    Raises:
        StoreError: The file cannot be written.
    """
    content = BytesIO()  # a few MB when compressed; on a full disk, XlsxWriter itself would leave files open
    new_book = Book(content)
    yield new_book
    try:
        new_book.close()
    except XlsxWriterException as error:
        raise StoreError(f"{path} cannot be written: {error}") from error
    with whole_file(path, make_folder=make_folder) as temporary:
        temporary.write_bytes(content.getvalue())


class Table:
    """A table that is streamed into a sheet: a header, rows, and column widths that fit their content."""

    TALLEST = 12
    """Largest number of lines that a row shows; clicking the cell shows the rest."""

    def __init__(
        self, open_book: Book, sheet: FastSheet, columns: Sequence[Column], top: int = 0, sparse: bool = False
    ) -> None:
        """Write the header into row `top`, from the first column on.

        Args:
            book: The workbook.
            sheet: The sheet.
            columns: The columns.
            top: The row of the header, counted from 0.
            sparse: Leave empty cells out of the file, which saves half of the time if there are many.
        """
        self.book, self.sheet, self.columns, self.top, self._sparse = open_book, sheet, columns, top, sparse
        self.next = top + 1
        """The next row to write, counted from 0."""
        self._widths = [
            max(column.narrowest, max(len(word) for word in column.title.split()) + 4) for column in columns
        ]
        self._letters = [xl_col_to_name(column_number) for column_number in range(len(columns))]
        lines = max(-(-len(column.title) // width) for column, width in zip(columns, self._widths, strict=True))
        sheet.set_row(top, 18 * max(lines, 1) + 6)
        for column_number, column in enumerate(columns):
            sheet.write_string(top, column_number, column.title, open_book.format("head"))

    def add(self, cells: Sequence[Cell], total: bool = False) -> None:
        """Write the next row; `total` marks a row of totals."""
        tall, row = 1, str(self.next + 1)
        ready: list[str] = []
        first = last = 0
        for column_number, (column, cell) in enumerate(zip(self.columns, cells, strict=True)):
            # The first cell is always there: it makes XlsxWriter write the row before.
            if self._sparse and column_number and (cell is None or cell == ""):
                continue
            tall = max(tall, self._measure(column_number, column, _approximate_text(cell, column.style)))
            xml = self.book.xml(self.sheet, self._letters[column_number] + row, cell, column.style, total)
            if xml is not None:
                first, last = (first if ready else column_number), column_number
                ready.append(xml)
                continue
            if ready:
                self.sheet.write_cells(self.next, first, last, "".join(ready))
                ready = []
            self.book.put(self.sheet, self.next, column_number, cell, column.style, total)
        if ready:
            self.sheet.write_cells(self.next, first, last, "".join(ready))
        if tall > 1:
            # Excel would adapt the height itself; LibreOffice does not.
            self.sheet.set_row(self.next, 15 * min(tall, self.TALLEST))
        # The previous row is in the file now; XlsxWriter would keep the height of every row until the end.
        self.sheet.row_info.pop(self.next - 1, None)
        self.sheet.row_sizes.pop(self.next - 1, None)
        self.next += 1

    def _measure(self, column_number: int, column: Column, text: str) -> int:
        """Widen a column for the text of a cell, if needed; return how many lines the text takes."""
        length = len(text) if "\n" not in text else max(map(len, text.split("\n", self.TALLEST)))
        width = length + 3
        self._widths[column_number] = min(column.widest, max(self._widths[column_number], width))
        if column.style in ("wrap", "mark") and (width > column.widest or "\n" in text):
            return sum(_count_lines(line, column.widest) for line in text[:5000].split("\n"))
        return 1

    def fit(self) -> None:
        """Set the column widths; call it last. If a sheet has two tables, call it for the wider one."""
        for column_number, width in enumerate(self._widths):
            self.sheet.set_column(column_number, column_number, width)
        if self._sparse and self.next > self.top + 1:
            lined = {"type": "blanks", "format": self.book.format("empty")}
            self.sheet.conditional_format(self.top + 1, 0, self.next - 1, len(self.columns) - 1, lined)

    def finish(self, last: int | None = None) -> None:
        """Set the widths, freeze the header, and add filters for the rows up to `last` (default: all)."""
        self.fit()
        self.sheet.freeze_panes(self.top + 1, 0)
        self.sheet.repeat_rows(self.top)
        self.sheet.autofilter(self.top, 0, self.next - 1 if last is None else last, len(self.columns) - 1)

    def reference(self, column: int, first: int, last: int) -> list[Any]:
        """Return a chart's reference to the cells of a column, from row `first` to `last`, counted from 0."""
        return [self.sheet.get_name(), first, column, last, column]

    def colour_rates(self, column: int, first: int, last: int) -> None:
        """Colour the rates of a column from red (0) over yellow to green (1)."""
        scale = {"type": "3_color_scale", "min_type": "num", "mid_type": "num", "max_type": "num"}
        scale |= {"min_value": 0, "mid_value": 0.5, "max_value": 1}  # type: ignore[dict-item]
        scale |= {"min_color": RED, "mid_color": AMBER, "max_color": GREEN}
        self.sheet.conditional_format(first, column, last, column, scale)


def _count_lines(text: str, widest: int) -> int:
    """Estimate how many lines a text takes. Words are not broken, so a line is a little shorter than the width."""
    return 1 if len(text) <= widest - 3 else int(len(text) / (0.9 * widest)) + 1


def _approximate_text(cell: Cell, style: str) -> str:
    """Return approximately the text that a cell shows, to measure its length."""
    if isinstance(cell, str):
        return cell
    if cell is None:
        return ""
    if isinstance(cell, Marked | Link):
        return cell.text
    if style == "count":
        return f"{cell:,.0f}"
    return f"{cell:.1%}" if style == "rate" else f"{cell:.2f}"
