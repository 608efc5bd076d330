"""A pass rate from a judge's verdicts on all replies and a person's labels of some: prediction-powered inference.

The labels show how often a verdict is right, and the verdicts carry that over to the replies without a label. However
often the judge errs, and whatever replies it misreads, the estimate has no bias: errors only widen the interval.

This is PPI++ with power tuning (A. N. Angelopoulos, J. C. Duchi and T. Zrnic, arXiv:2311.01453) for a mean and verdicts
of two kinds, with inverse-probability weights. Its tuned estimate is then the mean over pass and fail of the share of
right replies, weighted by how often the judge gives each: the tuning parameter is the difference of the two shares. It
is our own code because ppi-python knows no conversations and gives an interval without width where no label contradicts
the judge; it also needs numba and gdown, and switches off all warnings of the program.
"""

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from chattest.statistics.special import special
from chattest.statistics.wilson import Z, wilson

if TYPE_CHECKING:
    from numpy.typing import ArrayLike, NDArray

LEAST = 10
"""With fewer labels drawn at random, a rate is not worth correcting."""
ENOUGH = 30
"""With at least this many, the interval covers 93 to 98 % (see benchmarks/labels.py)."""
PRIOR = 0.5
"""Added to the right and to the wrong labels of a stratum where their spread is estimated, as by Jeffreys."""


@dataclass(frozen=True, slots=True)
class PoweredRate:
    """Corrected rates of one or many runs. Every field has the shape (runs...)."""

    rate: "NDArray[Any]"
    """The estimated share of right replies, 0 to 1."""
    effective: "NDArray[Any]"
    """How many labels of independent replies, without any verdict, are worth as much."""
    quantile: "NDArray[Any]"
    """Half width of the interval, in standard errors."""
    margin: "NDArray[Any]"
    """How far the rate may be off (95 %) because not every reply has a label. More replies do not help."""

    @property
    def interval(self) -> "tuple[NDArray[Any], NDArray[Any]]":
        """Lower and upper bounds of the 95 % interval: Wilson's, with the effective number of labels."""
        import numpy as np

        low, high = np.vectorize(wilson, otypes=[float, float])(self.rate, self.effective, self.quantile)
        return low, high


def estimate_powered_rate(
    replies: "ArrayLike", labelled: "ArrayLike", right: "ArrayLike", squares: "ArrayLike | None" = None
) -> PoweredRate:
    """Estimate the rate of right replies, with its effective number of labels.

    The variance counts conversations: replies of one conversation are not independent. Where it exceeds that of
    independent replies, the excess is weighted with Student's t, with the number of conversations that it comes from as
    degrees of freedom. A few labels that all agree would make the variance too small; each stratum's is therefore that
    of Jeffreys' posterior, and the interval is at most as wide as that of the labels alone. The result is NaN without
    labels.

    Args:
        replies: How many replies were judged, by conversation and stratum: shape (..., conversations, strata). A
            stratum holds replies with the same verdict. A stratum of replies that all have a label is known, whoever
            chose them.
        labelled: The weights of the labelled replies, in the same shape. A weight is one over the probability with
            which the reply was drawn.
        right: The weights of those labelled replies that are right, in the same shape.
        squares: The sum of the squared weights in each stratum, shape (..., strata), where replies of equal texts share
            one label; by default, all weights are 1.
    """
    import numpy as np

    replies, labelled, right = (np.asarray(counts, float) for counts in (replies, labelled, right))
    squares = labelled.sum(-2) if squares is None else np.asarray(squares, float)
    each, weight, hits = replies.sum(-2), labelled.sum(-2), right.sum(-2)
    total = each.sum(-1, keepdims=True)
    share = each / total
    with np.errstate(divide="ignore", invalid="ignore"):
        labels = np.where(weight > 0, weight**2 / squares, 0.0)
        every = weight.sum(-1) ** 2 / squares.sum(-1)
        alone = hits.sum(-1) / weight.sum(-1)
        # Of a verdict that no label is about, as many replies are right as of all.
        rates = np.where(weight > 0, hits / weight, alone[..., None])
        rate = (share * rates).sum(-1)
        between = (share * (rates - rate[..., None]) ** 2).sum(-1) / total[..., 0]
        sampled = np.where(labels > 0, share**2 * rates * (1 - rates) / labels, 0.0)
        complete = (each > 0) & (labels >= each)
        within = np.where(complete, sampled, share**2 * _spread(rates * labels, labels)).sum(-1)
        design, freedom = _clustering(replies, labelled, right, rates, between + sampled.sum(-1))
        ratio = np.minimum(1.0, (between + within) / _spread(alone * every, every))
        # Where every reply has a label and all are alike, nothing varies; they still count as their number.
        effective = np.minimum(every / ratio, total[..., 0]) / design
    excess = 1 - 1 / design
    quantile = np.sqrt(excess * special().stdtrit(freedom, 0.975) ** 2 + (1 - excess) * Z * Z)
    unlabelled = np.where(complete, 0.0, share**2 * _spread(rates * labels, labels)).sum(-1)
    return PoweredRate(rate, effective, quantile, Z * np.sqrt(unlabelled * design))


def _spread(hits: "NDArray[Any]", labels: "NDArray[Any]") -> "NDArray[Any]":
    """Return the variance of a share by Jeffreys' posterior; without labels, that of an unknown share."""
    low, high = hits + PRIOR, labels - hits + PRIOR
    spread: NDArray[Any] = low * high / ((low + high) ** 2 * (low + high + 1))
    return spread


def _clustering(
    replies: "NDArray[Any]",
    labelled: "NDArray[Any]",
    right: "NDArray[Any]",
    rates: "NDArray[Any]",
    independent: "NDArray[Any]",
) -> "tuple[NDArray[Any], NDArray[Any]]":
    """Return how many times as large clustering makes the variance, and its degrees of freedom.

    The variance by conversation is that of the estimate's linear form (D. A. Binder, International Statistical Review
    51 (1983), 279-292). Its degrees of freedom are the effective number of conversations that contribute: a rate near 0
    or 1 often rests on a few.

    Args:
        replies: As for `estimate_powered_rate`.
        labelled: As for `estimate_powered_rate`.
        right: As for `estimate_powered_rate`.
        rates: The share of right replies in each stratum.
        independent: The variance of independent replies.
    """
    import numpy as np

    each, weight = replies.sum(-2, keepdims=True), labelled.sum(-2, keepdims=True)
    total, inner = each.sum(-1, keepdims=True), rates[..., None, :]
    rate = (each / total * inner).sum(-1, keepdims=True)
    scale = np.where(weight > 0, each / total / weight, 0.0)
    parts = (replies * (inner - rate) / total + scale * (right - inner * labelled)).sum(-1)
    count = (replies.sum(-1) > 0).sum(-1)
    square = (parts**2).sum(-1)
    design = np.where((independent > 0) & (count > 1), square * count / (count - 1) / independent, 1.0)
    freedom = np.where(square > 0, square**2 / (parts**4).sum(-1), 1.0)
    return np.maximum(1.0, design), np.clip(freedom, 2.0, np.maximum(count - 1, 2.0))
