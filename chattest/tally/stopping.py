"""Decide whether a run may stop: how precisely each rate is known, and whether its gates are decided."""

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from fnmatch import fnmatchcase

from chattest.cases.base import all_cases, find_experimental
from chattest.records.report import ExtraColumn, ExtraTable, Gate
from chattest.records.result import Result
from chattest.tally.gates import decide_gate
from chattest.tally.rates import tally_by_check
from chattest.tally.stopping_targets import StoppingTargets, compute_always_valid
from chattest.text.format import distinct_digits, many

NAME = "When the run stops"
NOTE = (
    "The intervals of these cases are always-valid: they stay valid although the run looked at them to decide when to "
    "stop. Ordinary intervals would be too narrow."
)


@dataclass(frozen=True, slots=True)
class GateState:
    """The state of a gate: is it decided?"""

    gate: Gate
    interval: tuple[float, float] | None
    """The always-valid interval of the rate that it is about."""

    @property
    def decided(self) -> bool:
        """Whether the interval lies on one side of the minimum."""
        least = self.gate.min_pass_rate
        return self.interval is not None and (self.interval[0] >= least or self.interval[1] < least)

    @property
    def words(self) -> str:
        """The state in words: `gate ML-I1 is decided: 85 to 100 %, the minimum is 80 %`."""
        assert self.interval is not None
        low, high = (100 * bound for bound in self.interval)
        least = f"{100 * self.gate.min_pass_rate:g} %"
        return f"gate {self.gate.pattern} is decided: {low:.1f} to {high:.1f} %, the minimum is {least}"


@dataclass(frozen=True, slots=True)
class RatePrecision:
    """The precision with which the rate of a case is known."""

    case: str
    wanted: float
    """The half-width that the interval must reach."""
    interval: tuple[float, float] | None
    """The always-valid interval of its rate."""
    gates: tuple[GateState, ...]
    """The gates on its rate; the run may stop when they are decided."""

    @property
    def half(self) -> float:
        """Half the width of the interval; 0.5 if nothing was decided."""
        low, high = self.interval or (0.0, 1.0)
        return (high - low) / 2

    @property
    def narrow(self) -> bool:
        """Whether the interval is narrow enough."""
        return self.half <= self.wanted

    @property
    def enough(self) -> bool:
        """Whether the run may stop for this case: the interval is narrow enough, or all gates are decided."""
        return self.narrow or (bool(self.gates) and all(gate.decided for gate in self.gates))

    @property
    def words(self) -> str:
        """The state in words: `ML-I1 is known to ±0.05`, with the target if it is missed; or the decided gates."""
        if self.narrow:
            return f"{self.case} is known to ±{self.half:.2g}"
        if self.enough:
            return "; ".join(gate.words for gate in self.gates)
        return f"{self.case} is known to ±{distinct_digits(self.half, self.wanted)}, not to ±{self.wanted:g}"


def measure_precision(
    results: Sequence[Result], gates: Sequence[Gate], effort: StoppingTargets, others: Collection[str] = ()
) -> tuple[RatePrecision, ...]:
    """Measure how precisely the rate of each case that `stop_when` names is known.

    A gate that also applies to single questions, or to a corrected rate, is only decided at the end, so it never stops
    a run.

    Args:
        results: The rows of all conversations so far.
        gates: The gates of the run.
        effort: The targets of the run.
        others: The codes of its checks by single questions.
    """
    names = {case.code: case.name for case in all_cases()}
    experimental = find_experimental(names)
    rows = [row for row in results if row.check in names]
    tallies = tally_by_check(rows)
    usable = [
        gate
        for gate in gates
        if gate.level != "corrected_lower" and not any(fnmatchcase(code, gate.pattern) for code in others)
    ]
    states = []
    for code, wanted in effort.widths.items():
        own_rows = [row for row in rows if row.check == code]
        own_gates = tuple(
            GateState(gate, decide_gate(gate, tallies, names, rows, effort=effort, experimental=experimental).interval)
            for gate in usable
            if gate.applies_to(code, names[code], code in experimental)
        )
        states.append(
            RatePrecision(code, wanted, compute_always_valid(effort.tally_by_unit(own_rows), wanted), own_gates)
        )
    return tuple(states)


def describe_progress(cases: Sequence[RatePrecision], effort: StoppingTargets) -> str:
    """Describe how far a run has come, in a sentence without its full stop.

    Example: `stopped after 12 of 40 conversations: ML-I1 is known to ±0.05`.
    """
    count = len(effort.units)
    states = "; ".join(dict.fromkeys(case.words for case in cases))
    if count >= effort.most:
        return f"held all {many(count, 'conversation')}: {states}"
    begin = "stopped after" if all(case.enough for case in cases) else "held"
    return f"{begin} {count:,} of {many(effort.most, 'conversation')}: {states}"


def make_table(cases: Sequence[RatePrecision], effort: StoppingTargets) -> ExtraTable:
    """Make the table that every report shows, with a row for each case that `stop_when` names."""
    sentence = describe_progress(cases, effort)
    columns = (
        ExtraColumn("Case"),
        ExtraColumn("Wanted, ±", "number"),
        ExtraColumn("Known to, ±", "number"),
        ExtraColumn("From", "rate"),
        ExtraColumn("To", "rate"),
        ExtraColumn("Enough"),
    )
    rows = tuple((case.case, case.wanted, case.half, *(case.interval or (None, None)), _why(case)) for case in cases)
    return ExtraTable(NAME, f"{sentence[0].upper()}{sentence[1:]}. {NOTE}", columns, rows)


def _why(case: RatePrecision) -> str:
    if case.narrow:
        return "narrow enough"
    return "its gates are decided" if case.enough else "no"
