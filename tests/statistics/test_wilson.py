"""Wilson's interval: against statsmodels, at its ends, and for many runs at once."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import norm
from statsmodels.stats.proportion import proportion_confint

from chattest.statistics.clusters import ClusteredRate
from chattest.statistics.wilson import Z, wilson


@given(st.integers(1, 3000).flatmap(lambda total: st.tuples(st.integers(0, total), st.just(total))))
def test_the_interval_is_that_of_statsmodels(counts: tuple[int, int]) -> None:
    passed, total = counts
    assert wilson(passed / total, total) == pytest.approx(proportion_confint(passed, total, method="wilson"), abs=1e-12)


def test_another_level_is_another_quantile() -> None:
    assert norm.ppf(0.975) == Z
    wide = wilson(0.3, 50, float(norm.ppf(0.995)))
    assert wide == pytest.approx(proportion_confint(15, 50, alpha=0.01, method="wilson"))
    assert wide[0] < wilson(0.3, 50)[0] < wilson(0.3, 50)[1] < wide[1]


@pytest.mark.parametrize("replies", [0.5, 1, 7.25, 1e9])
def test_the_ends_hold_the_share_itself(replies: float) -> None:
    low, high = wilson(0.0, replies)
    assert low == 0.0 < high
    assert wilson(1.0, replies) == pytest.approx((1 - high, 1.0))
    assert wilson(1.0, replies)[1] == 1.0


def test_many_runs_at_once_get_each_their_own() -> None:
    rates, effective, quantiles = np.array([0.0, 0.25, 1.0]), np.array([3.5, 40.0, 8.0]), np.array([2.1, 1.96, 2.4])
    low, high = ClusteredRate(rates, effective, quantiles).interval
    each = [wilson(*run) for run in zip(rates, effective, quantiles, strict=True)]
    assert list(zip(low, high, strict=True)) == each
