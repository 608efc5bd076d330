"""Shows what comparing two runs came to: in the terminal and as a workbook."""

from pathlib import Path

from chattest.case import cases
from chattest.counting import many
from chattest.reports.parts.figures import percent
from chattest.reports.parts.text import shortened
from chattest.reports.workbook.book import Book, Cell, Column, Link, Table, book
from chattest.result import Result, Verdict
from chattest.showing import table
from chattest.statistics.clusters import ENOUGH
from chattest.two_runs import CaseDifference, RunComparison

LISTED = 10
"""Flipped questions told in the terminal."""


def lines(comparison: RunComparison) -> list[str]:
    """The comparison for the terminal: a row per check, then questions that flipped, side by side."""
    first, second = comparison.first.title, comparison.second.title
    head = ("check", "asked", "first", "second", "change", "95 % interval", "better", "worse", "McNemar")
    rows: list[tuple[str, ...]] = [(*head, "by conversation", "Holm", "verdict")]
    for one in comparison.checks:
        p_values = (one.mcnemar, one.sign_flip, comparison.corrected[one.check])
        counts = (str(len(one.better)), str(len(one.worse)))
        rates = (percent(one.rates[0]), percent(one.rates[1]), points(one.change))
        tests = [f"{p:.4f}" for p in p_values]
        rows.append(
            (one.check, str(len(one.pairs)), *rates, interval_in_words(one), *counts, *tests, comparison.verdict(one))
        )
    text = [f"first:  {first}", f"second: {second}", "", *table(rows), ""]
    text += [*notes(comparison), verdict_in_words(comparison)]
    flips = comparison.flips
    for one, before, after in flips[:LISTED]:
        text += ["", f"{one.check}, {place_in_words(before)}: {before.prompt!r}"]
        text += [f"  first   {before.verdict.value:4}  {shortened(before.reply, 200)}"]
        text += [f"  second  {after.verdict.value:4}  {shortened(after.reply, 200)}"]
    if len(flips) > LISTED:
        text += ["", f"{many(len(flips) - LISTED, 'more question')} flipped; page and workbook have them all."]
    return text


def notes(comparison: RunComparison) -> list[str]:
    """What must be said with the figures."""
    said = [f"A difference counts when its p-value by conversation, corrected by Holm, is below {comparison.alpha:g}."]
    if any(len(one.by_conversation) < ENOUGH for one in comparison.checks):
        said += [f"Where fewer than {ENOUGH} conversations were compared, the interval is too narrow."]
    left_out = sum(one.left_out for one in comparison.checks)
    if left_out:
        said += [f"Left out: {many(left_out, 'question')} that not both runs decided."]
    for one in comparison.checks:
        if one.change and not one.seen and one.margin is not None:
            said += [f"{one.check}: the change is smaller than the judges can see ({100 * one.margin:.1f} points)."]
    return said


def verdict_in_words(comparison: RunComparison) -> str:
    """Which checks are significantly worse."""
    worse = ", ".join(one.check for one in comparison.worse)
    return f"Significantly worse: {worse}." if worse else "No check is significantly worse."


def title_of(check: str) -> str:
    """What a case tests, in a line; empty for a check by single questions."""
    return cases.get(check).title if check in cases else ""


def points(change: float) -> str:
    """A change of a rate in percentage points, with its sign."""
    return f"{100 * change:+.1f}"


def interval_in_words(one: CaseDifference) -> str:
    """The 95 % interval of the change in percentage points, or a dash."""
    return "–" if one.interval is None else f"{points(one.interval[0])} to {points(one.interval[1])}"


def place_in_words(row: Result) -> str:
    """`run-001, round 4, cat-name: typo, dose 0.5`: where a question was asked, about what, and how it was altered."""
    words = f"{row.conversation}, round {row.round}" if row.run else f"question {row.round + 1}"
    words += f", {row.testset}" if row.testset else ""
    return words + (f": {row.perturbation}, dose {row.dose:g}" if row.perturbation and row.dose else "")


def write_workbook(comparison: RunComparison, path: Path) -> None:
    """Writes the checks and every flipped question; what a bot said is always text. Raises `StoreError`."""
    with book(path) as made:
        _write_checks(made, comparison)
        _write_flips(made, comparison)


TOP = 5
"""Row of the table's header, counted from 0."""


def _write_checks(made: Book, comparison: RunComparison) -> None:
    columns = [
        Column("Check", narrowest=18),
        Column("Requirement", "wrap", 40),
        Column("Verdict"),
        Column(f"Rate {comparison.first.title}", "rate"),
        Column(f"Rate {comparison.second.title}", "rate"),
        Column("Change", "rate"),
        Column("95 % from", "rate"),
        Column("95 % to", "rate"),
        Column("Asked", "count"),
        Column("Became better", "count"),
        Column("Became worse", "count"),
        Column("Left out", "count"),
        Column("p McNemar"),
        Column("p by conversation"),
        Column("p Holm"),
        Column("Corrected change", "rate"),
        Column("Judges see from", "rate"),
        Column("Questions"),
    ]
    sheet = made.sheet("Comparison", "#1F3A5F")
    made.put(sheet, 0, 0, "chattest: two runs compared", "title")
    made.put(sheet, 1, 0, f"First: {comparison.first.title}. Second: {comparison.second.title}.", "lead")
    made.put(sheet, 2, 0, verdict_in_words(comparison), "lead")
    made.put(sheet, 3, 0, " ".join(notes(comparison)), "note")
    rows = Table(made, sheet, columns, TOP)
    first: dict[str, int] = {}
    for place, (one, _, _) in enumerate(_by_check(comparison), start=2):
        first.setdefault(one.check, place)
    for one in comparison.checks:
        low, high = one.interval or (None, None)
        p_values = [f"{p:.4f}" for p in (one.mcnemar, one.sign_flip, comparison.corrected[one.check])]
        cells: list[Cell] = [one.check, title_of(one.check), comparison.verdict(one), *one.rates, one.change, low, high]
        cells += [len(one.pairs), len(one.better), len(one.worse), one.left_out, *p_values, one.true_change, one.margin]
        link = Link("see questions", "Flips", f"A{first[one.check]}") if one.check in first else None
        rows.add([*cells, link])
    rows.finish()
    if comparison.checks:
        for place in (3, 4):
            rows.colour_rates(place, TOP + 1, rows.next - 1)


def _by_check(comparison: RunComparison) -> list[tuple[CaseDifference, Result, Result]]:
    """The flipped questions of each check together, those that became worse first."""
    return [(one, *pair) for one in comparison.checks for pair in (*one.worse, *one.better)]


def _write_flips(made: Book, comparison: RunComparison) -> None:
    first, second = comparison.first.title, comparison.second.title
    columns = [Column("Check"), Column("Became"), Column("Where"), Column("Prompt", "wrap")]
    columns += [Column("Expected", "wrap", 30)]
    for name in (first, second):
        columns += [Column(f"Reply {name}", "wrap"), Column(f"Verdict {name}"), Column(f"Reason {name}", "wrap", 40)]
    rows = Table(made, made.sheet("Flips"), columns)
    for one, before, after in _by_check(comparison):
        became = "worse" if before.verdict is Verdict.PASS else "better"
        told: list[Cell] = [one.check, became, place_in_words(before), before.prompt, before.expected]
        rows.add([*told, before.reply, before.verdict, before.reason, after.reply, after.verdict, after.reason])
    rows.finish()
