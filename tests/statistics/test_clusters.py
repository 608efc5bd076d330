"""Intervals that count conversations: against worked examples and against simulation."""

from collections.abc import Callable
from math import isnan

import numpy as np
import pytest
from numpy.typing import NDArray
from statsmodels.stats.proportion import proportion_confint

from chattest.records.result import Tally
from chattest.statistics.clusters import ENOUGH, compute_clustered_interval, estimate_clustered_rate

RUNS = 10_000


# R. G. Newcombe, Two-sided confidence intervals for the single proportion, Statistics in Medicine 17 (1998), 857-872,
# table I, method 3 (score).
NEWCOMBE = [(81, 263, 0.2553, 0.3662), (15, 148, 0.0624, 0.1605), (0, 20, 0.0, 0.1611), (1, 29, 0.0061, 0.1718)]


@pytest.mark.parametrize(("passed", "total", "low", "high"), NEWCOMBE)
def test_wilson_as_newcombe_gives_it(passed: int, total: int, low: float, high: float) -> None:
    assert Tally(passed, total).interval == pytest.approx((low, high), abs=5e-5)


@pytest.mark.parametrize(("passed", "total", "low", "high"), NEWCOMBE)
def test_one_reply_a_conversation_is_wilson_or_a_little_wider(passed: int, total: int, low: float, high: float) -> None:
    found = compute_clustered_interval([1] * passed + [0] * (total - passed), [1] * total)
    assert found == pytest.approx((low, high), abs=0.01)
    assert found is not None
    assert found[0] <= low + 5e-5
    assert found[1] >= high - 5e-5


def test_conversations_that_are_all_alike_are_wilson() -> None:
    assert compute_clustered_interval([3] * 40, [5] * 40) == pytest.approx(
        proportion_confint(120, 200, method="wilson")
    )


def test_conversations_that_pass_or_fail_as_a_whole_count_once() -> None:
    one = compute_clustered_interval([1] * 20 + [0] * 20, [1] * 40)
    many = compute_clustered_interval([10] * 20 + [0] * 20, [10] * 40)
    assert one is not None
    assert many is not None
    assert many == pytest.approx(one, abs=0.01)  # a little wider: the variance was estimated
    assert many[0] < one[0] < one[1] < many[1]


def test_where_all_passed_each_conversation_counts_once() -> None:
    low, high = compute_clustered_interval([8] * 30, [8] * 30) or (0.0, 0.0)
    assert (low, high) == pytest.approx(proportion_confint(30, 30, method="wilson"))
    assert compute_clustered_interval([0] * 30, [8] * 30) == pytest.approx((0, 1 - low))


def test_never_narrower_than_wilson_and_never_outside() -> None:
    rng = np.random.default_rng(3)
    totals = rng.integers(0, 9, (2000, 12))
    passed = rng.binomial(totals, rng.random((2000, 1)))
    found = estimate_clustered_rate(passed, totals)
    low, high = found.interval
    plain_low, plain_high = proportion_confint(passed.sum(1), totals.sum(1), method="wilson")
    assert (low <= plain_low + 1e-9).all()
    assert (high >= plain_high - 1e-9).all()
    assert ((low >= 0) & (low <= found.rate) & (found.rate <= high) & (high <= 1)).all()


def test_passes_and_failures_mirror_each_other() -> None:
    passed, totals = [3, 0, 5, 2], [4, 2, 5, 6]
    low, high = compute_clustered_interval(passed, totals) or (0.0, 0.0)
    assert compute_clustered_interval(
        [total - one for one, total in zip(passed, totals, strict=True)], totals
    ) == pytest.approx((1 - high, 1 - low))


def test_a_conversation_without_replies_changes_nothing() -> None:
    assert compute_clustered_interval([3, 0, 5, 0], [4, 2, 5, 0]) == pytest.approx(
        compute_clustered_interval([3, 0, 5], [4, 2, 5])
    )


def test_one_conversation_says_nothing_about_others() -> None:
    assert compute_clustered_interval([7], [9]) is None
    assert compute_clustered_interval([7, 0], [9, 0]) is None
    assert compute_clustered_interval([], []) is None
    assert isnan(estimate_clustered_rate([7], [9]).effective)


SIZES: dict[str, Callable[[np.random.Generator, int], NDArray[np.int64]]] = {
    "2 each": lambda rng, k: np.full((RUNS, k), 2),
    "4 each": lambda rng, k: np.full((RUNS, k), 4),
    "1 to 6": lambda rng, k: rng.integers(1, 7, (RUNS, k)),
    "20 to 40": lambda rng, k: rng.integers(20, 41, (RUNS, k)),
    "40 each": lambda rng, k: np.full((RUNS, k), 40),
}


def simulated(size: str, conversations: int, rate: float, alike: float) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Passed and total per conversation in many runs; alike: intra-class correlation of a beta-binomial."""
    rng = np.random.default_rng(round(1000 * (conversations + rate + 10 * alike)) + len(size))
    totals = SIZES[size](rng, conversations)
    scale = (1 - alike) / alike if alike else 0.0
    own = rng.beta(rate * scale, (1 - rate) * scale, totals.shape) if alike else rate
    return rng.binomial(totals, own), totals


def coverage(passed: NDArray[np.int64], totals: NDArray[np.int64], rate: float) -> float:
    low, high = estimate_clustered_rate(passed, totals).interval
    return float(((low <= rate) & (rate <= high)).mean())


@pytest.mark.slow
@pytest.mark.parametrize("conversations", [ENOUGH, 60])
@pytest.mark.parametrize("size", SIZES)
@pytest.mark.parametrize("alike", [0.0, 0.1, 0.2])
def test_95_percent_intervals_cover_93_to_97(size: str, conversations: int, alike: float) -> None:
    found = {rate: coverage(*simulated(size, conversations, rate, alike), rate) for rate in (0.1, 0.3, 0.5, 0.9)}
    assert all(0.93 <= share <= 0.97 for share in found.values()), found


def test_replies_taken_as_independent_would_promise_too_much() -> None:
    passed, totals = simulated("40 each", ENOUGH, 0.3, 0.2)
    low, high = proportion_confint(passed.sum(1), totals.sum(1), method="wilson")
    assert ((low <= 0.3) & (high >= 0.3)).mean() < 0.6


def test_fewer_conversations_are_too_few() -> None:
    assert coverage(*simulated("40 each", 8, 0.1, 0.2), 0.1) < 0.93
