"""Whether two groups are less alike than each is in itself."""

from random import Random

import pytest

from chattest.statistics.permutation_tests import compute_separation_p_value


def block(within: float, between: float) -> tuple[int, list[list[float]]]:
    """Two members of each group."""
    return 2, [[within if (one < 2) == (other < 2) else between for other in range(4)] for one in range(4)]


@pytest.mark.parametrize("blocks", [2, 3, 4])
def test_groups_that_are_wholly_apart_are_so_by_chance_in_one_of_three_for_each_block(blocks: int) -> None:
    """Four members fall into two pairs in three ways."""
    assert compute_separation_p_value([block(0.9, 0.1)] * blocks, Random(1)) == pytest.approx(3**-blocks, abs=0.03)


def test_groups_that_are_no_less_alike_are_not_apart() -> None:
    assert compute_separation_p_value([block(0.4, 0.4)] * 6, Random(1)) == 1.0
    assert compute_separation_p_value([block(0.2, 0.6)] * 6, Random(1)) > 0.9
    assert compute_separation_p_value([], Random(1)) == 1.0


def test_chance_is_seldom_taken_for_a_difference() -> None:
    rng, below = Random(1), 0
    for number in range(60):
        tables = []
        for _ in range(5):
            table = [[0.0] * 4 for _ in range(4)]
            for one in range(4):
                for other in range(one):
                    table[one][other] = table[other][one] = rng.random()
            tables.append((2, table))
        below += compute_separation_p_value(tables, Random(number)) < 0.05
    assert below <= 8, "5 % of 60 are 3"
