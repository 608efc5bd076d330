"""The sheets of the extra tables of the report."""

from chattest.records.report import ExtraTable
from chattest.reports.workbook.book import Book, Table
from chattest.reports.workbook.cells import Cell, Column
from chattest.reports.workbook.sheets.base import Sheet

TOP = 2
"""Row of the header, counted from 0."""
_STYLES = {"text": "wrap", "count": "count", "number": "number", "rate": "rate"}


def make_sheet(table: ExtraTable) -> Sheet:
    """Make the sheet of a table."""
    return Sheet(table.name, table.note, lambda _: True, lambda book, _: write_table(book, table))


def write_table(book: Book, extra: ExtraTable) -> None:
    """Write a sheet with the note and the rows of a table; rates are coloured as in the summary."""
    sheet = book.sheet(extra.name)
    book.put(sheet, 0, 0, extra.note, "lead")
    columns = [Column(column.title, _STYLES[column.kind]) for column in extra.columns]
    table = Table(book, sheet, columns, TOP)
    for row in extra.rows:
        cells: list[Cell] = list(row)
        table.add(cells)
    table.finish()
    for number, column in enumerate(extra.columns):
        if column.kind == "rate" and extra.rows:
            table.colour_rates(number, TOP + 1, table.next - 1)
