"""The replies that failed, each with its reason; the simplest question of the weakest case comes first."""

from chattest.records.report import Report
from chattest.records.result import Verdict
from chattest.reports.content.worst import SAID, worst_replies
from chattest.reports.workbook.book import SHEET_ROWS, Book, Column, Link, Table
from chattest.reports.workbook.sheets import runs

NAME = "Worst replies"
ABOUT = f"all replies that failed. {SAID}"
MOST = SHEET_ROWS - 1
"""Largest number of replies in the sheet."""

COLUMNS = [
    Column("Conversation"),
    Column("Round", "count"),
    Column("Prompt", "wrap", 48),
    Column("Reply", "wrap", 60),
    Column("Failed", "wrap", 24),
    Column("Why", "wrap", 70),
    Column("Expected", "wrap", 30),
    Column("Rate of the case", "rate"),
    Column("Dose", "number"),
    Column("Distance", "count"),
]


def wanted(report: Report) -> bool:
    return any(result.verdict is Verdict.FAIL for result in report.results)


def write(book: Book, report: Report) -> None:
    sheet = book.sheet(NAME, "#C0392B")
    table = Table(book, sheet, COLUMNS)
    places = runs.places(report)
    for worst in worst_replies(report, MOST):
        first = worst.failed[0]
        cell = places.get((first.run, first.round))
        expected = "\n".join(dict.fromkeys(result.expected for result in worst.failed if result.expected))
        checks = ", ".join(result.check for result in worst.failed)
        table.add(
            [
                Link(first.conversation, *cell) if cell else first.conversation,
                first.round,
                first.prompt,
                first.reply,
                checks,
                "\n".join(worst.reasons),
                expected,
                report.tallies[first.check].rate,
                first.dose,
                first.distance,
            ]
        )
    table.finish()
