"""A sheet for each extra table of the report."""

from chattest.records.report import ExtraTable, Report
from chattest.reports.workbook.book import Book, Cell, Column, Table

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
        """Writes the note and the rows; rates are coloured as in the summary."""
        sheet = book.sheet(self.NAME)
        book.put(sheet, 0, 0, self._table.note, "lead")
        columns = [Column(column.title, _STYLES[column.kind]) for column in self._table.columns]
        table = Table(book, sheet, columns, TOP)
        for row in self._table.rows:
            cells: list[Cell] = list(row)
            table.add(cells)
        table.finish()
        for number, column in enumerate(self._table.columns):
            if column.kind == "rate" and self._table.rows:
                table.colour_rates(number, TOP + 1, table.next - 1)
