"""How many conversations are needed to detect a difference."""

from math import asin, ceil, sqrt
from statistics import NormalDist

ALIKE = 0.1
"""Assumed intra-class correlation: how much more alike replies of one conversation are."""
POWER = 0.8
"""Share of comparisons that should find the difference."""
LEVEL = 0.05
"""Share of comparisons between equals that may find one."""
FEWEST = 6
"""Conversations below which the sign-flip test can find nothing at this level (2 / 2^6 is the first p below it)."""


def conversations_needed(rate: float, drop: float, questions: float, alike: float = ALIKE) -> int:
    """Conversations each of two runs must have so that a fall of the pass rate is found in 80 % of comparisons.

    rate, drop: the better run's pass rate and how much lower the other's is, 0 < drop < rate <= 1. questions: mean
    number of questions per conversation, above 0. The two-sided test of two proportions at 5 % (J. Cohen, Statistical
    Power Analysis for the Behavioral Sciences, 2nd ed. 1988, chapter 6), with the design effect 1 + (questions - 1) x
    alike (L. Kish, Survey Sampling, Wiley 1965) and two conversations more for what few of them leave open (W. C.
    Guenther, The American Statistician 35 (1981), 243-244). That both runs ask the same is not counted in: mostly fewer
    suffice.
    """
    quantile = NormalDist().inv_cdf
    effect = 2 * asin(sqrt(rate)) - 2 * asin(sqrt(rate - drop))
    replies = 2 * ((quantile(1 - LEVEL / 2) + quantile(POWER)) / effect) ** 2
    design = max(1.0, 1 + (questions - 1) * alike)
    return max(FEWEST, ceil(replies * design / questions + quantile(LEVEL / 2) ** 2 / 2))
