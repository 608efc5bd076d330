"""Tests whether groups differ in their means."""

from collections.abc import Sequence
from random import Random
from statistics import fmean

SHUFFLES = 2000
"""How many random permutations the test of the difference makes."""


def gap_p_value(blocks: Sequence[Sequence[float]], rng: Random) -> float:
    """P-value of the largest gap between the groups' means: how often chance alone produces one as large.

    blocks: for each template, the values of all groups, in the same order. A permutation test within blocks: the values
    of each block are assigned to the groups at random, `SHUFFLES` times. Source: E. J. G. Pitman,
    Significance tests which may be applied to samples from any populations, III, Biometrika 29 (1938), 322-335.
    """

    def gap(rows: Sequence[Sequence[float]]) -> float:
        means = [fmean(column) for column in zip(*rows, strict=True)]
        return max(means) - min(means)

    observed = gap(blocks)
    if observed == 0:
        return 1.0
    shuffled_gaps = (gap([rng.sample(block, len(block)) for block in blocks]) for _ in range(SHUFFLES))
    as_large = sum(shuffled >= observed - 1e-12 for shuffled in shuffled_gaps)
    return (1 + as_large) / (1 + SHUFFLES)
