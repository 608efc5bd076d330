"""Whether a run knows enough to stop: how well each rate is known, and whether the gates on it are decided."""

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from fnmatch import fnmatchcase

from chattest.cases.base import all_cases
from chattest.records.report import ExtraColumn, ExtraTable, Gate
from chattest.records.result import Result
from chattest.tally.gates import gate_outcome
from chattest.tally.rates import tallied
from chattest.tally.stopping_targets import Effort, always_valid
from chattest.text.format import distinct_digits, many

NAME = "When the run stops"
NOTE = (
    "The intervals of these cases are always-valid: they hold although the run looked at them to decide when to stop. "
    "Ordinary ones would be too narrow."
)


@dataclass(frozen=True, slots=True)
class GateKnown:
    """How well a gate is known."""

    gate: Gate
    interval: tuple[float, float] | None
    """The always-valid interval of what it asks for."""

    @property
    def decided(self) -> bool:
        """Whether the interval lies on one side of the minimum."""
        least = self.gate.min_pass_rate
        return self.interval is not None and (self.interval[0] >= least or self.interval[1] < least)

    @property
    def words(self) -> str:
        """`gate ML-I1 is decided: 85 to 100 %, and it asks for 80 %`."""
        assert self.interval is not None
        low, high = (100 * bound for bound in self.interval)
        return f"gate {self.gate.pattern} is decided: {low:.1f} to {high:.1f} %, and it asks for " + (
            f"{100 * self.gate.min_pass_rate:g} %"
        )


@dataclass(frozen=True, slots=True)
class Known:
    """How well the rate of a case is known."""

    case: str
    wanted: float
    """Half the width of the interval that is wanted."""
    interval: tuple[float, float] | None
    """The always-valid interval of its rate."""
    gates: tuple[GateKnown, ...]
    """The gates that it could be stopped by."""

    @property
    def half(self) -> float:
        """Half the width of the interval; 0.5 where nothing was decided."""
        low, high = self.interval or (0.0, 1.0)
        return (high - low) / 2

    @property
    def narrow(self) -> bool:
        """Whether the interval is as narrow as was wanted."""
        return self.half <= self.wanted

    @property
    def enough(self) -> bool:
        """Whether nothing more has to be known: the interval is narrow, or all gates are decided."""
        return self.narrow or (bool(self.gates) and all(gate.decided for gate in self.gates))

    @property
    def words(self) -> str:
        """`ML-I1 is known to ±0.05`; what is still wanted, where it is; or which gates are decided."""
        if self.narrow:
            return f"{self.case} is known to ±{self.half:.2g}"
        if self.enough:
            return "; ".join(gate.words for gate in self.gates)
        return f"{self.case} is known to ±{distinct_digits(self.half, self.wanted)}, not to ±{self.wanted:g}"


def known(
    results: Sequence[Result], gates: Sequence[Gate], effort: Effort, others: Collection[str] = ()
) -> tuple[Known, ...]:
    """How well the rate of each case that `stop_when` names is known.

    results: the rows of all conversations so far. gates: those of the run. others: the codes of its checks by single
    questions. A gate that applies to these as well, or to a corrected rate, is not known before the end, so that it
    stops nothing.
    """
    names = {case.code: case.name for case in all_cases()}
    rows = [row for row in results if row.check in names]
    tallies = tallied(rows)
    asked = [
        gate
        for gate in gates
        if gate.level != "corrected_lower" and not any(fnmatchcase(code, gate.pattern) for code in others)
    ]
    found = []
    for code, wanted in effort.widths.items():
        own = [row for row in rows if row.check == code]
        of_gates = tuple(
            GateKnown(gate, gate_outcome(gate, tallies, names, rows, effort=effort).interval)
            for gate in asked
            if fnmatchcase(code, gate.pattern) or fnmatchcase(names[code], gate.pattern)
        )
        found.append(Known(code, wanted, always_valid(effort.by_unit(own), wanted), of_gates))
    return tuple(found)


def in_words(cases: Sequence[Known], effort: Effort) -> str:
    """How far a run has come, in a sentence without its full stop.

    Example: `stopped after 12 of 40 conversations: ML-I1 is known to ±0.05`. It says the most that can be said of the
    cases that are not known well enough.
    """
    held = len(effort.units)
    what = "; ".join(dict.fromkeys(case.words for case in cases))
    if held >= effort.most:
        return f"held all {many(held, 'conversation')}: {what}"
    begin = "stopped after" if all(case.enough for case in cases) else "held"
    return f"{begin} {held:,} of {many(effort.most, 'conversation')}: {what}"


def table(cases: Sequence[Known], effort: Effort) -> ExtraTable:
    """The table that every report shows: a row per case that `stop_when` names."""
    sentence = in_words(cases, effort)
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


def _why(case: Known) -> str:
    if case.narrow:
        return "narrow enough"
    return "its gates are decided" if case.enough else "no"
