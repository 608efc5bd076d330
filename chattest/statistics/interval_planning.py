"""Planning: how many replies or labels, or how much better a judge, make an interval narrower.

A half width has two parts: the variation of replies, which more replies make smaller, and the judge's errors, which
labels and better judges make smaller. Their squares add up.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from math import inf, sqrt

from chattest.statistics.judges import Accuracy, compute_corrected_variance
from chattest.statistics.prediction_powered import LEAST
from chattest.statistics.wilson import Z

OTHER_JUDGE = Accuracy(right=100, passed=95, wrong=100, failed=95)
"""An assumed other judge: right on 95 of 100 replies that should pass, and of those that should fail."""


@dataclass(frozen=True, slots=True)
class Width:
    """The interval of a corrected rate, and its sources."""

    rate: float
    """The corrected rate, 0 to 1."""
    half: float
    """Half the width of its interval, 0 to 0.5."""
    margin: float
    """The part of `half` that comes from the judge's errors."""
    raw: float
    """Half the width of the interval of the rate as the judge sees it."""
    replies: int
    """How many replies were judged."""
    labels: int = 0
    """How many replies have a label drawn at random."""
    judge: Accuracy | None = None
    """The judge's results on other labelled replies; `None` if it was not measured."""

    def replies_for(self, target: float) -> float:
        """Return how many times as many replies make the half width `target`, above 0; infinite if no number does."""
        left = target**2 - self.margin**2
        return max(1.0, max(0.0, self.half**2 - self.margin**2) / left) if left > 0 else inf

    def labels_for(self, target: float) -> float:
        """Return how many labels in all make the half width `target`; infinite if one for every reply is too few."""
        if self.labels:
            error, left = self.margin**2 * self.labels, target**2 - max(0.0, self.half**2 - self.margin**2)
        else:
            error = Z**2 * self.rate * (1 - self.rate) * (1 - compute_explained_share(self.judge, self.rate))
            left = target**2 - self.raw**2
        needed = error / left if left > 0 else inf
        return needed if needed <= self.replies else inf

    def with_other_judge(self) -> float:
        """Return the half width if another judge judged the same replies (see `OTHER_JUDGE`)."""
        spread = self.rate * (1 - self.rate)
        if self.labels:
            return float(
                (self.raw**2 + Z**2 * spread * (1 - compute_explained_share(OTHER_JUDGE, self.rate)) / self.labels)
                ** 0.5
            )
        effective = Z**2 * spread / self.raw**2 if self.raw else self.replies
        return float(Z * compute_corrected_variance(OTHER_JUDGE, self.rate, max(1.0, effective)) ** 0.5)


def compute_explained_share(judge: Accuracy | None, rate: float) -> float:
    """Return the share of the variance of right and wrong replies that a judge's verdicts explain, 0 to 1.

    It is the squared correlation.

    Args:
        judge: `None` if it was not measured, so that nothing is explained.
        rate: The pass rate, 0 to 1.
    """
    if judge is None or not judge.usable:
        return 0.0
    reported = rate * judge.sensitivity + (1 - rate) * (1 - judge.specificity)
    if not 0 < reported < 1:
        return 0.0
    return (judge.sensitivity + judge.specificity - 1) ** 2 * rate * (1 - rate) / (reported * (1 - reported))


def allot_labels(sizes: Sequence[int], labels: int) -> list[int]:
    """Distribute labels over cases: equally many to each, as far as it has rows. `sizes` are the rows of each case."""
    given = [0] * len(sizes)
    left = min(labels, sum(sizes))
    while left:
        open_cases = [index for index, size in enumerate(sizes) if given[index] < size]
        for index in open_cases[:left]:
            given[index] += 1
        left -= min(left, len(open_cases))
    return given


def predict_width(rate: float, rows: int, effective: float, labels: int, explained_share: float) -> float | None:
    """Predict the width, 0 to 1, of the 95 % interval of a rate with labels; `None` with fewer than `LEAST` labels.

    A person's labels of rows that were drawn at random show how often the judge errs on this bot. The rate over all
    rows, as the judge sees it, is corrected by the mean error on the labelled rows: prediction-powered inference (A. N.
    Angelopoulos et al., Science 382 (2023), 669-674), with the judge's verdicts weighted by how much they tell (PPI++).

    Args:
        rate: The pass rate, as far as it is known.
        rows: How many rows are judged.
        effective: How many independent rows are worth as much, at most `rows`.
        labels: How many of the rows a person labels, drawn at random.
        explained_share: The share of the variance that the judge explains, see `compute_explained_share`.
    """
    if labels < LEAST:
        return None
    rate = (rate * rows + 1) / (rows + 2)  # a rate of 1 in ten rows is no certainty
    spread = rate * (1 - rate)
    total = spread / effective + (1 - labels / rows) * spread * (1 - explained_share) / labels
    half = Z * sqrt(total)
    return min(1.0, rate + half) - max(0.0, rate - half)
