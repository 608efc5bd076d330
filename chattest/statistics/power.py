"""The number of conversations needed to detect a difference."""

from math import asin, ceil, sqrt
from statistics import NormalDist

ALIKE = 0.1
"""Assumed intra-class correlation of the replies of one conversation."""
POWER = 0.8
"""Share of comparisons that should detect the difference."""
LEVEL = 0.05
"""Share of comparisons of equal bots that may report a difference."""
FEWEST = 6
"""With fewer conversations, the sign-flip test detects nothing at this level (2 / 2^6 is the first p below it)."""


def count_conversations_needed(rate: float, drop: float, questions: float, alike: float = ALIKE) -> int:
    """Return how many conversations each of two runs needs to detect a drop of the pass rate in 80 % of comparisons.

    This is the two-sided test of two proportions at 5 % (J. Cohen, Statistical Power Analysis for the Behavioral
    Sciences, 2nd ed. 1988, chapter 6), with the design effect 1 + (questions - 1) x alike (L. Kish, Survey Sampling,
    Wiley 1965) and two more conversations as a correction for small samples (W. C. Guenther, The American Statistician
    35 (1981), 243-244). It ignores that both runs ask the same questions, so fewer conversations are usually enough.

    Args:
        rate: The better run's pass rate, at most 1.
        drop: How much lower the other's is, 0 < drop < rate.
        questions: Mean number of questions per conversation, above 0.
        alike: Intra-class correlation of the replies of one conversation.
    """
    quantile = NormalDist().inv_cdf
    effect = 2 * asin(sqrt(rate)) - 2 * asin(sqrt(rate - drop))
    replies = 2 * ((quantile(1 - LEVEL / 2) + quantile(POWER)) / effect) ** 2
    design = max(1.0, 1 + (questions - 1) * alike)
    return max(FEWEST, ceil(replies * design / questions + quantile(LEVEL / 2) ** 2 / 2))
