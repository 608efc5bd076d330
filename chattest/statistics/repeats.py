"""Repeated questions: how often a bot passes every time, and how often its verdict changes."""

from collections.abc import Sequence
from dataclasses import dataclass
from math import comb


@dataclass(frozen=True, slots=True)
class Repeats:
    """The verdicts of a question that was asked several times."""

    passed: int
    """Number of repeats that passed."""
    total: int
    """Number of repeats."""

    @property
    def flakiness(self) -> float:
        """Probability that two of its repeats have different verdicts, 0 to 1; 0 with fewer than two repeats."""
        if self.total < 2:
            return 0.0
        return 2 * self.passed * (self.total - self.passed) / (self.total * (self.total - 1))


def pass_every_time(questions: Sequence[Repeats], times: int) -> float | None:
    """Compute pass^k: the probability that a question passes `times` times in a row, averaged over the questions.

    The unbiased estimate is C(passed, k) / C(total, k) per question, as in S. Yao et al., tau-bench (2024). Questions
    with fewer repeats than `times` do not count. `None` if no question counts.
    """
    shares = [
        comb(question.passed, times) / comb(question.total, times) for question in questions if question.total >= times
    ]
    return sum(shares) / len(shares) if shares else None
