"""Test whether groups differ: in their means, or in how alike their members are."""

from collections.abc import Collection, Sequence
from random import Random
from statistics import fmean

SHUFFLES = 2000
"""How many random permutations the test of the difference makes."""


def compute_gap_p_value(blocks: Sequence[Sequence[float]], rng: Random) -> float:
    """Compute the p-value of the largest gap between the groups' means: how often chance produces one as large.

    A permutation test within blocks: the values of each block are assigned to the groups at random, `SHUFFLES` times.
    Source: E. J. G. Pitman, Significance tests which may be applied to samples from any populations, III, Biometrika 29
    (1938), 322-335.

    Args:
        blocks: For each template, the values of all groups, in the same order.
        rng: Source of the permutations.
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


def compute_separation_p_value(blocks: Sequence[tuple[int, Sequence[Sequence[float]]]], rng: Random) -> float:
    """Compute the p-value of the members being less alike between two groups than within them.

    A permutation test within blocks: the members of each block are assigned to the two groups at random, `SHUFFLES`
    times. Source: P. W. Mielke, K. J. Berry and E. S. Johnson, Multi-response permutation procedures for a priori
    classifications, Communications in Statistics - Theory and Methods 5 (1976), 1409-1424.

    Args:
        blocks: For each template, how many members the first group has, and a symmetric table of the likeness of every
            two members, those of the first group first; each group has two members or more.
        rng: Source of the permutations.
    """
    observed = sum(_separation(range(first), likeness) for first, likeness in blocks)
    dealt = (
        sum(_separation(rng.sample(range(len(likeness)), first), likeness) for first, likeness in blocks)
        for _ in range(SHUFFLES)
    )
    as_far = sum(shuffled >= observed - 1e-12 for shuffled in dealt)
    return (1 + as_far) / (1 + SHUFFLES)


def _separation(first: Collection[int], likeness: Sequence[Sequence[float]]) -> float:
    """Return how much more alike the members are within the two groups than between them.

    Args:
        first: The members of one group.
        likeness: The table of a block.
    """
    within: list[float] = []
    between: list[float] = []
    for member, row in enumerate(likeness):
        for other in range(member):
            (within if (member in first) == (other in first) else between).append(row[other])
    return fmean(within) - fmean(between)
