"""What would make an interval narrower: more replies, more labels, or a better judge, and how much of it.

A half width has two parts whose squares add up: how much replies differ, which more replies make smaller, and how
often the judge errs, which labels and better judges make smaller.
"""

from dataclasses import dataclass
from math import inf

from chattest.statistics.judges import Accuracy, variance
from chattest.statistics.wilson import Z

OTHER_JUDGE = Accuracy(right=100, passed=95, wrong=100, failed=95)
"""What another judge is taken to be: right on 95 of 100 replies of both sorts."""


@dataclass(frozen=True, slots=True)
class Width:
    """The interval of a corrected rate, and what it comes from."""

    rate: float
    """The corrected rate, 0 to 1."""
    half: float
    """Half the width of its interval, 0 to 0.5."""
    margin: float
    """The part of it that comes from the judge's errors."""
    raw: float
    """Half the width of the interval of the rate as the judge sees it."""
    replies: int
    """How many replies were judged."""
    labels: int = 0
    """How many of them have a label drawn at random."""
    judge: Accuracy | None = None
    """How right the judge is on labelled replies of others; `None` if it was not measured."""

    def replies_for(self, target: float) -> float:
        """How many times as many replies make the half width `target`; infinite if none do. target: above 0."""
        left = target**2 - self.margin**2
        return max(1.0, max(0.0, self.half**2 - self.margin**2) / left) if left > 0 else inf

    def labels_for(self, target: float) -> float:
        """How many labels in all make the half width `target`; infinite if not even one for each reply does."""
        if self.labels:
            error, left = self.margin**2 * self.labels, target**2 - max(0.0, self.half**2 - self.margin**2)
        else:
            error = Z**2 * self.rate * (1 - self.rate) * (1 - explained(self.judge, self.rate))
            left = target**2 - self.raw**2
        needed = error / left if left > 0 else inf
        return needed if needed <= self.replies else inf

    def with_other_judge(self) -> float:
        """The half width if another judge judged the same replies (see `OTHER_JUDGE`)."""
        spread = self.rate * (1 - self.rate)
        if self.labels:
            return float((self.raw**2 + Z**2 * spread * (1 - explained(OTHER_JUDGE, self.rate)) / self.labels) ** 0.5)
        effective = Z**2 * spread / self.raw**2 if self.raw else self.replies
        return float(Z * variance(OTHER_JUDGE, self.rate, max(1.0, effective)) ** 0.5)


def explained(judge: Accuracy | None, rate: float) -> float:
    """The share of the variance of right and wrong replies that a judge's verdicts explain, 0 to 1.

    It is the squared correlation. judge: `None` if it was not measured, so that nothing is explained. rate: 0 to 1.
    """
    if judge is None or not judge.usable:
        return 0.0
    reported = rate * judge.sensitivity + (1 - rate) * (1 - judge.specificity)
    if not 0 < reported < 1:
        return 0.0
    return (judge.sensitivity + judge.specificity - 1) ** 2 * rate * (1 - rate) / (reported * (1 - reported))
