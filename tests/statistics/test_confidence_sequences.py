"""Always-valid intervals: against the products they stand for, and against simulation of who stops when it suits."""

from math import inf, log, nan

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.typing import NDArray

from chattest.statistics.clusters import estimate_clustered_rate
from chattest.statistics.confidence_sequences import (
    BETS,
    MOST,
    compute_always_valid_bounds,
    compute_always_valid_interval,
    find_fewest_conversations,
)

RUNS = 4_000
SHARES = st.lists(st.floats(0, 1), max_size=30)


def bounds(shares: list[float], aim: float = 0.1) -> tuple[float, float]:
    low, high = compute_always_valid_bounds(shares, aim)
    return float(low), float(high)


def capital(shares: list[float], rate: float, aim: float) -> float:
    """What who bets on a higher rate has in the end, one conversation after the other."""
    adaptive, constant = 0.5, [0.5 / len(BETS) for _ in BETS]
    total, squares, count = 0.5, 0.25, 1
    variance = 0.25
    for share in shares:
        stake = min(aim / (variance + aim**2) * rate, MOST)
        adaptive *= 1 + stake * (share / rate - 1)
        constant = [each * (1 + bet * (share / rate - 1)) for each, bet in zip(constant, BETS, strict=True)]
        total, count = total + share, count + 1
        squares += (share - total / count) ** 2
        variance = squares / count
    return adaptive + sum(constant)


@given(SHARES.filter(bool), st.sampled_from([0.02, 0.1, 0.3]))
@settings(deadline=None)
def test_a_bound_is_where_the_capital_reaches_forty(shares: list[float], aim: float) -> None:
    low, high = bounds(shares, aim)
    assert 0 <= low <= high <= 1
    mirrored = [1 - share for share in shares]
    for bound, seen in ((low, shares), (1 - high, mirrored)):
        assert capital(seen, bound + 1e-4, aim) < 40 * (1 + 1e-6)
        assert bound < 1e-3 or capital(seen, bound - 1e-4, aim) > 40 * (1 - 1e-6)


@given(SHARES, st.lists(st.integers(0, 30), max_size=5))
@settings(deadline=None)
def test_conversations_without_a_reply_do_not_count(shares: list[float], places: list[int]) -> None:
    holes = list(shares)
    for place in places:
        holes.insert(min(place, len(holes)), nan)
    assert bounds(holes) == pytest.approx(bounds(shares))


@given(SHARES)
@settings(deadline=None)
def test_passes_and_failures_are_treated_alike(shares: list[float]) -> None:
    low, high = bounds(shares)
    assert bounds([1 - share for share in shares]) == pytest.approx((1 - high, 1 - low), abs=1e-6)


def test_nothing_is_known_of_nothing() -> None:
    assert bounds([]) == (0.0, 1.0)
    assert bounds([nan, nan]) == (0.0, 1.0)
    assert compute_always_valid_interval([0, 0], [0, 0], 0.1) is None
    assert compute_always_valid_interval([], [], 0.1) is None


def test_many_runs_at_once_are_as_one_by_one() -> None:
    shares = np.random.default_rng(4).random((6, 20))
    shares[2, 5:] = nan
    low, high = compute_always_valid_bounds(shares, 0.1)
    assert [*zip(low, high, strict=True)] == [pytest.approx(bounds(list(row))) for row in shares]


def test_no_bot_is_known_sooner_than_a_bet_on_everything_allows() -> None:
    """Who stakes all on every conversation multiplies the capital by 1 / rate; 40 has to be reached."""
    for aim in (0.05, 0.1, 0.2):
        fastest = log(40) / -log(1 - 2 * aim)
        least = find_fewest_conversations(aim, 500)
        assert least is not None
        assert fastest <= least <= 1.4 * fastest
        assert find_fewest_conversations(aim, least) == least
        assert find_fewest_conversations(aim, least - 1) is None
        low, high = bounds([1.0] * least, aim)
        assert high - low <= 2 * aim
        low, high = bounds([1.0] * (least - 1), aim)
        assert high - low > 2 * aim


def test_the_rate_of_the_report_is_never_outside() -> None:
    passed, totals = [1] * 60 + [0] * 4, [1] * 60 + [100] * 4
    low, high = compute_always_valid_interval(passed, totals, 0.05) or (inf, inf)
    shares_low, shares_high = bounds([hits / total for hits, total in zip(passed, totals, strict=True)], 0.05)
    assert sum(passed) / sum(totals) < shares_low
    assert (low, high) == (sum(passed) / sum(totals), shares_high)


def drawn(rate: float, alike: float, questions: int, talks: int) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """What passed and what was asked in conversations whose replies are alike. Shape (runs, talks)."""
    rng = np.random.default_rng([int(1000 * rate), int(100 * alike), questions])
    scale = (1 - alike) / alike
    own = rng.beta(rate * scale, (1 - rate) * scale, (RUNS, talks))
    asked = 1 + rng.poisson(questions - 1, own.shape)
    return rng.binomial(asked, own), asked


@pytest.mark.slow
@pytest.mark.parametrize("rate", [0.03, 0.5, 0.8, 0.97])
@pytest.mark.parametrize("alike", [0.1, 0.5])
def test_who_stops_at_the_worst_moment_is_right_all_the_same(rate: float, alike: float) -> None:
    """The true rate is outside at any of the looks in at most 5 % of the runs, whoever chooses the look."""
    passed, asked = drawn(rate, alike, 4, 80)
    wrong, naive = np.zeros(RUNS, bool), np.zeros(RUNS, bool)
    for look in range(5, 81, 5):
        low, high = compute_always_valid_bounds((passed / asked)[:, :look], 0.1)
        wrong |= (rate < low) | (rate > high)
        first, last = estimate_clustered_rate(passed[:, :look], asked[:, :look]).interval
        naive |= (rate < first) | (rate > last)
    assert wrong.mean() <= 0.05
    if 0.1 < rate < 0.9:  # an ordinary interval is wrong far more often than it says
        assert naive.mean() > 0.1
