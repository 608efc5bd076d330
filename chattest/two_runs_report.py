"""Shows what comparing two runs came to: in the terminal and as a workbook."""

from pathlib import Path

from chattest.reports.parts.figures import percent
from chattest.reports.parts.text import shortened
from chattest.reports.workbook.book import Book, Cell, Column, Table, book
from chattest.result import Result
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
        rates = (percent(one.rates[0]), percent(one.rates[1]), _points(one.change))
        tests = [f"{p:.4f}" for p in p_values]
        rows.append((one.check, str(len(one.pairs)), *rates, _range(one), *counts, *tests, comparison.verdict(one)))
    text = [f"first:  {first}", f"second: {second}", "", *table(rows), ""]
    text += _notes(comparison)
    flips = comparison.flips
    for one, before, after in flips[:LISTED]:
        text += ["", f"{one.check}, {_place(before)}: {before.prompt!r}"]
        text += [f"  first   {before.verdict.value:4}  {shortened(before.reply, 200)}"]
        text += [f"  second  {after.verdict.value:4}  {shortened(after.reply, 200)}"]
    if len(flips) > LISTED:
        text += ["", f"{len(flips) - LISTED} more questions flipped; the workbook has them all."]
    return text


def _notes(comparison: RunComparison) -> list[str]:
    said = [f"A difference counts when its p-value by conversation, corrected by Holm, is below {comparison.alpha:g}."]
    if any(len(one.by_conversation) < ENOUGH for one in comparison.checks):
        said += [f"Where fewer than {ENOUGH} conversations were compared, the interval is too narrow."]
    left_out = sum(one.left_out for one in comparison.checks)
    if left_out:
        said += [f"{left_out} questions are left out: not both runs decided them."]
    for one in comparison.checks:
        if one.change and not one.seen and one.margin is not None:
            said += [f"{one.check}: the change is smaller than the judges can see ({100 * one.margin:.1f} points)."]
    worse = ", ".join(one.check for one in comparison.worse)
    said += [f"Significantly worse: {worse}." if worse else "No check is significantly worse."]
    return said


def _points(change: float) -> str:
    return f"{100 * change:+.1f}"


def _range(one: CaseDifference) -> str:
    return "–" if one.interval is None else f"{_points(one.interval[0])} to {_points(one.interval[1])}"


def _place(row: Result) -> str:
    return f"{row.conversation}, round {row.round}" if row.run else f"question {row.round}"


def write_workbook(comparison: RunComparison, path: Path) -> None:
    """Writes the checks and every flipped question; what a bot said is always text. Raises `StoreError`."""
    with book(path) as made:
        _write_checks(made, comparison)
        _write_flips(made, comparison)


def _write_checks(made: Book, comparison: RunComparison) -> None:
    columns = [
        Column("Check"),
        Column("Asked", "count"),
        Column(f"Rate {comparison.first.title}", "rate"),
        Column(f"Rate {comparison.second.title}", "rate"),
        Column("Change", "rate"),
        Column("95 % from", "rate"),
        Column("95 % to", "rate"),
        Column("Became better", "count"),
        Column("Became worse", "count"),
        Column("Left out", "count"),
        Column("True change", "rate"),
        Column("Judges see from", "rate"),
        Column("p McNemar"),
        Column("p by conversation"),
        Column("p Holm"),
        Column("Verdict"),
    ]
    rows = Table(made, made.sheet("Comparison"), columns)
    for one in comparison.checks:
        low, high = one.interval or (None, None)
        p_values = [f"{p:.4f}" for p in (one.mcnemar, one.sign_flip, comparison.corrected[one.check])]
        cells: list[Cell] = [one.check, len(one.pairs), *one.rates, one.change, low, high]
        cells += [len(one.better), len(one.worse), one.left_out, one.true_change, one.margin]
        rows.add([*cells, *p_values, comparison.verdict(one)])
    rows.finish()


def _write_flips(made: Book, comparison: RunComparison) -> None:
    first, second = comparison.first.title, comparison.second.title
    columns = [Column("Check"), Column("Conversation"), Column("Round", "count"), Column("Prompt", "wrap")]
    columns += [Column("Expected", "wrap", 30)]
    for name in (first, second):
        columns += [Column(f"Reply {name}", "wrap"), Column(f"Verdict {name}"), Column(f"Reason {name}", "wrap", 40)]
    rows = Table(made, made.sheet("Flips"), columns)
    for one, before, after in comparison.flips:
        told: list[Cell] = [one.check, before.conversation, before.round, before.prompt, before.expected]
        rows.add([*told, before.reply, before.verdict, before.reason, after.reply, after.verdict, after.reason])
    rows.finish()
