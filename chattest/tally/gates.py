"""Decide whether gates, the minimum pass rates, are met."""

from collections.abc import Collection, Iterable, Mapping
from dataclasses import replace

from chattest.cases.base import reply_cases
from chattest.records.report import EXPERIMENTAL, Estimate, Gate, GateOutcome
from chattest.records.result import SCOPES, Result, Tally, Verdict
from chattest.statistics.clusters import compute_clustered_interval
from chattest.tally.labelled import UNLABELLED, LabelledRows, correct_by_labels
from chattest.tally.rates import count_result, tally_by_check, tally_by_conversation
from chattest.tally.stopping_targets import NO_TARGETS, StoppingTargets, compute_always_valid


def decide_gate(
    gate: Gate,
    tallies: dict[str, Tally],
    names: dict[str, str],
    results: Iterable[Result] = (),
    estimates: Mapping[str, Estimate] = {},
    labelled: LabelledRows = UNLABELLED,
    effort: StoppingTargets = NO_TARGETS,
    experimental: Collection[str] = (),
    scopes: Mapping[str, str] = {},
) -> GateOutcome:
    """Decide whether a gate is met.

    The gate's pattern is matched against codes and readable names. An experimental check counts only in a gate that
    names it in full, and the outcome says so. The results of all matching checks are pooled, so one check may fall
    below the minimum that they reach together. An ERROR counts as a failure unless the gate ignores errors. A gate
    without a PASS, FAIL or counted ERROR is not met, unless it ignores that it is empty.

    Args:
        gate: The gate.
        tallies: Check -> its tally.
        names: Check -> its readable name.
        results: The tallied rows, for the interval by conversation. It is Wilson's interval if fewer than two
            conversations have a row that counts.
        estimates: Check -> how certain its rate is; for gates on the corrected rate.
        labelled: The rows with people's labels; for gates on the corrected rate.
        effort: Where it names a case of the gate, and the gate is about conversations only, the interval is the
            always-valid one.
        experimental: The codes of the experimental checks.
        scopes: Check -> its scope, for gates on an overall rate.
    """
    matching = [
        code for code in tallies if gate.applies_to(code, names[code], code in experimental, scopes.get(code, ""))
    ]
    if not matching and any(gate.applies_to(code, names[code]) for code in tallies):
        return GateOutcome(gate, None, None, gate.empty == "ignore", ONLY_EXPERIMENTAL)
    outcome = _decide(gate, tallies, matching, list(results), estimates, labelled, effort)
    named = [code for code in matching if code in experimental]
    return replace(outcome, note=f"{', '.join(named)} is {EXPERIMENTAL}") if named else outcome


ONLY_EXPERIMENTAL = f"its pattern matches nothing but {EXPERIMENTAL} cases, which a gate must name in full"
"""Why a gate counts nothing."""


def make_overall_gates(fail_under: float | None, scopes: Iterable[str]) -> list[Gate]:
    """Return the gates that the setting `fail_under` asks for, one for each overall rate.

    Args:
        fail_under: The setting.
        scopes: The scopes of the checks that the report counts.
    """
    if fail_under is None:
        return []
    return [Gate("*", fail_under, scope=scope) for scope in SCOPES if scope in set(scopes)]


def find_reply_gates(gates: Iterable[Gate], counted: Collection[str]) -> list[Gate]:
    """Return the gates that cases of replies bring with them, of the cases that were counted and that no gate names.

    Args:
        gates: The stated gates. One whose pattern is a case's code or name takes the place of its own.
        counted: The codes of the checks with rows.
    """
    named = {gate.pattern for gate in gates}
    return [
        case.gate
        for case in reply_cases()
        if case.gate is not None and case.code in counted and not named & {case.code, case.name}
    ]


