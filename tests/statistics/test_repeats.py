"""Repeats of the same questions."""

from itertools import combinations

import pytest

from chattest.statistics.repeats import Repeats, pass_every_time


@pytest.mark.parametrize(("passed", "total"), [(0, 5), (1, 5), (3, 5), (5, 5), (2, 2), (7, 9)])
def test_as_if_every_choice_of_repeats_were_looked_at(passed: int, total: int) -> None:
    runs = [True] * passed + [False] * (total - passed)
    one = Repeats(passed, total)
    for times in range(1, total + 1):
        chosen = list(combinations(runs, times))
        assert pass_every_time([one], times) == pytest.approx(sum(map(all, chosen)) / len(chosen))
    two = list(combinations(runs, 2))
    assert one.flakiness == pytest.approx(sum(a != b for a, b in two) / len(two))


def test_questions_are_averaged_and_those_with_too_few_repeats_left_out() -> None:
    asked = [Repeats(4, 4), Repeats(2, 4), Repeats(1, 1)]
    assert pass_every_time(asked, 1) == pytest.approx((1 + 0.5 + 1) / 3)
    assert pass_every_time(asked, 2) == pytest.approx((1 + 1 / 6) / 2)
    assert pass_every_time(asked, 5) is None
    assert pass_every_time([], 1) is None
    assert Repeats(1, 1).flakiness == 0
