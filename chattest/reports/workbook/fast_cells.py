"""Writes the cells of tables as XML: the same file as XlsxWriter's own methods make, in a third of the time.

A workbook of a million results has more than ten million cells, and XlsxWriter calls a dozen functions for each.
"""

from collections.abc import Sequence
from io import StringIO
from math import isfinite
from typing import NamedTuple

from xlsxwriter.format import Format
from xlsxwriter.worksheet import Worksheet
from xlsxwriter.xmlwriter import XMLwriter


class _Ready(NamedTuple):
    """What stands in XlsxWriter's table of a row for several neighbouring cells."""

    xml: str


class FastSheet(Worksheet):  # type: ignore[misc]
    """A worksheet that also takes cells as XML."""

    def write_cells(self, row: int, first: int, last: int, xml: str) -> None:
        """Writes the cells of the columns `first` to `last`, made with the functions below, into a row."""
        self._check_dimensions(row, first)
        self._check_dimensions(row, last)
        if row > self.previous_row:
            self._write_single_row(row)
        self.table[row][first] = _Ready(xml)

    def font(self, shape: Format | None) -> str:
        """The XML of a format's font, for `rich_cell`; `None` is the workbook's default."""
        self.rstring = XMLwriter()
        self.rstring._set_filehandle(StringIO())
        self._write_font(shape or Format())
        made: str = self.rstring.fh.getvalue()
        return made

    def _write_cell(self, row: int, col: int, cell: object) -> None:
        if type(cell) is _Ready:
            self.fh.write(cell.xml)
        else:
            super()._write_cell(row, col, cell)


def empty_cell(where: str, shape: int) -> str:
    """An empty cell. where: its name, such as `B7`. shape: the number of its format in the workbook."""
    return f'<c r="{where}" s="{shape}"/>'


def text_cell(where: str, shape: int, text: str) -> str:
    """A cell with a text, which has been through `visible` and `cut`."""
    if not text:
        return empty_cell(where, shape)
    return f'<c r="{where}" s="{shape}" t="inlineStr"><is>{_text(text)}</is></c>'


def number_cell(where: str, shape: int, number: float) -> str | None:
    """A cell with a number; `None` for one that is not finite, which XlsxWriter writes as an error."""
    return f'<c r="{where}" s="{shape}"><v>{number:.16G}</v></c>' if isfinite(number) else None


def rich_cell(where: str, shape: int, pieces: Sequence[tuple[str, str]]) -> str:
    """A cell with a text in several fonts. pieces: the XML of a font, which may be empty in the first, and a text."""
    runs = "".join(f"<r>{font}{_text(text)}</r>" for font, text in pieces)
    return f'<c r="{where}" s="{shape}" t="inlineStr"><is>{runs}</is></c>'


def _text(text: str) -> str:
    """A text as an XML element."""
    if "&" in text or "<" in text or ">" in text:
        text = text.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;")
    if "_x" in text:  # Excel reads _x0041_ as an escape
        text = XMLwriter._escape_control_characters(text)
    keeps_spaces = ' xml:space="preserve"' if text[0].isspace() or text[-1].isspace() else ""
    return f"<t{keeps_spaces}>{text}</t>"
