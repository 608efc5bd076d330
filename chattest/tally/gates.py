"""Gates: minimum pass rates, and whether they are met."""

from collections.abc import Iterable, Mapping
from dataclasses import replace
from fnmatch import fnmatchcase

from chattest.records.report import Estimate, Gate, GateOutcome
from chattest.records.result import Result, Tally, Verdict
from chattest.statistics.clusters import interval
from chattest.tally.labelled import UNLABELLED, LabelledRows, corrected_by_labels
from chattest.tally.rates import counted, tallied, tallied_by_conversation
from chattest.tally.stopping_targets import FIXED, Effort, always_valid


def gate_outcome(
    gate: Gate,
    tallies: dict[str, Tally],
    names: dict[str, str],
    results: Iterable[Result] = (),
    estimates: Mapping[str, Estimate] = {},
    labelled: LabelledRows = UNLABELLED,
    effort: Effort = FIXED,
) -> GateOutcome:
    """Whether a gate is met.

    The gate's pattern is matched against codes and readable names. The results of all matching checks are pooled, so
    one check may fall below the minimum that they reach together. An ERROR counts as a miss unless the gate ignores
    errors. A gate without a PASS, FAIL or counted ERROR is not met, unless it ignores that it is empty. tallies: check
    -> its tally. names: check -> its readable name. results: the tallied rows, for the interval by conversation; where
    fewer than two conversations have a row that counts, it is Wilson's interval. estimates: check -> how certain its
    rate is. labelled: the rows that a person has seen. Both are for gates on the corrected rate. effort: where it names
    a case of the gate, and the gate judges conversations alone, the interval is the always-valid one.
    """
    results = list(results)
    if gate.fault:
        results = [_forgiven(row, gate.fault) for row in results]
        tallies = tallied(results)
    matching = [code for code in tallies if fnmatchcase(code, gate.pattern) or fnmatchcase(names[code], gate.pattern)]
    strict = _strict(sum((tallies[code] for code in matching), Tally()), gate)
    if not strict.total:
        return GateOutcome(gate, None, None, gate.empty == "ignore", "none of its checks has a result")
    if gate.level == "corrected_lower":
        return _corrected_outcome(gate, {code: tallies[code] for code in matching}, estimates, labelled)
    bounds = _interval([row for row in results if row.check in set(matching)], gate, effort) or strict.interval
    reached = strict.rate if gate.level == "rate" else (bounds or (0.0, 0.0))[0]
    met = reached is not None and reached >= gate.min_pass_rate
    return GateOutcome(gate, strict.rate, bounds, met)


def _interval(rows: list[Result], gate: Gate, effort: Effort) -> tuple[float, float] | None:
    """The interval by conversation of what a gate applies to."""
    aim = effort.aim({row.check for row in rows})
    if aim is not None and all(row.run or not counted(row).total for row in rows):
        return always_valid([_strict(tally, gate) for tally in effort.by_unit(rows)], aim)
    tallies = [_strict(tally, gate) for tally in tallied_by_conversation(rows)]
    return interval([tally.passed for tally in tallies], [tally.total for tally in tallies])


def _forgiven(row: Result, fault: str) -> Result:
    """The row, passed where it fails for another fault."""
    forgiven = row.verdict is Verdict.FAIL and row.label != fault
    return replace(row, verdict=Verdict.PASS) if forgiven else row


def _corrected_outcome(
    gate: Gate, tallies: Mapping[str, Tally], estimates: Mapping[str, Estimate], labelled: LabelledRows
) -> GateOutcome:
    """Whether the lower bound of the corrected rate reaches the minimum; missed where a rate cannot be corrected."""
    decided = {code: tally for code, tally in tallies.items() if tally.total}
    unknown = [code for code in decided if code not in estimates or _bounds(estimates[code], decided[code]) is None]
    if unknown or not decided:
        what = f"{', '.join(unknown)} cannot be corrected: label some of the replies" if unknown else "no reply counts"
        return GateOutcome(gate, None, None, False, what)
    rate, low, high = _common(decided, estimates, labelled)
    counted = sum(decided.values(), Tally())
    # An error is a miss, whatever the judge would have said.
    share = counted.total / _strict(sum(tallies.values(), Tally()), gate).total
    return GateOutcome(gate, share * rate, (share * low, share * high), share * low >= gate.min_pass_rate)


def _common(
    tallies: Mapping[str, Tally], estimates: Mapping[str, Estimate], labelled: LabelledRows
) -> tuple[float, float, float]:
    """The corrected rate of several checks together, and its bounds.

    The labels of all checks correct it as one where each has enough of them. Else the bounds are the mean of those of
    the checks, which is too wide rather than too narrow: replies of one conversation are not independent.
    """
    pooled = corrected_by_labels(labelled, list(tallies)) if len(tallies) > 1 else None
    if pooled is not None:
        return pooled.rate, *pooled.interval
    total = sum(tally.total for tally in tallies.values())
    parts = [(tally.total / total, _bounds(estimates[code], tally)) for code, tally in tallies.items()]
    rate, low, high = (sum(share * part[place] for share, part in parts if part is not None) for place in range(3))
    return rate, low, high


def _bounds(estimate: Estimate, tally: Tally) -> tuple[float, float, float] | None:
    """The corrected rate of a check and its bounds; those of the rate itself where a rule judges."""
    if estimate.corrected is not None:
        return estimate.corrected.rate, *estimate.corrected.interval
    bounds = estimate.interval or tally.interval
    return (tally.rate, *bounds) if estimate.exact and tally.rate is not None and bounds is not None else None


def _strict(tally: Tally, gate: Gate) -> Tally:
    """The tally as a gate counts it: errors are misses, unless it ignores them."""
    return Tally(tally.passed, tally.total + (tally.errors if gate.errors == "miss" else 0))
