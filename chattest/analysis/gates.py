"""Gates: minimum pass rates, and whether they are met."""

from collections.abc import Iterable
from fnmatch import fnmatchcase

from chattest.analysis.tally import tallied_by_conversation
from chattest.records.report import Gate, GateOutcome
from chattest.records.result import Result, Tally
from chattest.statistics.clusters import interval


def gate_outcome(
    gate: Gate, tallies: dict[str, Tally], names: dict[str, str], results: Iterable[Result] = ()
) -> GateOutcome:
    """Whether a gate is met.

    The gate's pattern is matched against codes and readable names. The results of all matching checks are pooled, so
    one check may fall below the minimum that they reach together. An ERROR counts as a miss unless the gate ignores
    errors. A gate without a PASS, FAIL or counted ERROR is not met. tallies: check -> its tally. names: check -> its
    readable name. results: the tallied rows, for the interval by conversation; where fewer than two conversations have
    a row that counts, it is Wilson's interval.
    """
    matching = [code for code in tallies if fnmatchcase(code, gate.pattern) or fnmatchcase(names[code], gate.pattern)]
    strict = _strict(sum((tallies[code] for code in matching), Tally()), gate)
    if not strict.total:
        return GateOutcome(gate, None, None, False, "none of its checks has a result")
    rows = [row for row in results if row.check in set(matching)]
    tallied = [_strict(tally, gate) for tally in tallied_by_conversation(rows)]
    clustered = interval([tally.passed for tally in tallied], [tally.total for tally in tallied])
    bounds = clustered or strict.interval
    reached = strict.rate if gate.level == "rate" else (bounds or (0.0, 0.0))[0]
    met = reached is not None and reached >= gate.min_pass_rate
    return GateOutcome(gate, strict.rate, bounds, met)


def _strict(tally: Tally, gate: Gate) -> Tally:
    """The tally as a gate counts it: errors are misses, unless it ignores them."""
    return Tally(tally.passed, tally.total + (tally.errors if gate.errors == "miss" else 0))
