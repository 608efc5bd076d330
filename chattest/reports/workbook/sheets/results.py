"""The sheet of all results, one per row, sorted by check."""

from collections import Counter

from chattest.records.report import Report
from chattest.records.result import Result
from chattest.reports.content import figures, marks
from chattest.reports.content.figures import select_rows
from chattest.reports.content.text import Change
from chattest.reports.workbook.book import SHEET_ROWS, Book, Table
from chattest.reports.workbook.cells import Cell, Column, Marked
from chattest.reports.workbook.sheets.base import Sheet
from chattest.text.format import many

NAME = "Results"
MOST = SHEET_ROWS - 1
"""Largest number of results in the sheet; if there are more, failed ones and errors are kept first."""

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
"""More columns if altered questions are compared with their originals."""
PEOPLE = [Column("Reviewed"), Column("People said", "wrap", 30)]
"""More columns if people have reviewed verdicts."""


def find_places(report: Report) -> dict[str, tuple[str, str]]:
    """Map each check that has rows in the sheet to the sheet and the cell of its first row."""
    rows = report.results if len(report.results) <= MOST else select_rows(report, report.results, MOST)
    counts = Counter(result.check for result in rows)
    cells, before = {}, 0
    for info in report.checks:
        if counts[info.code]:
            cells[info.code] = (NAME, f"A{before + 2}")
        before += counts[info.code]
    return cells


def _describe_left_out(report: Report) -> str:
    missing = len(report.results) - MOST
    if missing <= 0:
        return ""
    return f"Results shows {MOST:,} rows, failed ones first; {many(missing, 'more result')} are in results.jsonl."


def _write(book: Book, report: Report) -> None:
    ordered = select_rows(report, report.results, MOST)
    compared = marks.has_original(ordered)
    reviewed = any(result.person for result in ordered)
    parts = list(figures.collect_parts(report))
    labels = [Column(figures.make_part_title(*part), "number") for part in parts]
    columns = [*COLUMNS, *labels, *(ORIGINAL if compared else []), *(PEOPLE if reviewed else [])]
    table = Table(book, book.sheet(NAME), columns, sparse=True)
    for row in ordered:
        people: list[Cell] = [row.person, row.person_said] if reviewed else []
        scored = [row.score.parts.get(part) if row.check == check else None for check, part in parts]
        table.add([*_cells(row), *scored, *(_original(row) if compared else []), *people])
    table.finish()


def _cells(result: Result) -> list[Cell]:
    return [
        result.check,
        result.verdict,
        "yes" if result.in_doubt else "",
        result.conversation,
        result.round,
        Marked(marks.mark_question(result)) if result.original else result.prompt,
        Marked(marks.mark_answer(result)) if result.original_reply else result.reply,
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
    """Return the cells for `ORIGINAL`."""
    if not result.original:
        return [None, None, None, result.split]
    asked, answered = (
        Marked(pieces, Change.REMOVED) for pieces in (marks.mark_question(result), marks.mark_original_answer(result))
    )
    return [asked, answered, result.criterion, result.split]


SHEET = Sheet(
    NAME,
    "every single result; filter by case, verdict or test set",
    lambda report: bool(report.results),
    _write,
    _describe_left_out,
)
