"""The sheet of replies that failed, each with its reason; the simplest question of the weakest case comes first."""

from chattest.records.report import Report
from chattest.records.result import Result, Verdict
from chattest.reports.content import marks
from chattest.reports.content.text import Change
from chattest.reports.content.worst import INTRODUCTION, select_worst
from chattest.reports.workbook.book import VIEW_ROWS, Book, Table
from chattest.reports.workbook.cells import Cell, Column, Link, Marked
from chattest.reports.workbook.sheets import runs
from chattest.reports.workbook.sheets.base import Sheet
from chattest.reports.workbook.sheets.results import ORIGINAL
from chattest.text.format import many

NAME = "Worst replies"

MOST = VIEW_ROWS
"""Largest number of replies in the sheet."""

COLUMNS = [
    Column("Conversation"),
    Column("Round", "count"),
    Column("Prompt", "wrap", 48),
    Column("Reply", "wrap", 60),
    Column("Failed", "wrap", 24),
    Column("In doubt", "wrap", 24),
    Column("Why", "wrap", 70),
    Column("Expected", "wrap", 30),
    Column("Rate of the case", "rate"),
    Column("Dose", "number"),
    Column("Distance", "count"),
]


def _write(book: Book, report: Report) -> None:
    sheet = book.sheet(NAME, "#C0392B")
    compared = marks.has_original(_list_failed(report))
    table = Table(book, sheet, [*COLUMNS, *ORIGINAL[:2]] if compared else COLUMNS)
    places = runs.find_places(report)
    for worst in select_worst(report, MOST):
        first = worst.failed[0]
        cell = places.get((first.run, first.round))
        expected = "\n".join(dict.fromkeys(result.expected for result in worst.failed if result.expected))
        checks, doubtful = (
            ", ".join(result.check for result in worst.failed if result.in_doubt or not only) for only in (False, True)
        )
        originals: list[Cell] = []
        if compared:
            pieces = marks.mark_question(first) if first.original else (), marks.mark_original_answer(first)
            originals = [Marked(text, Change.REMOVED) for text in pieces]
        table.add(
            [
                Link(first.conversation, *cell) if cell else first.conversation,
                first.round,
                Marked(marks.mark_question(first)),
                Marked(marks.mark_answer(first)),
                checks,
                doubtful,
                "\n".join(worst.reasons),
                expected,
                report.tallies[first.check].rate,
                first.dose,
                first.distance,
                *originals,
            ]
        )
    table.finish()


def _list_failed(report: Report) -> list[Result]:
    """Return the rows that `select_worst` takes into account."""
    experimental = report.experimental
    return [
        row
        for row in report.results
        if row.verdict is Verdict.FAIL and row.is_about_answer and row.check not in experimental
    ]


def _describe_left_out(report: Report) -> str:
    failed = {(row.run, row.conversation, row.round) for row in _list_failed(report)}
    missing = len(failed) - MOST
    return f"{NAME} shows the first {MOST:,} rows; {many(missing, 'more row')} are in Results." if missing > 0 else ""


SHEET = Sheet(
    NAME,
    f"all replies that failed. {INTRODUCTION}",
    lambda report: bool(_list_failed(report)),
    _write,
    _describe_left_out,
)
