"""The sheet of original questions: each with its answer, all its alterations, and which failed."""

from chattest.records.report import Report
from chattest.reports.content import marks
from chattest.reports.content.utterances import Utterance, group_by_original
from chattest.reports.workbook.book import VIEW_ROWS, Book, Table
from chattest.reports.workbook.cells import Column, Marked
from chattest.reports.workbook.sheets.base import Sheet

NAME = "By question"

MOST = VIEW_ROWS
"""Largest number of rows in the sheet; the alterations are all in Results."""

COLUMNS = [
    Column("No.", "count"),
    Column("Question", "wrap", 50),
    Column("Answer", "wrap", 50),
    Column("Alterations", "count"),
    Column("Failed", "count"),
    Column("Failing rate", "rate"),
    Column("Check", "wrap", 34),
    Column("Kind"),
    Column("Verdict"),
    Column("Failed by"),
    Column("Why", "wrap", 44),
    Column("Smart tags", "wrap", 34),
    Column("Split"),
]


def _write(book: Book, report: Report) -> None:
    table = Table(book, book.sheet(NAME, "#C0392B"), COLUMNS)
    for number, utterance in enumerate(group_by_original(report), start=1):
        if table.next + len(utterance.rows) > MOST:
            break
        _add(table, number, utterance)
    table.finish()


def _describe_left_out(report: Report) -> str:
    altered = [row.original for row in report.results if row.original]
    if len(altered) + len(set(altered)) <= MOST:
        return ""
    return f"{NAME} shows the first {MOST:,} rows, most failures first; the others are in Results."


def _add(table: Table, number: int, utterance: Utterance) -> None:
    """Add a row for the question, and one for each of its alterations."""
    tally = utterance.tally
    rate = utterance.failed / tally.total if tally.total else None
    counts = [len(utterance.rows), utterance.failed, rate]
    head = [number, utterance.question, utterance.reply, *counts, "", "", "", "", "", utterance.tags, utterance.split]
    table.add(head, total=True)
    for row in utterance.rows:
        asked, answered = Marked(marks.mark_question(row)), Marked(marks.mark_answer(row))
        known = [row.check, row.kind, row.verdict, row.criterion, row.reason, "", row.split]
        table.add([number, asked, answered, None, None, None, *known])


SHEET = Sheet(
    NAME,
    "every original question with all its alterations, those with the most failures first",
    lambda report: marks.has_original(report.results),
    _write,
    _describe_left_out,
)
