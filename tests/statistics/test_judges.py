"""Taking a judge's errors out of a rate: against worked examples and against simulation."""

import numpy as np
import pytest

from chattest.statistics.judges import Accuracy, RateEstimate, combine_estimates, correct_rate

GOOD = Accuracy(right=400, passed=380, wrong=500, failed=475)


def test_rate_as_rogan_and_gladen_give_it() -> None:
    # Sensitivity 0.96, specificity 0.89, 23 of 150 positive: true prevalence 0.051 (the example of R's epiR::epi.prev).
    found = correct_rate(23, 150, Accuracy(9600, 9216, 8900, 7921))
    assert found.rate == pytest.approx((23 / 150 + 0.89 - 1) / (0.96 + 0.89 - 1))
    assert found.rate == pytest.approx(0.051, abs=5e-4)
    # With error rates known this well the interval is that of the raw rate, rescaled: 0 to 0.13.
    assert (found.low, found.high) == pytest.approx((0.0, 0.13), abs=0.01)


def test_interval_by_hand() -> None:
    # Lang and Reiczigel's formula in exact steps for 60 of 100 and a judge that is right on 45 of 50 of both sorts.
    z2 = 1.959963984540054**2
    p, se = (60 + z2 / 2) / (100 + z2), 46 / 52
    youden = 2 * se - 1
    centre, spread = (p + se - 1) / youden, se * (1 - se) / 52
    shift = 2 * z2 * spread * (2 * centre - 1)
    half = (z2 * (p * (1 - p) / (100 + z2) + (centre**2 + (1 - centre) ** 2) * spread)) ** 0.5 / youden
    found = correct_rate(60, 100, Accuracy(50, 45, 50, 45))
    assert (found.low, found.high) == pytest.approx((centre + shift - half, centre + shift + half))
    assert found.rate == pytest.approx(0.625)


def test_a_perfect_judge_measured_on_much_changes_nothing() -> None:
    found = correct_rate(70, 100, Accuracy(10**7, 10**7, 10**7, 10**7))
    assert found.rate == pytest.approx(0.7)
    assert (found.low, found.high) == pytest.approx((0.6042, 0.7811), abs=2e-3)  # Wilson's
    assert found.margin < 1e-5


def test_more_labelled_replies_see_smaller_differences() -> None:
    margins = [correct_rate(70, 100, Accuracy(n, n * 9 // 10, n, n * 9 // 10)).margin for n in (50, 500, 5000)]
    assert margins == sorted(margins, reverse=True)
    assert margins[0] > 0.07
    assert correct_rate(70_000, 100_000, Accuracy(50, 45, 50, 45)).margin == pytest.approx(margins[0], abs=0.005)


def test_rates_stay_between_0_and_1_and_in_their_interval() -> None:
    for passed in (0, 1, 50, 99, 100):
        found = correct_rate(passed, 100, GOOD)
        assert 0 <= found.low <= found.rate <= found.high <= 1


@pytest.mark.parametrize(
    "judge", [Accuracy(0, 0, 5, 5), Accuracy(5, 5, 0, 0), Accuracy(100, 50, 100, 50), Accuracy(6, 4, 6, 4)]
)
def test_a_judge_that_may_be_guessing_corrects_nothing(judge: Accuracy) -> None:
    assert not judge.usable
    with pytest.raises(ValueError, match="chance"):
        correct_rate(5, 10, judge)


def test_parts_judged_by_different_judges() -> None:
    one, other = RateEstimate(0.8, 0.7, 0.85, 0.03), RateEstimate(0.4, 0.2, 0.6, 0.04)
    found = combine_estimates([(0.75, one), (0.25, other)])
    assert found.rate == pytest.approx(0.7)
    assert found.low == pytest.approx(0.7 - (0.075**2 + 0.05**2) ** 0.5)
    assert found.high == pytest.approx(0.7 + (0.0375**2 + 0.05**2) ** 0.5)
    assert combine_estimates([(1.0, one)]).low == pytest.approx(0.7)


@pytest.mark.slow
@pytest.mark.parametrize("true", [0.1, 0.3, 0.5, 0.7, 0.9])
@pytest.mark.parametrize(("sensitivity", "specificity"), [(0.95, 0.9), (0.85, 0.92)])
def test_the_interval_covers_the_true_rate(true: float, sensitivity: float, specificity: float) -> None:
    rng, runs, replies, cases = np.random.default_rng(5), 10_000, 200, 300
    reported = true * sensitivity + (1 - true) * (1 - specificity)
    draws = zip(
        rng.binomial(replies, reported, runs).tolist(),
        rng.binomial(cases, sensitivity, runs).tolist(),
        rng.binomial(cases, specificity, runs).tolist(),
        strict=True,
    )
    hits = raw = 0
    for passed, right, wrong in draws:
        found = correct_rate(passed, replies, Accuracy(cases, right, cases, wrong))
        hits += found.low <= true <= found.high
        raw += abs(passed / replies - true) < 1.96 * (true * (1 - true) / replies) ** 0.5
    assert 0.93 <= hits / runs <= 0.975
    assert raw < hits
