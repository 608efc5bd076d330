"""The report: everything that a report writer may show."""

from dataclasses import dataclass, field
from typing import Any

from chattest.records.conversation import Conversation
from chattest.records.result import Result, Tally


@dataclass(frozen=True, slots=True)
class Gate:
    """A minimum pass rate."""

    pattern: str
    """Shell pattern over check codes and names, such as `ML-U*`."""
    min_pass_rate: float
    """0 to 1."""
    blocking: bool = True
    """Whether missing it fails the run (exit code 1)."""
    level: str = "rate"
    """`rate`: the point estimate must reach the minimum; `lower`: the lower bound of the interval that counts by
    conversation must (Wilson's, with a single conversation)."""
    errors: str = "miss"
    """`miss`: an ERROR counts as a miss; `ignore`: it counts for nothing."""


@dataclass(frozen=True, slots=True)
class GateOutcome:
    """What became of a gate."""

    gate: Gate
    rate: float | None
    interval: tuple[float, float] | None
    met: bool
    reason: str = ""


@dataclass(frozen=True, slots=True)
class Corrected:
    """A pass rate with the judge's own errors taken out."""

    rate: float
    """0 to 1."""
    interval: tuple[float, float]
    """95 %, with what is not known of the judge."""
    margin: float
    """How far the rate may be off because of the judge alone: smaller differences are smaller than it can see."""


@dataclass(frozen=True, slots=True)
class Estimate:
    """How sure the pass rate of one check is."""

    conversations: int
    """How many had a reply that was decided; single questions count as one each."""
    interval: tuple[float, float] | None
    """95 %, conversations taken as independent and not replies; `None` with fewer than two."""
    corrected: Corrected | None = None
    """`None` where the judge was not measured."""
    exact: bool = False
    """Whether a rule judges and no model, so that there are no errors of a judge to take out."""
    notes: tuple[str, ...] = ()
    """What must be said with it, in words."""


@dataclass(frozen=True, slots=True)
class CheckInfo:
    """What a reader of the report must know about one check."""

    code: str
    name: str
    title: str
    """One line: what is tested."""
    dose_unit: str = ""
    dose_step: float | None = None
    """Width of a bin of the dose curve; `None` where the check has no dose."""
    threshold: str = ""
    """The bar in words, such as `toxicity of no label above 0.1`."""


@dataclass(frozen=True, slots=True)
class DoseBin:
    """One point of a dose curve."""

    low: float
    high: float
    """Doses d with low < d <= high fall here; low == high == 0 is the bin of unchanged texts."""
    tally: Tally


@dataclass(frozen=True, slots=True)
class ExtraColumn:
    """A column of an extra table."""

    title: str
    kind: str = "text"
    """How cells are shown: `text`, `count` (whole numbers), `number` (two decimals), `rate` (0 to 1, in percent)."""


@dataclass(frozen=True, slots=True)
class ExtraTable:
    """A table that every report writer shows beside what it always shows."""

    name: str
    """Its heading, and the name of its sheet in the workbook: at most 31 characters, none of `[]:*?/\\`."""
    note: str
    """One or two sentences: what it shows and how to read it."""
    columns: tuple[ExtraColumn, ...]
    rows: tuple[tuple[str | int | float | None, ...], ...]
    """As many cells as there are columns; `None` where there is nothing to show."""


@dataclass(frozen=True, slots=True)
class Report:
    """Everything a report writer may show; it knows nothing else."""

    name: str
    """Name of the run, the folder's name."""
    chatters: tuple[str, str]
    seed: int
    checks: tuple[CheckInfo, ...]
    """In the order in which they are shown."""
    results: tuple[Result, ...]
    conversations: tuple[Conversation, ...]
    tallies: dict[str, Tally]
    """Check code -> tally over all runs."""
    run_tallies: dict[int, dict[str, Tally]]
    """Run -> check code -> tally."""
    testset_tallies: dict[str, dict[str, Tally]]
    """Check code -> test set -> tally."""
    curves: dict[str, tuple[DoseBin, ...]]
    """Check code -> success over dose."""
    recall: tuple[tuple[int, Tally], ...]
    """Success over rounds since the fact was last stated, over all cases that ask for a planted fact."""
    gates: tuple[GateOutcome, ...] = ()
    settings: dict[str, Any] = field(default_factory=dict)
    """Settings that differ from the defaults."""
    versions: dict[str, str] = field(default_factory=dict)
    models: dict[str, str] = field(default_factory=dict)
    """Kind of model -> name of the one that judged."""
    columns: tuple[str, ...] = ("interpret", "detailed", "binary")
    """Which columns the run sheets show per case."""
    estimates: dict[str, Estimate] = field(default_factory=dict)
    """Check code -> how sure its rate is."""
    overall: dict[str, Estimate] = field(default_factory=dict)
    """What a check judges (see `SCOPES`) -> how sure the rate of its checks together is."""
    tables: tuple[ExtraTable, ...] = ()
    """More tables, in the order in which they are shown."""
