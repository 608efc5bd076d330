"""A row per conversation: how it went and where it stands."""

from chattest.dialogue import Speaker
from chattest.reports.parts import figures
from chattest.reports.workbook import runs, tallies
from chattest.reports.workbook.book import Book, Column, Link, Table
from chattest.result import Report, Verdict

NAME = "Conversations"
ABOUT = "a row per conversation, with its failures"

COLUMNS = [
    Column("Conversation"),
    Column("Seed"),
    Column("Rounds", "count"),
    Column("Replies that failed", "count"),
    *tallies.SCORE,
    *tallies.OTHER,
    Column("Median seconds", "number"),
    Column("Ended early", "wrap", 50),
]
TOP = 2


def wanted(report: Report) -> bool:
    return bool(report.conversations)


def write(book: Book, report: Report) -> None:
    sheet = book.sheet(NAME)
    book.put(sheet, 0, 0, figures.failures_in_words(report) + ".", "section")
    table = Table(book, sheet, COLUMNS, TOP)
    failed: dict[int, set[int]] = {}
    for result in report.results:
        if result.verdict is Verdict.FAIL:
            failed.setdefault(result.run, set()).add(result.round)
    names = runs.sheet_names(report)
    for conversation, name in zip(report.conversations, names, strict=True):
        tally = figures.total(report.run_tallies.get(conversation.run, {}).values())
        times = figures.seconds(conversation)
        rounds = sum(turn.speaker is Speaker.SUBJECT and turn.round >= 0 for turn in conversation.turns)
        ended = conversation.failed
        table.add(
            [
                Link(name, name) if name else f"Run {conversation.run}",
                conversation.seed,
                rounds,
                len(failed.get(conversation.run, ())),
                *tallies.score_cells(tally),
                *tallies.other_cells(tally),
                figures.percentile(times, 0.5) if times else None,
                f"{ended.speaker}: {ended.error}" if ended else "",
            ]
        )
    table.finish()
    rate = next(place for place, column in enumerate(COLUMNS) if column.title == "Rate")
    table.colour_rates(rate, TOP + 1, table.next - 1)
