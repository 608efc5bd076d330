"""Marks of single verdicts: in doubt, or reviewed by people."""

from collections.abc import Iterable

from chattest.records.report import Report
from chattest.records.result import Result
from chattest.reports.content import figures
from chattest.text.format import many

WORDS = "in doubt"
"""The mark beside such a verdict."""


def note(report: Report) -> list[str]:
    """A sentence with the number of such verdicts; none where there are none."""
    tally = figures.total(report.tallies.values())
    if not tally.in_doubt:
        return []
    are = "is" if tally.in_doubt == 1 else "are"
    counted = f"{tally.in_doubt} of {many(tally.total, 'verdict')} {are} {WORDS}"
    return [f"{counted}: the judges are about as likely wrong as right. They count; check them by hand first."]


def mark(result: Result) -> str:
    """Return `in doubt`, or nothing."""
    return WORDS if result.in_doubt else ""


def review_mark(result: Result) -> str:
    """Return what people decided, such as `reviewed: pass`, or nothing."""
    return f"reviewed: {result.person}" if result.person else ""


def any_in_doubt(results: Iterable[Result]) -> bool:
    """Whether one of the results is in doubt."""
    return any(result.in_doubt for result in results)
