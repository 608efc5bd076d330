"""Tests whether groups differ: in their means, or in how alike their members are."""

from collections.abc import Collection, Sequence
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


def apart_p_value(blocks: Sequence[tuple[int, Sequence[Sequence[float]]]], rng: Random) -> float:
    """P-value of two groups being less alike than each is in itself: how often chance alone sets them as far apart.

    blocks: for each template, how many members the first group has, and a symmetric table of the likeness of every two
    members, those of the first group first; each group has two members or more. A permutation test within blocks: the
    members of each block are dealt to the two groups at random, `SHUFFLES` times. Source: P. W. Mielke, K. J. Berry and
    E. S. Johnson, Multi-response permutation procedures for a priori classifications, Communications in Statistics -
    Theory and Methods 5 (1976), 1409-1424.
    """
    observed = sum(_apart(range(first), likeness) for first, likeness in blocks)
    dealt = (
        sum(_apart(rng.sample(range(len(likeness)), first), likeness) for first, likeness in blocks)
        for _ in range(SHUFFLES)
    )
    as_far = sum(shuffled >= observed - 1e-12 for shuffled in dealt)
    return (1 + as_far) / (1 + SHUFFLES)


def _apart(first: Collection[int], likeness: Sequence[Sequence[float]]) -> float:
    """How much more alike the members are within the two groups than between them. first: the members of one."""
    within: list[float] = []
    between: list[float] = []
    for one, row in enumerate(likeness):
        for other in range(one):
            (within if (one in first) == (other in first) else between).append(row[other])
    return fmean(within) - fmean(between)
