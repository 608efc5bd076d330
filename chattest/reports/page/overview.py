"""Collect the values that the overview of a run shows, in report.html and in the app."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from chattest.records.report import Report
from chattest.records.result import SCOPES, Result
from chattest.reports.content import confidence, faults, figures, rates, worst

WORST = 10
OF_A_CASE = 2
"""How many of the worst replies are shown, in all and for a single case."""


def make_overview_values(report: Report, results_at: str, place_of: Callable[[Result], str]) -> dict[str, Any]:
    """Return the variables of overview.html.

    Args:
        report: The report.
        results_at: The address of the list of results; `?case=ML-U3` is added to it.
        place_of: Returns the address of a reply in its conversation, or an empty text.
    """
    return {
        "report": report,
        "results_at": results_at,
        "place_of": place_of,
        "headline": rates.make_headline(report),
        "broken": faults.list_notes(report),
        "answer_checks": rates.select_answer_checks(report),
        "group_checks": rates.select_group_checks(report),
        "common": [rate for rate in rates.compute_overall(report) if rate.name != SCOPES[3]],
        "groups": [rate for rate in rates.compute_overall(report) if rate.name == SCOPES[3]],
        "nothing": confidence.NOTHING,
        "how_sure": confidence.explain_confidence(report),
        "gates_of": {
            info.code: list(zip(figures.find_gates(report, info), figures.describe_gates(report, info), strict=True))
            for info in report.checks
        },
        "worst": worst.select_worst(report, WORST, OF_A_CASE),
        "worst_introduction": worst.introduce(report),
        "any_in_doubt": any(tally.in_doubt for tally in report.tallies.values()),
        "any_not_applicable": any(tally.not_applicable for tally in report.tallies.values()),
        "any_corrected": any(estimate.corrected or estimate.exact for estimate in report.estimates.values()),
        "any_errors": any(tally.errors for tally in report.tallies.values()),
    }
