"""Write the HTML page of a comparison: a table of cases, a plot of changes, and flipped questions side by side."""

from pathlib import Path
from typing import Any

from chattest.comparison.runs import CaseDifference, RunComparison
from chattest.comparison.text import (
    describe_place,
    describe_verdict,
    find_title,
    format_interval,
    format_p,
    format_points,
    format_reason,
    list_notes,
)
from chattest.records.report import mark_experimental
from chattest.records.result import Result, Verdict
from chattest.reports.content.figures import format_percent
from chattest.reports.content.text import shorten
from chattest.reports.page.plots import Plot, plot_changes
from chattest.reports.page.writing import write_page

LONGEST = 2000
"""Longest text that the page shows, in characters."""


def write_page_of(comparison: RunComparison, path: Path) -> None:
    """Write the page, a single file that needs no network.

    Raises:
        StoreError: The file cannot be written.
    """
    names = [comparison.first.title, comparison.second.title]
    plots = [_plot(comparison)] if comparison.checks else []
    write_page(
        path,
        "comparison",
        f"Comparison of {comparison.first.folder.name} and {comparison.second.folder.name}",
        f"{names[1]} compared with {names[0]}, on the same plan",
        {},
        names=names,
        headline=describe_verdict(comparison),
        rows=[make_case_values(comparison, case) for case in (*comparison.checks, *comparison.pooled)],
        notes=list_notes(comparison),
        plots=plots,
        data={"plots": [plot.figure for plot in plots], "names": names, "rows": _flips(comparison)},
    )


def make_case_values(comparison: RunComparison, case: CaseDifference) -> dict[str, Any]:
    """Return the values of a row of the table of cases, as words and numbers."""
    corrected = "–"
    if case.true_change is not None and case.margin is not None:
        corrected = f"{format_points(case.true_change)}; detectable from {100 * case.margin:.1f}"
    return {
        "check": case.check,
        "title": find_title(case.check),
        "verdict": comparison.verdict(case),
        "rates": [format_percent(rate) for rate in case.rates],
        "change": format_points(case.change),
        "interval": format_interval(case),
        "asked": len(case.pairs),
        "left_out": case.left_out,
        "pooled": case in comparison.pooled,
        "better": len(case.better),
        "worse": len(case.worse),
        "p_values": [format_p(p) for p in (case.mcnemar, case.sign_flip, comparison.find_p(case))],
        "corrected": corrected,
    }


def _plot(comparison: RunComparison) -> Plot:
    rows = tuple(
        (mark_experimental(case.check, case.experimental), format_points(case.change), format_interval(case))
        for case in comparison.checks
    )
    return plot_changes(
        f"Change from {comparison.first.title} to {comparison.second.title}, with its 95 % interval",
        rows,
        [case.change for case in comparison.checks],
        [case.interval for case in comparison.checks],
    )


def _flips(comparison: RunComparison) -> list[dict[str, Any]]:
    return [
        {
            "check": case.check,
            "where": describe_place(before),
            "prompt": shorten(before.prompt, LONGEST),
            "expected": shorten(before.expected, LONGEST),
            "worse": before.verdict is Verdict.PASS,
            "first": _describe_side(before),
            "second": _describe_side(after),
        }
        for case, before, after in comparison.flips
    ]


def _describe_side(row: Result) -> list[str]:
    return [row.verdict.value, shorten(row.reply, LONGEST), shorten(format_reason(row), LONGEST)]