def _decide(
    gate: Gate,
    tallies: dict[str, Tally],
    matching: Collection[str],
    results: list[Result],
    estimates: Mapping[str, Estimate],
    labelled: LabelledRows,
    effort: StoppingTargets,
) -> GateOutcome:
    """Decide whether a gate is met by the checks that it applies to, `matching`; see `decide_gate`."""
    if gate.fault:
        results = [_forgive_other_faults(row, gate.fault) for row in results]
        tallies = tally_by_check(results)
        matching = [code for code in matching if code in tallies]
    strict = _strict(sum((tallies[code] for code in matching), Tally()), gate)
    if not strict.total:
        return GateOutcome(gate, None, None, gate.empty == "ignore", "none of its checks has a result")
    if gate.level == "corrected_lower":
        return _decide_by_corrected_rate(gate, {code: tallies[code] for code in matching}, estimates, labelled)
    bounds = _find_interval([row for row in results if row.check in set(matching)], gate, effort) or strict.interval
    reached = strict.rate if gate.level == "rate" else (bounds or (0.0, 0.0))[0]
    met = reached is not None and reached >= gate.min_pass_rate
    return GateOutcome(gate, strict.rate, bounds, met)


def _find_interval(rows: list[Result], gate: Gate, effort: StoppingTargets) -> tuple[float, float] | None:
    """Compute the interval by conversation of the rows that a gate applies to."""
    aim = effort.find_smallest_half_width({row.check for row in rows})
    if aim is not None and all(row.run or not count_result(row).total for row in rows):
        return compute_always_valid([_strict(tally, gate) for tally in effort.tally_by_unit(rows)], aim)
    tallies = [_strict(tally, gate) for tally in tally_by_conversation(rows)]
    return compute_clustered_interval([tally.passed for tally in tallies], [tally.total for tally in tallies])


def _forgive_other_faults(row: Result, fault: str) -> Result:
    """Return the row as passed if it fails for another fault."""
    other_fault = row.verdict is Verdict.FAIL and row.label != fault
    return replace(row, verdict=Verdict.PASS) if other_fault else row


def _decide_by_corrected_rate(
    gate: Gate, tallies: Mapping[str, Tally], estimates: Mapping[str, Estimate], labelled: LabelledRows
) -> GateOutcome:
    """Decide whether the lower bound of the corrected rate reaches the minimum; no if a rate cannot be corrected."""
    decided = {code: tally for code, tally in tallies.items() if tally.total}
    unknown = [code for code in decided if code not in estimates or _bounds(estimates[code], decided[code]) is None]
    if unknown or not decided:
        what = f"{', '.join(unknown)} cannot be corrected: label some of the replies" if unknown else "no reply counts"
        return GateOutcome(gate, None, None, False, what)
    rate, low, high = _pool_corrected(decided, estimates, labelled)
    pooled = sum(decided.values(), Tally())
    # An error is a failure, whatever the judge's verdict would have been.
    share = pooled.total / _strict(sum(tallies.values(), Tally()), gate).total
    return GateOutcome(gate, share * rate, (share * low, share * high), share * low >= gate.min_pass_rate)


def _pool_corrected(
    tallies: Mapping[str, Tally], estimates: Mapping[str, Estimate], labelled: LabelledRows
) -> tuple[float, float, float]:
    """Return the corrected rate of several checks together, and its bounds.

    If each check has enough labels, all labels together correct the pooled rate. Otherwise the bounds are the mean of
    the bounds of the checks, which is too wide rather than too narrow: replies of one conversation are not independent.
    """
    pooled = correct_by_labels(labelled, list(tallies)) if len(tallies) > 1 else None
    if pooled is not None:
        return pooled.rate, *pooled.interval
    total = sum(tally.total for tally in tallies.values())
    parts = [(tally.total / total, _bounds(estimates[code], tally)) for code, tally in tallies.items()]
    rate, low, high = (sum(share * part[index] for share, part in parts if part is not None) for index in range(3))
    return rate, low, high


def _bounds(estimate: Estimate, tally: Tally) -> tuple[float, float, float] | None:
    """Return the corrected rate of a check and its bounds; where a rule judges, the rate itself and its bounds."""
    if estimate.corrected is not None:
        return estimate.corrected.rate, *estimate.corrected.interval
    bounds = estimate.interval or tally.interval
    return (tally.rate, *bounds) if estimate.exact and tally.rate is not None and bounds is not None else None


def _strict(tally: Tally, gate: Gate) -> Tally:
    """Return the tally as a gate counts it: errors are failures, unless the gate ignores them."""
    return Tally(tally.passed, tally.total + (tally.errors if gate.errors == "miss" else 0))
