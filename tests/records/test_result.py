"""Tallies, rates and intervals."""

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from chattest.records.result import Tally, Verdict

counts = st.integers(0, 10_000)
tallies = st.builds(lambda passed, failed, *others: Tally(passed, passed + failed, *others), *[counts] * 5)


@given(tallies, tallies, tallies)
def test_tallies_add_up_like_numbers(one: Tally, two: Tally, three: Tally) -> None:
    assert one + two == two + one
    assert (one + two) + three == one + (two + three)
    assert one + Tally() == one


@pytest.mark.parametrize(
    ("verdict", "tally"),
    [
        (Verdict.PASS, Tally(1, 1)),
        (Verdict.FAIL, Tally(0, 1)),
        (Verdict.NOT_APPLICABLE, Tally(0, 0, 1)),
        (Verdict.ERROR, Tally(0, 0, 0, 1)),
    ],
)
def test_only_passes_and_failures_count_for_the_rate(verdict: Verdict, tally: Tally) -> None:
    assert Tally.of(verdict) == tally
    assert Tally.of(verdict, in_doubt=True) == replace(tally, in_doubt=tally.total)


def test_a_tally_prints_as_the_presented_score() -> None:
    assert str(Tally(3, 4, 5, 6)) == "[3, 4]"
    assert Tally(3, 4).rate == 0.75
    assert Tally(0, 0, 9, 9).rate is None
    assert Tally(0, 0, 9, 9).interval is None


# From statsmodels 0.15, proportion_confint(passed, total, method="wilson").
@pytest.mark.parametrize(
    ("passed", "total", "low", "high"),
    [(0, 1, 0.0, 0.793450), (1, 1, 0.206549, 1.0), (8, 10, 0.490162, 0.943318), (50, 100, 0.403832, 0.596168)],
)
def test_the_interval_is_wilsons(passed: int, total: int, low: float, high: float) -> None:
    assert Tally(passed, total).interval == pytest.approx((low, high), abs=1e-5)


@given(tallies)
def test_the_interval_holds_the_rate(tally: Tally) -> None:
    if tally.interval is not None:
        low, high = tally.interval
        assert tally.rate is not None
        assert 0 <= low <= tally.rate <= high <= 1
