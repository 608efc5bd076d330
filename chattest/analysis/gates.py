"""Gates: minimum pass rates, and whether they were met."""

from collections.abc import Iterable
from fnmatch import fnmatchcase

from chattest.analysis.tally import tallied_by_conversation
from chattest.records.report import Gate, GateOutcome
from chattest.records.result import Result, Tally
from chattest.statistics.clusters import interval


def gate_outcome(
    gate: Gate, tallies: dict[str, Tally], names: dict[str, str], results: Iterable[Result] = ()
) -> GateOutcome:
    """What became of a gate.

    names: check -> its readable name; the pattern may fit either. Of all checks that it fits the results are taken
    together, so that one check may fall short of what all of them reach. An ERROR counts as a miss unless the gate
    ignores errors. A gate under which nothing was decided is not met. results: the rows that were tallied; the interval
    then counts by conversation, and is Wilson's where fewer than two conversations had a reply that counts.
    """
    matching = [code for code in tallies if fnmatchcase(code, gate.pattern) or fnmatchcase(names[code], gate.pattern)]
    strict = _strict(sum((tallies[code] for code in matching), Tally()), gate)
    if not strict.total:
        return GateOutcome(gate, None, None, False, "nothing was decided under it")
    chosen = set(matching)
    held = [_strict(one, gate) for one in tallied_by_conversation(row for row in results if row.check in chosen)]
    clustered = interval([one.passed for one in held], [one.total for one in held])
    bounds = clustered or strict.interval
    reached = strict.rate if gate.level == "rate" else (bounds or (0.0, 0.0))[0]
    met = reached is not None and reached >= gate.min_pass_rate
    return GateOutcome(gate, strict.rate, bounds, met)


def _strict(tally: Tally, gate: Gate) -> Tally:
    """What a gate counts: errors as misses, unless it ignores them."""
    return Tally(tally.passed, tally.total + (tally.errors if gate.errors == "miss" else 0))
