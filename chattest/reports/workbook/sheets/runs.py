"""A sheet for each conversation: the turns, the planted probes, and the judgements of every case."""

from collections.abc import Sequence

from chattest.records.conversation import Conversation, Turn
from chattest.records.report import Report
from chattest.records.result import Result, Verdict
from chattest.reports.content import figures
from chattest.reports.content.text import find_changes
from chattest.reports.content.verdict_marks import WORDS, has_doubt
from chattest.reports.workbook.book import Book, Table
from chattest.reports.workbook.cells import Cell, Column, Marked
from chattest.reports.workbook.sheets.base import Sheet

MOST = 250
"""Largest number of these sheets in a workbook: each needs an open file, and Excel becomes slow with more."""

_SPOKEN = [
    Column("Round", "count"),
    Column("Prompt", "wrap", 48),
    Column("Reply", "wrap", 60),
    Column("Seconds", "number"),
    Column("Planted", "mark", 30),
    Column("Original wording", "mark", 36),
    Column("Note", "mark", 30),
]
_TITLES = {"interpret": "interpretation", "detailed": "value", "binary": "verdict"}
_STYLES = {"interpret": "wrap", "detailed": "number", "binary": "text"}
_GRAVEST = (Verdict.FAIL, Verdict.ERROR, Verdict.PASS, Verdict.NOT_APPLICABLE)


def _describe_left_out(report: Report) -> str:
    if len(report.conversations) <= MOST:
        return ""
    return f"Only the first {MOST} conversations have a sheet; the rows of all are in Results."


def make_sheet_names(report: Report) -> list[str]:
    """Return the unique name of each conversation's sheet; empty for conversations after the first `MOST`."""
    seen: dict[int, int] = {}
    names = []
    for conversation in report.conversations[:MOST]:
        seen[conversation.run] = again = seen.get(conversation.run, 0) + 1
        names.append(f"Run {conversation.run}" if again == 1 else f"Run {conversation.run} ({again})")
    return names + [""] * (len(report.conversations) - len(names))


def find_places(report: Report) -> dict[tuple[int, int], tuple[str, str]]:
    """Map each (run, round) to the sheet and the first cell of the round."""
    cells: dict[tuple[int, int], tuple[str, str]] = {}
    for conversation, name in zip(report.conversations, make_sheet_names(report), strict=True):
        if name:
            for row, (number, _, _) in enumerate(figures.pair_turns(conversation), start=2):
                cells.setdefault((conversation.run, number), (name, f"A{row}"))
    return cells


def _write(book: Book, report: Report) -> None:
    by_run: dict[int, dict[int, dict[str, list[Result]]]] = {}
    for result in report.results:
        rounds = by_run.setdefault(result.run, {})
        rounds.setdefault(result.round, {}).setdefault(result.check, []).append(result)
    parts = list(figures.collect_parts(report)) if "detailed" in report.columns else []
    for conversation, name in zip(report.conversations, make_sheet_names(report), strict=True):
        if name:
            _write_run(book, report, conversation, name, by_run.get(conversation.run, {}), parts)


def _write_run(
    book: Book,
    report: Report,
    conversation: Conversation,
    name: str,
    results: dict[int, dict[str, list[Result]]],
    every_part: Sequence[tuple[str, str]],
) -> None:
    judged = {check for round in results.values() for check in round}
    checks = [info.code for info in report.checks if info.code in judged]
    shown = [column for column in _TITLES if column in report.columns]
    columns = [Column(f"{check} {_TITLES[column]}", _STYLES[column], 26) for check in checks for column in shown]
    parts = [part for part in every_part if part[0] in checks]
    labels = [Column(figures.make_part_title(*part), "number", 14) for part in parts]
    table = Table(book, book.sheet(name, "#9AA5B4"), [*_SPOKEN, *columns, *labels])
    planted = conversation.plan.by_round()
    for number, driver, subject in figures.pair_turns(conversation):
        cells: list[Cell] = [
            number if number >= 0 else "given",
            driver.text if driver else "",
            subject.text if subject else "",
        ]
        cells.append(subject.seconds if subject and number >= 0 else None)
        mark, original = "", ""
        if number in planted and driver is not None:
            probe, step = planted[number]
            mark = figures.describe_step(probe, step)
            if step.text != step.original:
                original = step.original
                if driver.text == step.text:
                    cells[1] = Marked(tuple(find_changes(original, step.text)))
        by_check = results.get(number, {})
        cells += [mark, original, _note(driver, subject, by_check)]
        cells += [_judgement_cell(by_check.get(check, []), column) for check in checks for column in shown]
        cells += [_part_cell(by_check.get(check, []), part) for check, part in parts]
        table.add(cells)
    last = table.next - 1
    if columns:
        tallies = report.run_tallies.get(conversation.run, {})
        scores = ["" if column != shown[-1] else str(tallies.get(check, "")) for check in checks for column in shown]
        table.add([None, "passed of all decided", *[""] * (len(_SPOKEN) - 2), *scores, *[""] * len(parts)], total=True)
    table.finish(last)
    table.sheet.freeze_panes(1, 1)


def _note(driver: Turn | None, subject: Turn | None, results: dict[str, list[Result]]) -> str:
    """List failures and notes of both chatters, intent and confidence of the bot, and the verdicts in doubt."""
    words = []
    for turn in (driver, subject):
        if turn is not None:
            words += [f"{turn.speaker} failed: {turn.error}"] if turn.error else []
            words += [f"{turn.speaker}: {turn.note}"] if turn.note else []
            words += [f"intent {turn.intent}"] if turn.intent else []
            words += [f"confidence {turn.confidence:.2f}"] if turn.confidence is not None else []
    unsure = [check for check, rows in results.items() if has_doubt(rows)]
    words += [f"{WORDS}: {', '.join(unsure)}"] if unsure else []
    return "\n".join(words)


def _judgement_cell(results: Sequence[Result], column: str) -> Cell:
    """Return a case's judgement of a reply; if there are several, all texts or values, or the worst verdict."""
    if not results:
        return None
    if column == "binary":
        return min((result.verdict for result in results), key=_GRAVEST.index)
    if column == "detailed":
        values = [result.score.value for result in results if result.score.value is not None]
        return values[0] if len(values) == 1 else "\n".join(f"{value:.2f}" for value in values)
    return "\n".join(result.score.interpretation for result in results)


def _part_cell(results: Sequence[Result], part: str) -> Cell:
    """Return one number behind a case's value; the highest if the reply was judged more than once."""
    return max((result.score.parts[part] for result in results if part in result.score.parts), default=None)


SHEET = Sheet(
    "Run 1",
    "and so on: one sheet per conversation, with every case's interpretation, value and verdict",
    lambda report: bool(report.conversations),
    _write,
    _describe_left_out,
)
