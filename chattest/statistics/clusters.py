"""Intervals of pass rates of replies that are clustered in conversations.

Replies of one conversation are not independent: a bot that has lost the thread fails again and again. An interval that
assumes independence is too narrow: with 30 conversations of 40 replies and an intra-class correlation of 0.2, the plain
95 % Wilson interval covers the true rate in only about half of the runs.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from chattest.statistics.special import special
from chattest.statistics.wilson import wilson

if TYPE_CHECKING:
    from numpy.typing import ArrayLike, NDArray

ENOUGH = 30
"""With at least this many conversations, the interval covers 93 to 97 % (see tests/statistics/test_clusters.py)."""


@dataclass(frozen=True, slots=True)
class ClusteredRate:
    """Pass rates of one or many runs and their effective sample sizes. Every field has the shape (runs...)."""

    rate: "NDArray[Any]"
    """Share passed, 0 to 1."""
    effective: "NDArray[Any]"
    """Effective sample size: the number of independent replies with the same information; at most the real number."""
    quantile: "NDArray[Any]"
    """Half width of the interval, in standard errors."""

    @property
    def interval(self) -> "tuple[NDArray[Any], NDArray[Any]]":
        """Lower and upper bounds: Wilson's score interval with the effective number of replies."""
        import numpy as np

        low, high = np.vectorize(wilson, otypes=[float, float])(self.rate, self.effective, self.quantile)
        return low, high


def estimate_clustered_rate(passed: "ArrayLike", totals: "ArrayLike", level: float = 0.95) -> ClusteredRate:
    """Estimate the pass rate of replies in conversations, with its effective sample size.

    The variance of the rate, a ratio, is estimated by leaving out one conversation at a time (jackknife, without the
    factor (k - 1) / k). It gives the effective number of replies (L. Kish, Survey Sampling, Wiley 1965), at most the
    real number. If all or none passed, the data do not show how conversations differ, and each counts as a single reply
    (fewer if some are much longer than others). The effective number is used in Wilson's interval, one of those that N.
    Dean and M. Pagano examine for clustered surveys (J. Survey Statistics and Methodology 3 (2015), 484-503). The
    variance between conversations is itself an estimate. That part is therefore weighted with Student's t, with the
    effective number of conversations minus one as its degrees of freedom. Without clustering, the interval equals
    Wilson's.

    Args:
        passed: Replies that passed, per conversation: shape (..., conversations), for one or many runs.
        totals: Replies per conversation, in the same shape. A conversation without a reply does not count; with fewer
            than two others, the figures are NaN.
        level: The probability that the interval covers the true rate.
    """
    import numpy as np

    passed, totals = np.asarray(passed, float), np.asarray(totals, float)
    hits, replies = passed.sum(-1), totals.sum(-1)
    with np.errstate(divide="ignore", invalid="ignore"):
        rate = hits / replies
        without = (hits[..., None] - passed) / (replies[..., None] - totals)
        variance = np.where(totals > 0, (without - rate[..., None]) ** 2, 0).sum(-1)
        conversations = replies**2 / (totals**2).sum(-1)
        effective = np.fmin(rate * (1 - rate) / variance, replies)
        between = 1 - effective / replies
        certain = (rate == 0) | (rate == 1)
        effective, between = np.where(certain, conversations, effective), np.where(certain, 0, between)
        sides = (1 + level) / 2
        square = (
            between * special().stdtrit(conversations - 1, sides) ** 2 + (1 - between) * special().ndtri(sides) ** 2
        )
    alone = (totals > 0).sum(-1) < 2
    return ClusteredRate(rate, np.where(alone, np.nan, effective), np.sqrt(square))


def compute_clustered_interval(
    passed: Sequence[int], totals: Sequence[int], level: float = 0.95
) -> tuple[float, float] | None:
    """Compute the interval of `estimate_clustered_rate`; `None` if fewer than two conversations have a reply."""
    if sum(total > 0 for total in totals) < 2:
        return None
    low, high = estimate_clustered_rate(passed, totals, level).interval
    return float(low), float(high)
