"""Correct a pass rate for the judge's own errors.

A judge that passes 5 % of the wrong replies and fails 10 % of the right ones reports 0.05 + 0.85 R, where R is the true
pass rate. Labelled replies give estimates of its error rates, so the equation can be solved for R.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from math import inf, sqrt

from chattest.statistics.wilson import Z


@dataclass(frozen=True, slots=True)
class Accuracy:
    """The results of a judge on labelled replies. Raises `ValueError` for impossible counts."""

    right: int
    """Number of replies that should pass."""
    passed: int
    """How many right replies passed."""
    wrong: int
    """Number of replies that should fail."""
    failed: int
    """How many wrong replies failed."""

    def __post_init__(self) -> None:
        for count, total in ((self.passed, self.right), (self.failed, self.wrong)):
            if not 0 <= count <= total:
                raise ValueError(f"{count} of {total} replies is impossible")

    @property
    def sensitivity(self) -> float:
        """Share of the right replies that pass, 0 to 1."""
        return self.passed / self.right

    @property
    def specificity(self) -> float:
        """Share of the wrong replies that fail, 0 to 1."""
        return self.failed / self.wrong

    @property
    def usable(self) -> bool:
        """True if it was measured on right and wrong replies, and beats chance by more than its sampling error."""
        if not self.right or not self.wrong:
            return False
        spread = _spread(self.passed, self.right) + _spread(self.failed, self.wrong)
        return self.sensitivity + self.specificity - 1 > Z * sqrt(spread)


@dataclass(frozen=True, slots=True)
class RateEstimate:
    """An estimate of a true pass rate, 0 to 1, with its 95 % interval."""

    rate: float
    low: float
    high: float
    margin: float
    """How far the rate may be off (95 %) because the judge's error rates are estimates. More replies do not help."""


def correct_rate(passed: float, replies: float, judge: Accuracy) -> RateEstimate:
    """Estimate the true pass rate behind a reported pass rate.

    The rate is estimated as by W. J. Rogan and B. Gladen, Estimating prevalence from the results of a screening test
    (American J. Epidemiology 107 (1978), 71-76), and limited to 0 to 1. The 95 % interval is that of Z. Lang and J.
    Reiczigel, Confidence limits for prevalence of disease adjusted for estimated sensitivity and specificity
    (Preventive Veterinary Medicine 113 (2014), 13-22).

    Args:
        passed: Number of replies that passed, which may be effective ones.
        replies: Number of replies, which may be effective ones.
        judge: The judge's results on labelled replies.

    Raises:
        ValueError: The judge is not usable.
    """
    if not judge.usable:
        raise ValueError("the judge is not better than chance")
    rate = (passed / replies + judge.specificity - 1) / (judge.sensitivity + judge.specificity - 1)
    reported = (passed + Z * Z / 2) / (replies + Z * Z)
    sensitivity, specificity = (judge.passed + 1) / (judge.right + 2), (judge.failed + 1) / (judge.wrong + 2)
    youden = sensitivity + specificity - 1
    centre = (reported + specificity - 1) / youden
    missed, let_through = _spread(judge.passed, judge.right), _spread(judge.failed, judge.wrong)
    shift = 2 * Z * Z * (centre * missed - (1 - centre) * let_through)
    judging = centre * centre * missed + (1 - centre) ** 2 * let_through
    half = Z * sqrt(reported * (1 - reported) / (replies + Z * Z) + judging) / youden
    low, high = _cut(centre + shift - half), _cut(centre + shift + half)
    rate = _cut(rate)
    return RateEstimate(rate, min(low, rate), max(high, rate), Z * sqrt(judging) / youden)


def compute_corrected_variance(judge: Accuracy, rate: float, replies: float) -> float:
    """Compute the variance of the corrected rate where the true rate is known.

    It comes from the number of replies and of labelled replies.

    Args:
        judge: The judge's results on labelled replies.
        rate: The true rate, 0 to 1.
        replies: How many replies are judged.

    Returns:
        The variance; infinite for a judge no better than chance.
    """
    sensitivity, specificity = (judge.passed + 1) / (judge.right + 2), (judge.failed + 1) / (judge.wrong + 2)
    youden = sensitivity + specificity - 1
    if youden <= 0:
        return inf
    reported = rate * sensitivity + (1 - rate) * (1 - specificity)
    judging = rate**2 * _spread(judge.passed, judge.right) + (1 - rate) ** 2 * _spread(judge.failed, judge.wrong)
    return (reported * (1 - reported) / replies + judging) / youden**2


def combine_estimates(parts: Sequence[tuple[float, RateEstimate]]) -> RateEstimate:
    """Combine the rates of parts that different judges judged.

    Intervals are combined by the method of variance estimates recovery (G. Y. Zou and A. Donner, Statistics in Medicine
    27 (2008), 1693-1702).

    Args:
        parts: Weight and estimate of each part; the weights add up to 1.
    """
    rate = sum(weight * estimate.rate for weight, estimate in parts)
    below = sqrt(sum((weight * (estimate.rate - estimate.low)) ** 2 for weight, estimate in parts))
    above = sqrt(sum((weight * (estimate.high - estimate.rate)) ** 2 for weight, estimate in parts))
    margin = sqrt(sum((weight * estimate.margin) ** 2 for weight, estimate in parts))
    return RateEstimate(rate, _cut(rate - below), _cut(rate + above), margin)


def _spread(hits: int, cases: int) -> float:
    """Return the variance of a share.

    One hit and one miss are added, so that a few cases without a miss have some variance.
    """
    share = (hits + 1) / (cases + 2)
    return share * (1 - share) / (cases + 2)


def _cut(share: float) -> float:
    return min(1.0, max(0.0, share))
