"""Confidence sequences: intervals that hold however often one looks, for runs that stop when they know enough.

An ordinary 95 % interval is made for a number of conversations that is fixed beforehand. Whoever looks again and again,
and stops when it is narrow or on the right side of a gate, stops at a flattering moment: it then covers less. A
confidence sequence covers the true rate at all times together with a probability of 95 %, so also at the time at which
somebody stops, for whatever reason.

It is made by betting: I. Waudby-Smith and A. Ramdas, Estimating means of bounded random variables by betting, J. Royal
Statistical Society B 86 (2024), 1-27 (arXiv:2010.09686). For each rate m that might be the true one, somebody bets on
the next conversation at odds that are fair if m is true. By J. Ville's inequality (1939), capital that begins at 1 then
ever reaches 2 / 0.05 with a probability of 0.025 at most, so a rate at which it did can be excluded. One player bets
that the rate is higher, one that it is lower, which gives the two bounds.

The bets are on whole conversations: the share of a conversation's replies that passed, 0 to 1. Nothing is assumed about
the replies within it, so they may depend on each other. The expectation of a conversation's share must be the same,
whatever the earlier ones were: each has a plan of its own, drawn from the seed.

The rate is the mean over conversations of the share that passed. A report's rate is a ratio of sums, all that passed
over all that were decided. The two are equal where conversations have as many replies each, or where the share that
passes does not depend on how many there are. That number is drawn before the first word, so it rarely does. Bets on the
ratio itself, on passed - m * total, are fair too, but must reckon with the largest total that could ever come: where
one conversation may have ten questions and the mean is four, most of the capital has to be held back, and a bot that
passes everything takes at least 86 conversations for ±0.05 in place of 35. How much the two rates may differ, and how
that affects the coverage, is simulated in benchmarks/stopping.py.

It is our own code because confseq 0.0.11, the authors' package, calls itself alpha, has had no release since 2023 and
must be compiled.
"""

from bisect import bisect_left
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from numpy.typing import ArrayLike, NDArray

BETS = (0.04, 0.1, 0.2, 0.45, 0.98)
"""Shares of the capital that constant players stake on each conversation. Small ones separate rates that are close,
large ones show soon that a bot passes, or fails, nearly always."""
MOST = 0.999
"""The largest share of its capital that the adaptive player stakes."""
STEPS = 24
"""How often the range of a bound is halved: to less than a ten-millionth."""
TOGETHER = 16
"""Factors multiplied before a logarithm is taken: few enough that no product leaves the range of floats."""


def compute_always_valid_bounds(
    shares: "ArrayLike", aim: float, level: float = 0.95
) -> "tuple[NDArray[Any], NDArray[Any]]":
    """Compute lower and upper bounds after the last conversation, for one or many runs: shape (runs...).

    Half of the capital is bet by constant players (`BETS`). The other half is staked as would be best if the bound were
    to end `aim` away from a rate with the variance seen so far, the step w / (variance + w^2) of Kelly's bet in the
    quadratic approximation of Waudby-Smith and Ramdas. A bet depends only on what is known before its conversation.
    Without any conversation, the bounds are 0 and 1.

    Args:
        shares: The share of each conversation that passed, 0 to 1, in the order in which they were held, and NaN where
            nothing was decided; shape (..., conversations).
        aim: Half the width that is wanted, above 0; it decides how the bets are placed, and the bounds hold for any.
        level: The probability of covering the true rate at all times.
    """
    import numpy as np

    given = np.asarray(shares, float)
    decided = ~np.isnan(given)
    values = np.where(decided, given, 0.0)
    steps = _steps(values, decided, aim)
    low = _find_lower_bound(values, decided, steps, 1 - level)
    high = 1 - _find_lower_bound(np.where(decided, 1 - values, 0.0), decided, steps, 1 - level)
    return low, high


def compute_always_valid_interval(
    passed: Sequence[int], totals: Sequence[int], aim: float
) -> tuple[float, float] | None:
    """Compute the always-valid 95 % interval of one run.

    The interval is widened to the ratio of sums where that, the rate of the report, lies outside.

    Args:
        passed: Replies that passed in each conversation, in the order in which these were held.
        totals: Decided replies in each.
        aim: As for `compute_always_valid_bounds`.

    Returns:
        Lower and upper bound; `None` where no conversation has a decided reply.
    """
    if not any(totals):
        return None
    shares = [hits / total if total else float("nan") for hits, total in zip(passed, totals, strict=True)]
    low, high = compute_always_valid_bounds(shares, aim)
    rate = sum(passed) / sum(totals)
    return min(float(low), rate), max(float(high), rate)


def find_fewest_conversations(aim: float, most: int) -> int | None:
    """Return after how many conversations the rate of a bot that passes everything is known to within `aim`.

    Returns:
        `None` if `most` conversations are not enough.
    """

    def near(conversations: int) -> bool:
        low, high = compute_always_valid_bounds([1.0] * conversations, aim)
        return float(high - low) <= 2 * aim

    needed = bisect_left(range(1, most + 1), True, key=near) + 1
    return needed if needed <= most else None


def _steps(values: "NDArray[Any]", decided: "NDArray[Any]", aim: float) -> "NDArray[Any]":
    """Return how much the adaptive player would stake per unit of distance, before each conversation."""
    import numpy as np

    count = np.cumsum(decided, -1)
    mean = (0.5 + np.cumsum(values, -1)) / (count + 1)
    variance = (0.25 + np.cumsum(np.where(decided, (values - mean) ** 2, 0.0), -1)) / (count + 1)
    before = np.concatenate([np.full((*values.shape[:-1], 1), 0.25), variance], -1)[..., :-1]
    steps: NDArray[Any] = aim / (before + aim * aim)
    return steps


def _find_lower_bound(
    values: "NDArray[Any]", decided: "NDArray[Any]", steps: "NDArray[Any]", miss: float
) -> "NDArray[Any]":
    """Find the lower bound: bets against every rate below it succeeded. Capital falls as the rate rises."""
    import numpy as np

    low, high = np.zeros(values.shape[:-1]), np.ones(values.shape[:-1])
    for _ in range(STEPS):
        middle = (low + high) / 2
        refuted = _capital(values, decided, steps, middle) >= np.log(2 / miss)
        low, high = np.where(refuted, middle, low), np.where(refuted, high, middle)
    return low


def _capital(
    values: "NDArray[Any]", decided: "NDArray[Any]", steps: "NDArray[Any]", rate: "NDArray[Any]"
) -> "NDArray[Any]":
    """Return the logarithm of the capital of a player who bets that the true rate is above `rate`."""
    import numpy as np

    gain = values / rate[..., None] - 1  # of each unit staked
    stakes = np.minimum(steps * rate[..., None], MOST)
    each = 0.5 / len(BETS)
    players = [np.log(0.5) + _log_product(np.where(decided, 1 + stakes * gain, 1.0))]
    players += [np.log(each) + _log_product(np.where(decided, 1 + stake * gain, 1.0)) for stake in BETS]
    capital: NDArray[Any] = np.logaddexp.reduce(players)
    return capital


def _log_product(factors: "NDArray[Any]") -> "NDArray[Any]":
    """Return the logarithm of the product of all factors of a run."""
    import numpy as np

    starts = np.arange(0, factors.shape[-1], TOGETHER)
    products: NDArray[Any] = np.multiply.reduceat(factors, starts, axis=-1) if len(starts) else factors
    return np.asarray(np.log(products).sum(-1))
