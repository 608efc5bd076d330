"""Write the HTML page of a comparison: a table of cases, a plot of changes, and flipped questions side by side."""

from pathlib import Path
from typing import Any

from chattest.comparison.runs import CaseDifference, RunComparison
from chattest.comparison.text import (
    interval_in_words,
    notes,
    p_in_words,
    place_in_words,
    points,
    reason_in_words,
    title_of,
    verdict_in_words,
)
from chattest.records.result import Result, Verdict
from chattest.reports.content.figures import percent
from chattest.reports.content.text import shortened
from chattest.reports.page.plots import Plot, changes_plot
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
        headline=verdict_in_words(comparison),
        rows=[case_values(comparison, case) for case in comparison.checks],
        notes=notes(comparison),
        plots=plots,
        data={"plots": [plot.figure for plot in plots], "names": names, "rows": _flips(comparison)},
    )


def case_values(comparison: RunComparison, case: CaseDifference) -> dict[str, Any]:
    """Return the values of a row of the table of cases, as words and numbers."""
    corrected = "–"
    if case.true_change is not None and case.margin is not None:
        corrected = f"{points(case.true_change)}; detectable from {100 * case.margin:.1f}"
    return {
        "check": case.check,
        "title": title_of(case.check),
        "verdict": comparison.verdict(case),
        "rates": [percent(rate) for rate in case.rates],
        "change": points(case.change),
        "interval": interval_in_words(case),
        "asked": len(case.pairs),
        "left_out": case.left_out,
        "better": len(case.better),
        "worse": len(case.worse),
        "p_values": [p_in_words(p) for p in (case.mcnemar, case.sign_flip, comparison.corrected[case.check])],
        "corrected": corrected,
    }


def _plot(comparison: RunComparison) -> Plot:
    rows = tuple((case.check, points(case.change), interval_in_words(case)) for case in comparison.checks)
    return changes_plot(
        f"Change from {comparison.first.title} to {comparison.second.title}, with its 95 % interval",
        rows,
        [case.change for case in comparison.checks],
        [case.interval for case in comparison.checks],
    )


def _flips(comparison: RunComparison) -> list[dict[str, Any]]:
    return [
        {
            "check": case.check,
            "where": place_in_words(before),
            "prompt": shortened(before.prompt, LONGEST),
            "expected": shortened(before.expected, LONGEST),
            "worse": before.verdict is Verdict.PASS,
            "first": _describe_side(before),
            "second": _describe_side(after),
        }
        for case, before, after in comparison.flips
    ]


def _describe_side(row: Result) -> list[str]:
    return [row.verdict.value, shortened(row.reply, LONGEST), shortened(reason_in_words(row), LONGEST)]
