"""The confidence of each rate: intervals by conversation, rates corrected for the judges' errors, and notes."""

from chattest.records.report import CheckInfo, Estimate, ExtraColumn, ExtraTable, Report
from chattest.records.result import units_in_words
from chattest.reports.content import verdict_marks
from chattest.reports.content.figures import bounds, percent
from chattest.statistics.clusters import ENOUGH
from chattest.text.format import many

NOTHING = Estimate(0, None)


def of(report: Report, info: CheckInfo) -> Estimate:
    """The estimate of a check's rate; `NOTHING` if no result was decided."""
    return report.estimates.get(info.code, NOTHING)


def interval(report: Report, info: CheckInfo) -> tuple[float, float] | None:
    """The interval by conversation; Wilson's interval if fewer than two conversations had such a reply."""
    return of(report, info).interval or report.tallies[info.code].interval


def corrected_in_words(estimate: Estimate) -> str:
    """The corrected rate: `55.0 % (40 to 71 %)`; `exact` if a rule judges; a dash if the judge was not measured."""
    if estimate.exact:
        return "exact"
    if estimate.corrected is None:
        return "–"
    words = f"{percent(estimate.corrected.rate)} ({bounds(estimate.corrected.interval)})"
    return f"{words}, {rests_on(estimate)}" if estimate.corrected.labels else words


def rests_on(estimate: Estimate) -> str:
    """What the corrected rate rests on: `40 labels`, `labelled replies of others`, `a rule`; a dash without one."""
    if estimate.exact:
        return "a rule"
    if estimate.corrected is None:
        return "–"
    labels = estimate.corrected.labels + estimate.corrected.known
    return many(labels, "label") if labels else "labelled replies of others"


def by_labels(report: Report) -> list[str]:
    """A line for each rate that labels correct, for reports without a column of corrected rates.

    Example: `ML-I1: 62.5 % as judged, 71.0 % (60 to 80 %), 40 labels`.
    """
    return [
        f"{info.code}: {percent(report.tallies[info.code].rate)} as judged, corrected {corrected_in_words(estimate)}"
        for info in report.checks
        if (estimate := of(report, info)).corrected is not None and estimate.corrected.labels
    ]


def how_sure(report: Report) -> list[str]:
    """The paragraph on how sure the report is, in parts of a sentence or two; empty where nothing was decided.

    It says which judges judged and how right they are, what a person has seen, what is in doubt, and what to do next.
    """
    return [part for part in (report.judged_by, report.seen, *notes(report), report.next_step) if part]


def notes(report: Report) -> list[str]:
    """The notes on the table of rates, a sentence each."""
    estimates = [report.estimates[info.code] for info in report.checks if info.code in report.estimates]
    sentences = []
    short = {
        code: rate.conversations
        for code, rate in report.estimates.items()
        if rate.conversations < ENOUGH and not rate.always_valid
    }
    few = [short[info.code] for info in report.checks if info.code in short]
    if few:
        cases = "" if len(few) == len(estimates) else f" in {len(few)} of {len(estimates)} cases"
        counts = f"{few[0]}" if min(few) == max(few) else f"{min(few)} to {max(few)}"
        units = units_in_words(row for row in report.results if row.check in short)
        unit = units.removesuffix("s") if max(few) == 1 else units
        sentences.append(
            f"The intervals are too narrow{cases}: {counts} {unit} had such a reply, and it takes {ENOUGH}."
        )
    corrections = [estimate.corrected for estimate in estimates if estimate.corrected and not estimate.corrected.labels]
    margins = sorted({f"{100 * correction.margin:.1f}" for correction in corrections}, key=float)
    if margins:
        span = margins[0] if len(margins) == 1 else f"{margins[0]} to {margins[-1]}"
        sentences.append(
            f"The judges err: differences of less than {span} percentage points are smaller than they can see."
        )
    return sentences + verdict_marks.note(report)


def table(report: Report) -> ExtraTable:
    """The figures as a table, a row per check, for reports without room for them in their table of rates."""
    columns = (
        ExtraColumn("Case"),
        ExtraColumn("Rate", "rate"),
        ExtraColumn("Wilson"),
        ExtraColumn("By conversation"),
        ExtraColumn("Conv.", "count"),
        ExtraColumn("Corrected"),
        ExtraColumn("Sees from"),
    )
    rows = []
    for info in report.checks:
        estimate, tally = of(report, info), report.tallies[info.code]
        seen = f"{100 * estimate.corrected.margin:.1f} points" if estimate.corrected else "–"
        intervals = (bounds(tally.interval), bounds(estimate.interval))
        rows.append((info.code, tally.rate, *intervals, estimate.conversations, corrected_in_words(estimate), seen))
    return ExtraTable(NAME, NOTE, columns, tuple(rows))


NAME = "How sure the rates are"
HEADING = "How sure are we?"
NOTE = (
    "Wilson's interval takes replies as independent; the one by conversation does not, and is the one to trust. "
    "Conv.: how many conversations had such a reply. Corrected: the rate with the judge's measured errors taken out; "
    "exact: a rule judges, not a model. Sees from: smaller differences the judge cannot see."
)
