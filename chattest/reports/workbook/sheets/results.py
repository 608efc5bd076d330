"""Every result, one per row, sorted by check."""

from collections import Counter

from chattest.records.report import Report
from chattest.records.result import Result
from chattest.reports.workbook.book import SHEET_ROWS, Book, Column, Table

NAME = "Results"
ABOUT = "every single result; filter by case, verdict or test set"

ROWS = SHEET_ROWS - 1
"""Largest number of results in a sheet; further results are in a second sheet."""

COLUMNS = [
    Column("Case"),
    Column("Verdict"),
    Column("Conversation"),
    Column("Round", "count"),
    Column("Prompt", "wrap", 48),
    Column("Reply", "wrap", 60),
    Column("Expected", "wrap", 30),
    Column("Interpretation", "wrap", 30),
    Column("Value", "number"),
    Column("Why", "wrap", 50),
    Column("Test set"),
    Column("Perturbation"),
    Column("Kind"),
    Column("Dose", "number"),
    Column("Distance", "count"),
    Column("Group"),
    Column("Label"),
]


def wanted(report: Report) -> bool:
    return bool(report.results)


def places(report: Report) -> dict[str, tuple[str, str]]:
    """Check -> sheet and cell of its first row, for the checks that have results."""
    counts = Counter(result.check for result in report.results)
    cells, before = {}, 0
    for info in report.checks:
        if counts[info.code]:
            cells[info.code] = (_sheet_name(before // ROWS), f"A{before % ROWS + 2}")
        before += counts[info.code]
    return cells


def write(book: Book, report: Report) -> None:
    order = {info.code: index for index, info in enumerate(report.checks)}
    ordered = sorted(report.results, key=lambda result: (order[result.check], result.run, result.round))
    for number, start in enumerate(range(0, len(ordered), ROWS)):
        table = Table(book, book.sheet(_sheet_name(number)), COLUMNS)
        for index in range(start, min(start + ROWS, len(ordered))):
            _add(table, ordered[index])
        table.finish()


def _sheet_name(number: int) -> str:
    return NAME if number == 0 else f"{NAME} {number + 1}"


def _add(table: Table, result: Result) -> None:
    table.add(
        [
            result.check,
            result.verdict,
            result.conversation,
            result.round,
            result.prompt,
            result.reply,
            result.expected,
            result.score.interpretation,
            result.score.value,
            result.reason or result.score.reason,
            result.testset,
            result.perturbation,
            result.kind,
            result.dose,
            result.distance,
            result.group,
            result.label,
        ]
    )
