"""Marks of single verdicts: in doubt, or reviewed by people."""

from collections.abc import Iterable

from chattest.records.report import Report
from chattest.records.result import Result
from chattest.reports.content import figures
from chattest.text.format import many

WORDS = "in doubt"
"""The mark of a verdict in doubt."""


def describe_doubt(report: Report) -> list[str]:
    """Return a sentence with the number of verdicts in doubt; those of experimental checks do not count."""
    tally = figures.add_up(tally for check, tally in report.tallies.items() if check not in report.experimental)
    if not tally.in_doubt:
        return []
    are = "is" if tally.in_doubt == 1 else "are"
    count = f"{tally.in_doubt} of {many(tally.total, 'verdict')} {are} {WORDS}"
    return [f"{count}: the judges are about as likely to be wrong as right. They count; review them first."]


def mark_doubt(result: Result) -> str:
    """Return `in doubt`, or an empty text."""
    return WORDS if result.in_doubt else ""


def mark_review(result: Result) -> str:
    """Return people's opinion, such as `reviewed: pass`, or an empty text."""
    return f"reviewed: {result.person}" if result.person else ""


def has_doubt(results: Iterable[Result]) -> bool:
    """Return True if one of the results is in doubt."""
    return any(result.in_doubt for result in results)
