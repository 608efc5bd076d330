"""How sure each rate is: intervals by conversation, rates with the judges' errors taken out, and what must be said."""

from chattest.records.report import CheckInfo, Estimate, ExtraColumn, ExtraTable, Report
from chattest.records.result import units_in_words
from chattest.reports.content.figures import bounds, percent
from chattest.statistics.clusters import ENOUGH

NOTHING = Estimate(0, None)


def of(report: Report, info: CheckInfo) -> Estimate:
    """What is known of a check's rate; `NOTHING` where nothing was decided."""
    return report.estimates.get(info.code, NOTHING)


def interval(report: Report, info: CheckInfo) -> tuple[float, float] | None:
    """The interval that counts by conversation; Wilson's where fewer than two conversations had such a reply."""
    return of(report, info).interval or report.tallies[info.code].interval


def corrected_in_words(estimate: Estimate) -> str:
    """`55.0 % (40 to 71 %)`, `exact` where a rule judges, a dash where the judge was not measured."""
    if estimate.exact:
        return "exact"
    if estimate.corrected is None:
        return "–"
    return f"{percent(estimate.corrected.rate)} ({bounds(estimate.corrected.interval)})"


def notes(report: Report) -> list[str]:
    """What must be said with the table of rates, in a few sentences."""
    estimates = [report.estimates[info.code] for info in report.checks if info.code in report.estimates]
    said = []
    short = {code: one.conversations for code, one in report.estimates.items() if one.conversations < ENOUGH}
    few = [short[info.code] for info in report.checks if info.code in short]
    if few:
        cases = "" if len(few) == len(estimates) else f" in {len(few)} of {len(estimates)} cases"
        held = f"{few[0]}" if min(few) == max(few) else f"{min(few)} to {max(few)}"
        what = units_in_words(row for row in report.results if row.check in short)
        many = what.removesuffix("s") if max(few) == 1 else what
        said.append(f"The intervals are too narrow{cases}: {held} {many} had such a reply, and it takes {ENOUGH}.")
    margins = sorted({f"{100 * one.corrected.margin:.1f}" for one in estimates if one.corrected is not None}, key=float)
    if margins:
        span = margins[0] if len(margins) == 1 else f"{margins[0]} to {margins[-1]}"
        said.append(f"The judges err: differences of less than {span} percentage points are smaller than they can see.")
    return said


def table(report: Report) -> ExtraTable:
    """All of it, a row per check, for those reports whose table of rates has no room."""
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
NOTE = (
    "Wilson's interval takes replies as independent; the one by conversation does not, and is the one to trust. "
    "Conv.: how many conversations had such a reply. Corrected: the rate with the judge's measured errors taken out; "
    "exact: a rule judges, not a model. Sees from: smaller differences the judge cannot see."
)
