"""Wilson's score interval of a share.

This is our own code because `statsmodels.stats.proportion.proportion_confint` takes 2.5 s to import, takes a level
although `clusters` needs a quantile for each run, and rounds the last digit differently (in 30,660 of the 80,600
intervals of up to 400 replies), so that reports of saved runs would change.
"""

from math import sqrt

Z = 1.959963984540054
"""Half width of a 95 % interval, in standard errors."""


def wilson(share: float, replies: float, quantile: float = Z) -> tuple[float, float]:
    """Compute lower and upper bound, 0 to 1, of a true share.

    Source: E. B. Wilson, Probable inference, the law of succession, and statistical inference, JASA 22 (1927), 209-212.

    Args:
        share: The observed share, 0 to 1.
        replies: The number of replies, above 0; it need not be whole.
        quantile: Half width of the interval, in standard errors.
    """
    square = quantile * quantile
    centre = (share + square / (2 * replies)) / (1 + square / replies)
    variance = share * (1 - share) / replies + square / (4 * replies * replies)
    half = quantile * sqrt(variance) / (1 + square / replies)
    # Rounding must not move a bound past the share itself at 0 and 1.
    low = 0.0 if share == 0 else max(centre - half, 0.0)
    high = 1.0 if share == 1 else min(centre + half, 1.0)
    return low, high
