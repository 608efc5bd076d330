"""What came out: scores, verdicts, result rows, tallies, gates and the report."""

from collections.abc import Iterable
from dataclasses import dataclass, field
from enum import StrEnum

from chattest.statistics.wilson import wilson


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


def units_in_words(results: Iterable[Result]) -> str:
    """What the rows are counted by: `conversations`, `single questions`, or both joined by `and`."""
    names = {"conversations" if result.run else "single questions" for result in results}
    return " and ".join(sorted(names))


SCOPES = ("probes", "replies", "single questions")
"""What a check may judge: answers to planted questions, every reply of a conversation, answers to single questions."""


def check_scopes(results: Iterable[Result]) -> dict[str, str]:
    """Check -> which of `SCOPES` it judges, for the checks that have results."""
    scopes: dict[str, str] = {}
    for result in results:
        in_conversation = SCOPES[0] if result.testset else SCOPES[1]
        scopes.setdefault(result.check, in_conversation if result.run else SCOPES[2])
    return scopes


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
        """95 % Wilson score interval of the rate, as if replies were independent; `None` when nothing was decided."""
        return wilson(self.passed / self.total, self.total) if self.total else None
