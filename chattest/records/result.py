"""Scores, verdicts, result rows and tallies."""

from collections.abc import Iterable
from dataclasses import dataclass, field
from enum import StrEnum

from chattest.statistics.wilson import wilson


class Verdict(StrEnum):
    """Outcome of a check. Rates are PASS / (PASS + FAIL)."""

    PASS = "PASS"
    FAIL = "FAIL"
    NOT_APPLICABLE = "NOT_APPLICABLE"
    """The check does not apply, for instance because the probe was never asked."""
    ERROR = "ERROR"
    """A chatter or a judge failed."""


@dataclass(frozen=True, slots=True)
class Score:
    """A scorer's result for a reply."""

    value: float | None
    """The score in the scorer's unit; `None` if the reply could not be scored (see `reason`)."""
    interpretation: str = ""
    """How the reply was understood, such as the extracted answer or `yes`."""
    parts: dict[str, float] = field(default_factory=dict)
    """The numbers behind the value, such as the toxicity labels."""
    reason: str = ""
    """Why the reply got this value, in words."""


@dataclass(frozen=True, slots=True)
class Result:
    """A result row; all families of checks use the same record."""

    check: str
    """Code of the case (`ML-U3`) or name of the check."""
    run: int
    """Number of the run, from 1; 0 for a single question."""
    conversation: str
    """Identifies the conversation or session, such as `run-001`."""
    round: int
    """Number of the round; for a single question, its index in the check."""
    verdict: Verdict
    prompt: str = ""
    """What the bot was told or asked."""
    reply: str = ""
    """What the bot said."""
    expected: str = ""
    """The expected answer; may be empty."""
    testset: str = ""
    """Name of the test set; empty if the check uses none."""
    perturbation: str = ""
    """Name of the perturbation; empty if the prompt is unaltered."""
    kind: str = ""
    """Modification type of the perturbation."""
    dose: float | None = None
    """How much the prompt was altered, in the perturbation's unit."""
    distance: int | None = None
    """Rounds since the fact was last stated."""
    group: str = ""
    """The group that a fairness or bias check assigns the row to."""
    label: str = ""
    """Failure cause, smart tags, or what a summary row covers; may be empty."""
    score: Score = Score(None)
    """The scorer's result."""
    reason: str = ""
    """Why the row got this verdict, in words."""


def units_in_words(results: Iterable[Result]) -> str:
    """The units of the rows: `conversations`, `single questions`, or both joined by `and`."""
    names = {"conversations" if result.run else "single questions" for result in results}
    return " and ".join(sorted(names))


SCOPES = ("probes", "replies", "single questions")
"""What a check can judge: answers to probes, all replies of a conversation, answers to single questions."""


def check_scopes(results: Iterable[Result]) -> dict[str, str]:
    """Check -> its scope, one of `SCOPES`, for the checks that have results."""
    scopes: dict[str, str] = {}
    for result in results:
        in_conversation = SCOPES[0] if result.testset else SCOPES[1]
        scopes.setdefault(result.check, in_conversation if result.run else SCOPES[2])
    return scopes


@dataclass(frozen=True, slots=True)
class Tally:
    """Counts of verdicts; tallies can be added."""

    passed: int = 0
    """Number of PASS."""
    total: int = 0
    """Number of PASS and FAIL."""
    not_applicable: int = 0
    """Number of NOT_APPLICABLE."""
    errors: int = 0
    """Number of ERROR."""

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
        """Pass rate, 0 to 1; `None` if `total` is 0."""
        return self.passed / self.total if self.total else None

    @property
    def interval(self) -> tuple[float, float] | None:
        """95 % Wilson score interval of the rate, as if replies were independent; `None` if `total` is 0."""
        return wilson(self.passed / self.total, self.total) if self.total else None
