"""The page on two compared runs: a table of the cases, the changes as a plot, every flipped question side by side."""

from pathlib import Path
from typing import Any

from chattest.comparison.runs import CaseDifference, RunComparison
from chattest.comparison.text import interval_in_words, notes, place_in_words, points, title_of, verdict_in_words
from chattest.records.result import Result, Verdict
from chattest.reports.content.figures import percent
from chattest.reports.content.text import shortened
from chattest.reports.page.plots import Plot, changes_plot
from chattest.reports.page.writing import write_page

LONGEST = 2000
"""Characters of a text that the page shows."""


def write_page_of(comparison: RunComparison, path: Path) -> None:
    """Writes the page, one file that needs no network. Raises `StoreError` when the disk refuses."""
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
        rows=[_row(comparison, one) for one in comparison.checks],
        notes=notes(comparison),
        plots=plots,
        data={"plots": [plot.figure for plot in plots], "names": names, "rows": _flips(comparison)},
    )


def _row(comparison: RunComparison, one: CaseDifference) -> dict[str, Any]:
    corrected = "–"
    if one.true_change is not None and one.margin is not None:
        corrected = f"{points(one.true_change)}; seen from {100 * one.margin:.1f}"
    return {
        "check": one.check,
        "title": title_of(one.check),
        "verdict": comparison.verdict(one),
        "rates": [percent(rate) for rate in one.rates],
        "change": points(one.change),
        "interval": interval_in_words(one),
        "asked": len(one.pairs),
        "left_out": one.left_out,
        "better": len(one.better),
        "worse": len(one.worse),
        "p_values": [f"{p:.4f}" for p in (one.mcnemar, one.sign_flip, comparison.corrected[one.check])],
        "corrected": corrected,
    }


def _plot(comparison: RunComparison) -> Plot:
    rows = tuple((one.check, points(one.change), interval_in_words(one)) for one in comparison.checks)
    return changes_plot(
        f"Change from {comparison.first.title} to {comparison.second.title}, with its 95 % interval",
        rows,
        [one.change for one in comparison.checks],
        [one.interval for one in comparison.checks],
    )


def _flips(comparison: RunComparison) -> list[dict[str, Any]]:
    return [
        {
            "check": one.check,
            "where": place_in_words(before),
            "prompt": shortened(before.prompt, LONGEST),
            "expected": shortened(before.expected, LONGEST),
            "worse": before.verdict is Verdict.PASS,
            "first": _said(before),
            "second": _said(after),
        }
        for one, before, after in comparison.flips
    ]


def _said(row: Result) -> list[str]:
    return [row.verdict.value, shortened(row.reply, LONGEST), shortened(row.reason or row.score.reason, LONGEST)]
