"""Every result, one per row, sorted by check."""

from collections import Counter

from chattest.records.report import Report
from chattest.records.result import Result
from chattest.reports.content import figures, marks
from chattest.reports.content.text import Change
from chattest.reports.workbook.book import SHEET_ROWS, Book, Cell, Column, Marked, Table

NAME = "Results"
ABOUT = "every single result; filter by case, verdict or test set"

ROWS = SHEET_ROWS - 1
"""Largest number of results in a sheet; further results are in a second sheet."""

COLUMNS = [
    Column("Case"),
    Column("Verdict"),
    Column("In doubt"),
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
    Column("Known before"),
    Column("Group"),
    Column("Label"),
]
ORIGINAL = [
    Column("Original question", "wrap", 48),
    Column("Answer to the original", "wrap", 48),
    Column("Failed by"),
    Column("Split"),
]
"""More columns where altered questions are compared with their originals."""
PEOPLE = [Column("Reviewed"), Column("People said", "wrap", 30)]
"""More columns where people have reviewed verdicts."""


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
    compared = marks.any_original(ordered)
    reviewed = any(result.person for result in ordered)
    parts = list(figures.score_parts(report))
    labels = [Column(figures.part_in_words(*part), "number") for part in parts]
    columns = [*COLUMNS, *labels, *(ORIGINAL if compared else []), *(PEOPLE if reviewed else [])]
    for number, start in enumerate(range(0, len(ordered), ROWS)):
        table = Table(book, book.sheet(_sheet_name(number)), columns)
        for index in range(start, min(start + ROWS, len(ordered))):
            row = ordered[index]
            people: list[Cell] = [row.person, row.person_said] if reviewed else []
            scored = [row.score.parts.get(part) if row.check == check else None for check, part in parts]
            table.add([*_cells(row), *scored, *(_original(row) if compared else []), *people])
        table.finish()


def _sheet_name(number: int) -> str:
    return NAME if number == 0 else f"{NAME} {number + 1}"


def _cells(result: Result) -> list[Cell]:
    return [
        result.check,
        result.verdict,
        "yes" if result.in_doubt else "",
        result.conversation,
        result.round,
        Marked(marks.question(result)),
        Marked(marks.answer(result)),
        result.expected,
        result.score.interpretation,
        result.score.value,
        result.reason or result.score.reason,
        result.testset,
        result.perturbation,
        result.kind,
        result.dose,
        result.distance,
        "yes" if result.known_before else "",
        result.group,
        result.label,
    ]


def _original(result: Result) -> list[Cell]:
    """Cells for `ORIGINAL`."""
    if not result.original:
        return [None, None, None, result.split]
    asked, answered = (
        Marked(pieces, Change.REMOVED) for pieces in (marks.question(result), marks.original_answer(result))
    )
    return [asked, answered, result.criterion, result.split]
