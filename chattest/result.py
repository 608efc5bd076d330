"""What came out: scores, verdicts, result rows, tallies, gates and the report."""

from collections.abc import Iterable
from dataclasses import dataclass, field
from enum import StrEnum
from math import sqrt
from typing import Any

from chattest.dialogue import Conversation


class Verdict(StrEnum):
    """Outcome of one check. Rates divide by PASS + FAIL."""

    PASS = "PASS"
    FAIL = "FAIL"
    NOT_APPLICABLE = "NOT_APPLICABLE"
    """The check does not apply: a probe that was never asked, the first answer about the bot itself."""
    ERROR = "ERROR"
    """A chatter or a judge failed."""


@dataclass(frozen=True, slots=True)
class Score:
    """What a scorer read out of one reply."""

    value: float | None
    """The detailed value, in the scorer's unit; `None` when it could not be scored (see `reason`)."""
    interpretation: str = ""
    """What was understood of the reply, such as the extracted answer, or `yes`."""
    parts: dict[str, float] = field(default_factory=dict)
    """The numbers the value was made from (labels of toxicity, probability of the reader, ...)."""
    reason: str = ""
    """Why this value, in words."""


@dataclass(frozen=True, slots=True)
class Result:
    """One row, the same for every family of checks."""

    check: str
    """Code of the case (`ML-U3`) or name of the check."""
    run: int
    conversation: str
    """Identifies the conversation or session, such as `run-001`."""
    round: int
    verdict: Verdict
    prompt: str = ""
    reply: str = ""
    expected: str = ""
    testset: str = ""
    perturbation: str = ""
    kind: str = ""
    """Modification type of the perturbation."""
    dose: float | None = None
    distance: int | None = None
    """Rounds since the fact was last stated."""
    group: str = ""
    """Group a fairness or bias check compares by."""
    label: str = ""
    score: Score = Score(None)
    reason: str = ""
    """Why this verdict, in words."""


def called(results: Iterable[Result]) -> str:
    """What rows count with, in words: `conversations`, `single questions`, or both."""
    names = {"conversations" if result.run else "single questions" for result in results}
    return " and ".join(sorted(names))


SORTS = ("probes", "replies", "single questions")
"""What a check may judge: answers to planted questions, every reply of a conversation, answers to single questions."""


def sorts(results: Iterable[Result]) -> dict[str, str]:
    """Check -> which of `SORTS` it judges, for the checks that have results."""
    found: dict[str, str] = {}
    for result in results:
        asked = SORTS[0] if result.testset else SORTS[1]
        found.setdefault(result.check, asked if result.run else SORTS[2])
    return found


@dataclass(frozen=True, slots=True)
class Tally:
    """Counts of verdicts; tallies add up."""

    passed: int = 0
    total: int = 0
    """PASS + FAIL."""
    not_applicable: int = 0
    errors: int = 0

    def __add__(self, other: "Tally") -> "Tally":
        return Tally(
            self.passed + other.passed,
            self.total + other.total,
            self.not_applicable + other.not_applicable,
            self.errors + other.errors,
        )

    def __str__(self) -> str:
        return f"[{self.passed}, {self.total}]"

    @classmethod
    def of(cls, verdict: Verdict) -> "Tally":
        """The tally of a single verdict."""
        return cls(
            int(verdict is Verdict.PASS),
            int(verdict in (Verdict.PASS, Verdict.FAIL)),
            int(verdict is Verdict.NOT_APPLICABLE),
            int(verdict is Verdict.ERROR),
        )

    @property
    def rate(self) -> float | None:
        """Share passed, 0 to 1; `None` when nothing was decided."""
        return self.passed / self.total if self.total else None

    @property
    def interval(self) -> tuple[float, float] | None:
        """95 % Wilson score interval of the rate; `None` when nothing was decided.

        Source: E. B. Wilson, Probable inference, the law of succession, and statistical inference,
        JASA 22 (1927), 209-212. Replies are taken as independent.
        """
        if not self.total:
            return None
        z = 1.959963984540054
        n, share = self.total, self.passed / self.total
        centre = (share + z * z / (2 * n)) / (1 + z * z / n)
        half = z * sqrt(share * (1 - share) / n + z * z / (4 * n * n)) / (1 + z * z / n)
        # Rounding must not push the bound past the rate itself at 0 and 1.
        return (
            0.0 if self.passed == 0 else max(0.0, centre - half),
            1.0 if self.passed == self.total else min(1.0, centre + half),
        )


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
    """Sort (see `SORTS`) -> how sure the rate of its checks together is."""
    tables: tuple[ExtraTable, ...] = ()
    """More tables, in the order in which they are shown."""
