"""Write the workbook of a comparison."""

from pathlib import Path

from chattest.comparison.runs import CaseDifference, RunComparison
from chattest.comparison.text import (
    describe_place,
    describe_verdict,
    find_title,
    format_p,
    format_reason,
    list_notes,
)
from chattest.records.result import Result, Verdict
from chattest.reports.workbook.book import Book, Table, open_book
from chattest.reports.workbook.cells import Cell, Column, Link


def write_workbook(comparison: RunComparison, path: Path) -> None:
    """Write the checks and every flipped question; replies are always text, never formulas.

    Raises:
        StoreError: The file cannot be written.
    """
    with open_book(path) as workbook:
        _write_checks(workbook, comparison)
        _write_flips(workbook, comparison)


TOP = 5
"""Row of the table's header, counted from 0."""


def _write_checks(workbook: Book, comparison: RunComparison) -> None:
    sheet = workbook.sheet("Comparison", "#1F3A5F")
    workbook.put(sheet, 0, 0, "chattest: two runs compared", "title")
    workbook.put(sheet, 1, 0, f"First: {comparison.first.title}. Second: {comparison.second.title}.", "lead")
    workbook.put(sheet, 2, 0, describe_verdict(comparison), "lead")
    workbook.put(sheet, 3, 0, " ".join(list_notes(comparison)), "note")
    table = Table(workbook, sheet, _columns(comparison), TOP)
    first_flips: dict[str, int] = {}
    for row, (case, _, _) in enumerate(_sort_flips(comparison), start=2):
        first_flips.setdefault(case.check, row)
    for case in comparison.checks:
        row_of_flips = first_flips.get(case.check)
        link = Link("see questions", "Flips", f"A{row_of_flips}") if row_of_flips else None
        table.add([*_cells(comparison, case), link])
    for case in comparison.pooled:
        table.add([*_cells(comparison, case), None])
    table.finish()
    if comparison.checks:
        for rate_column in (3, 4):
            table.colour_rates(rate_column, TOP + 1, table.next - 1)


def _columns(comparison: RunComparison) -> list[Column]:
    return [
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
        Column("Judges detect from", "rate"),
        Column("Questions"),
    ]


def _cells(comparison: RunComparison, case: CaseDifference) -> list[Cell]:
    """Return the cells of a check, without the last one, which links to its questions."""
    p_values = [format_p(p) for p in (case.mcnemar, case.sign_flip, comparison.find_p(case))]
    changes = [*case.rates, case.change, *(case.interval or (None, None))]
    counts = [len(case.pairs), len(case.better), len(case.worse), case.left_out]
    names = [case.check, find_title(case.check), comparison.verdict(case)]
    return [*names, *changes, *counts, *p_values, case.true_change, case.margin]


def _sort_flips(comparison: RunComparison) -> list[tuple[CaseDifference, Result, Result]]:
    """Sort the flipped questions by check; those that became worse come first."""
    return [(case, *pair) for case in comparison.checks for pair in (*case.worse, *case.better)]


def _write_flips(workbook: Book, comparison: RunComparison) -> None:
    first, second = comparison.first.title, comparison.second.title
    columns = [Column("Check"), Column("Became"), Column("Where"), Column("Prompt", "wrap")]
    columns += [Column("Expected", "wrap", 30)]
    for name in (first, second):
        columns += [Column(f"Reply {name}", "wrap"), Column(f"Verdict {name}"), Column(f"Reason {name}", "wrap", 40)]
    rows = Table(workbook, workbook.sheet("Flips"), columns)
    for case, before, after in _sort_flips(comparison):
        became = "worse" if before.verdict is Verdict.PASS else "better"
        question: list[Cell] = [case.check, became, describe_place(before), before.prompt, before.expected]
        replies = [(row.reply, row.verdict, format_reason(row)) for row in (before, after)]
        rows.add([*question, *replies[0], *replies[1]])
    rows.finish()
