"""A sheet for each extra table of the report."""

from chattest.records.report import ExtraTable, Report
from chattest.reports.workbook.book import Book, Table
from chattest.reports.workbook.cells import Cell, Column

TOP = 2
"""Row of the header, counted from 0."""
_STYLES = {"text": "wrap", "count": "count", "number": "number", "rate": "rate"}


class Sheet:
    """The sheet of one table."""

    def __init__(self, table: ExtraTable) -> None:
        self._table = table
        self.NAME = table.name
        self.ABOUT = table.note

    def write(self, book: Book, report: Report) -> None:
        """Writes the note and the rows."""
        write_table(book, self._table)


def write_table(book: Book, extra: ExtraTable) -> None:
    """Writes a sheet with the note and the rows of a table; rates are coloured as in the summary."""
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
