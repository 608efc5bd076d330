"""The comparison of two runs as a workbook."""

from pathlib import Path

from chattest.comparison.runs import CaseDifference, RunComparison
from chattest.comparison.text import notes, place_in_words, title_of, verdict_in_words
from chattest.records.result import Result, Verdict
from chattest.reports.workbook.book import Book, Cell, Column, Link, Table, book


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
