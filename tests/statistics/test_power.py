"""How many conversations a difference takes: against a worked example and against simulation."""

import numpy as np
import pytest

from chattest.statistics.pairs import compute_least_p, sign_flip
from chattest.statistics.power import FEWEST, LEVEL, count_conversations_needed


def test_as_cohen_gives_it() -> None:
    # J. Cohen, Statistical Power Analysis (1988), chapter 6: at 5 % two-sided and power 0.80, an effect h takes
    # 15.698 / h^2 of each; rates of 0.5 and 0.4 are h = 0.2014, which takes 387.2. Two more for small samples.
    assert count_conversations_needed(0.5, 0.1, 1) == 390


def test_fewer_for_greater_differences_and_for_more_questions() -> None:
    assert count_conversations_needed(0.8, 0.2, 4) < count_conversations_needed(0.8, 0.1, 4)
    assert count_conversations_needed(0.8, 0.1, 8) < count_conversations_needed(0.8, 0.1, 4)
    assert count_conversations_needed(0.8, 0.1, 4, alike=0.0) < count_conversations_needed(0.8, 0.1, 4)
    assert count_conversations_needed(0.8, 0.1, 0.5) == pytest.approx(
        2 * count_conversations_needed(0.8, 0.1, 1), abs=3
    )


def test_never_fewer_than_the_test_needs() -> None:
    assert count_conversations_needed(1.0, 0.9, 40) == FEWEST
    assert compute_least_p(FEWEST) < LEVEL <= compute_least_p(FEWEST - 1)


@pytest.mark.slow
@pytest.mark.parametrize(("drop", "questions"), [(0.2, 3), (0.2, 8), (0.1, 20)])
def test_the_difference_is_then_found_four_times_out_of_five(drop: float, questions: int) -> None:
    rng, runs, scale = np.random.default_rng(6), 400, 9.0  # scale 9: intra-class correlation 0.1
    k = count_conversations_needed(0.8, drop, questions)
    found = 0
    for _ in range(runs):
        rates = [rng.beta(rate * scale, (1 - rate) * scale, k) for rate in (0.8, 0.8 - drop)]
        first, second = (rng.binomial(questions, rate) for rate in rates)
        found += sign_flip((second - first).tolist()) < LEVEL
    assert 0.73 <= found / runs <= 0.9
