"""The sheet with a row per conversation: its results, and a link to its sheet."""

from statistics import median

from chattest.records.conversation import Speaker
from chattest.records.report import Report
from chattest.records.result import SCOPES, Tally, Verdict, find_scopes
from chattest.reports.content import figures, rates
from chattest.reports.workbook.book import Book, Table
from chattest.reports.workbook.cells import Column, Link
from chattest.reports.workbook.sheets import runs, tallies
from chattest.reports.workbook.sheets.base import Sheet

FIGURES = (("passed", "count"), ("total", "count"), ("rate", "rate"))

COLUMNS = [
    Column("Conversation"),
    Column("Seed"),
    Column("Rounds", "count"),
    Column("Replies that failed", "count"),
    *(Column(f"{name.capitalize()} {what}", style) for name in SCOPES[:2] for what, style in FIGURES),
    *tallies.OTHER,
    Column("Median seconds", "number"),
    Column("Ended early", "wrap", 50),
]
TOP = 2


def _write(book: Book, report: Report) -> None:
    sheet = book.sheet(SHEET.name)
    book.put(sheet, 0, 0, figures.describe_failures(report) + ".", "section")
    table = Table(book, sheet, COLUMNS, TOP)
    failed: dict[int, set[int]] = {}
    experimental = report.experimental
    for result in report.results:
        if result.verdict is Verdict.FAIL and result.check not in experimental:
            failed.setdefault(result.run, set()).add(result.round)
    names = runs.make_sheet_names(report)
    scopes = find_scopes(report.results)
    for conversation, name in zip(report.conversations, names, strict=True):
        run_tallies = report.run_tallies.get(conversation.run, {})
        passed = rates.tally_by_scope(scopes, run_tallies, experimental)
        scope_tallies = [passed.get(scope, Tally()) for scope in SCOPES[:2]]
        times = figures.list_seconds(conversation)
        rounds = sum(turn.speaker is Speaker.SUBJECT and turn.round >= 0 for turn in conversation.turns)
        ended = conversation.failed
        table.add(
            [
                Link(name, name) if name else f"Run {conversation.run}",
                conversation.seed,
                rounds,
                len(failed.get(conversation.run, ())),
                *(cell for tally in scope_tallies for cell in (tally.passed, tally.total, tally.rate)),
                *tallies.make_other_cells(figures.add_up(run_tallies.values())),
                median(times) if times else None,
                f"{ended.speaker}: {ended.error}" if ended else "",
            ]
        )
    table.finish()
    for number, column in enumerate(COLUMNS):
        if column.style == "rate":
            table.colour_rates(number, TOP + 1, table.next - 1)


SHEET = Sheet(
    "Conversations",
    "a row per conversation, with its failures",
    lambda report: bool(report.conversations),
    _write,
)
