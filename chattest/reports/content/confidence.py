"""Describe the confidence in each rate: intervals by conversation, rates corrected for judge errors, and notes."""

from chattest.records.report import (
    EXPERIMENTAL,
    WRITTEN_ONLY,
    CheckInfo,
    Estimate,
    ExtraColumn,
    ExtraTable,
    Report,
    mark_experimental,
)
from chattest.records.result import name_units
from chattest.reports.content import verdict_marks
from chattest.reports.content.figures import format_bounds, format_percent
from chattest.statistics.clusters import ENOUGH
from chattest.text.format import many

NOTHING = Estimate(0, None)


def find_estimate(report: Report, info: CheckInfo) -> Estimate:
    """Return the estimate of a check's rate; `NOTHING` if no result was decided."""
    return report.estimates.get(info.code, NOTHING)


def find_interval(report: Report, info: CheckInfo) -> tuple[float, float] | None:
    """Return the interval by conversation, or Wilson's interval if fewer than two conversations had such a reply."""
    return find_estimate(report, info).interval or report.tallies[info.code].interval


def format_corrected(estimate: Estimate) -> str:
    """Format the corrected rate: `55.0 % (40 to 71 %)`; `exact` if a rule judges; a dash if unknown."""
    if estimate.exact:
        return "exact"
    if estimate.corrected is None:
        return "–"
    words = f"{format_percent(estimate.corrected.rate)} ({format_bounds(estimate.corrected.interval)})"
    return f"{words}, {describe_basis(estimate)}" if estimate.corrected.labels else words


def describe_basis(estimate: Estimate) -> str:
    """Describe what the corrected rate is based on: `40 labels`, `labelled replies of other bots` or `a rule`.

    A dash if there is no corrected rate.
    """
    if estimate.exact:
        return "a rule"
    if estimate.corrected is None:
        return "–"
    labels = estimate.corrected.labels + estimate.corrected.known
    return many(labels, "label") if labels else "labelled replies of other bots"


def list_corrected(report: Report) -> list[str]:
    """Return a line for each rate that labels correct, for reports without a column of corrected rates.

    Example: `ML-I1: 62.5 % as judged, corrected 71.0 % (60 to 80 %), 40 labels`.
    """
    return [
        f"{info.code}: {format_percent(report.tallies[info.code].rate)} as judged, "
        f"corrected {format_corrected(estimate)}"
        for info in report.checks
        if (estimate := find_estimate(report, info)).corrected is not None and estimate.corrected.labels
    ]


def explain_confidence(report: Report) -> list[str]:
    """Return the paragraph on how reliable the rates are, in parts of a sentence or two; empty if nothing was decided.

    It covers the judges and their accuracy, what people have reviewed, what is in doubt, which checks are experimental,
    and what to do next.
    """
    parts = (report.judged_by, report.seen, *list_notes(report), *describe_experimental(report), report.next_step)
    return [part for part in parts if part]


def describe_experimental(report: Report) -> list[str]:
    """Return what the reader must know about the experimental checks: which, why, and what leaves them out."""
    by_reason: dict[str, list[str]] = {}
    for info in report.checks:
        if info.experimental and report.tallies[info.code].total:
            by_reason.setdefault(info.experimental.rstrip("."), []).append(info.code)
    sentences = [f"{', '.join(codes)}: {why}." for why, codes in by_reason.items()]
    return [f"{EXPERIMENTAL.capitalize()}: {' '.join(sentences)} {LEFT_OUT}"] if sentences else []


LEFT_OUT = (
    "Draw no conclusion from such a rate. The overall rates, the counts of failures, and every gate that does not name "
    "the case leave it out; see docs/judges.md."
)
"""What being experimental means."""


def list_notes(report: Report) -> list[str]:
    """Return the notes on the table of rates, a sentence each."""
    estimates = [report.estimates[info.code] for info in report.checks if info.code in report.estimates]
    sentences = []
    too_few = {
        code: rate.conversations
        for code, rate in report.estimates.items()
        if rate.conversations < ENOUGH and not rate.always_valid
    }
    numbers = [too_few[info.code] for info in report.checks if info.code in too_few]
    if numbers:
        cases = "" if len(numbers) == len(estimates) else f" in {len(numbers)} of {len(estimates)} cases"
        counts = f"{numbers[0]}" if min(numbers) == max(numbers) else f"{min(numbers)} to {max(numbers)}"
        units = name_units(row for row in report.results if row.check in too_few)
        unit = units.removesuffix("s") if max(numbers) == 1 else units
        sentences.append(f"Only {counts} {unit}{cases}; at least {ENOUGH} are needed for a reliable interval.")
    corrections = [estimate.corrected for estimate in estimates if estimate.corrected and not estimate.corrected.labels]
    margins = sorted({f"{100 * correction.margin:.1f}" for correction in corrections}, key=float)
    if margins:
        span = margins[0] if len(margins) == 1 else f"{margins[0]} to {margins[-1]}"
        by_case = "" if len(margins) == 1 else ", depending on the case,"
        sentences.append(
            f"The judges make mistakes: differences of less than {span} percentage points{by_case} cannot be detected."
        )
    if written := [estimate for estimate in estimates if WRITTEN_ONLY in estimate.notes]:
        sentences.append(_explain_uncorrected(len(written), len(estimates)))
    return sentences + verdict_marks.describe_doubt(report)


def _explain_uncorrected(number: int, total: int) -> str:
    """Explain why rates are not corrected. number: how many are not, of `total`."""
    which = "The rates are" if number == total else f"{number} of {total} rates are"
    return f"{which} not corrected: the judges were measured on replies that people wrote, not on those of bots."


def make_table(report: Report) -> ExtraTable:
    """Make a table of the figures, a row for each check, for reports without room for them in their table of rates."""
    columns = (
        ExtraColumn("Case"),
        ExtraColumn("Rate", "rate"),
        ExtraColumn("Wilson"),
        ExtraColumn("By conversation"),
        ExtraColumn("Conv.", "count"),
        ExtraColumn("Corrected"),
        ExtraColumn("Detects from"),
    )
    rows = []
    for info in report.checks:
        estimate, tally = find_estimate(report, info), report.tallies[info.code]
        margin = f"{100 * estimate.corrected.margin:.1f} points" if estimate.corrected else "–"
        intervals = (format_bounds(tally.interval), format_bounds(estimate.interval))
        code = mark_experimental(info.code, info.experimental)
        rows.append((code, tally.rate, *intervals, estimate.conversations, format_corrected(estimate), margin))
    return ExtraTable(NAME, NOTE, columns, tuple(rows))


NAME = "How sure the rates are"
HEADING = "How sure are we?"
NOTE = (
    "Wilson's interval treats replies as independent; the one by conversation does not: trust that one. Conv.: "
    "conversations with such a reply. Corrected: the rate without the judge's measured errors; exact: a rule judges, "
    "not a model. Detects from: the smallest difference that the judge can detect."
)
