"""Comparing pairs: against published worked examples and against simulation."""

import numpy as np
import pytest
from scipy.stats import binomtest

from chattest.statistics.pairs import bootstrap_difference, compute_least_p, holm, mcnemar, sign_flip


@pytest.mark.parametrize(
    ("better", "worse", "expected"),
    [
        # M. W. Fagerland, S. Lydersen, P. Laake, The McNemar test for binary matched-pairs data, BMC Medical Research
        # Methodology 13:91 (2013): airway hyper-responsiveness before and after transplantation, exact 0.0703.
        (1, 7, 0.0703),
        # A. Agresti, Categorical Data Analysis: approval of the prime minister in two surveys, 150 against 86.
        (150, 86, 3.716e-5),
        (0, 0, 1.0),
        (3, 3, 1.0),
        (0, 6, 2 * 0.5**6),
    ],
)
def test_mcnemar(better: int, worse: int, expected: float) -> None:
    assert mcnemar(better, worse) == pytest.approx(expected, rel=2e-3)
    assert mcnemar(worse, better) == pytest.approx(expected, rel=2e-3)


# R. A. Fisher, The Design of Experiments, section 21: Darwin's fifteen pairs of maize, crossed less self-fertilised, in
# eighths of an inch. Of the 32,768 sign patterns 863 have a sum as large or larger, or as small.
DARWIN = [49, -67, 8, 16, 6, 23, 28, 41, 14, 29, 56, 24, 75, 60, -48]


def test_sign_flip_as_fisher_did_it() -> None:
    assert sign_flip(DARWIN) == pytest.approx(2 * 863 / 32_768)


def test_sign_flip_goes_through_all_patterns_of_few_conversations() -> None:
    assert sign_flip([1, 1, 1, 1, 1, 1]) == pytest.approx(2 / 64) == compute_least_p(6)
    assert sign_flip([2, -1, 0, 0]) == pytest.approx(1.0)
    assert sign_flip([3, 1, 2, -1]) == pytest.approx(2 * 3 / 16)  # by hand: 7, and 5 twice
    assert sign_flip([]) == sign_flip([0, 0]) == sign_flip([4]) == compute_least_p(1) == 1.0


def test_sign_flip_of_single_questions_is_mcnemar() -> None:
    assert sign_flip([1] * 9 + [-1] * 2) == pytest.approx(mcnemar(9, 2))
    assert sign_flip([1] * 22 + [-1] * 8 + [0] * 50) == pytest.approx(binomtest(8, 30).pvalue)


def test_sign_flip_is_the_same_for_both_directions() -> None:
    changes = [1, 2, -1, 0, 3, 1, -2, 1, 1, 1, 2, 1, -1, 2, 1, 1]
    assert sign_flip([-one for one in changes]) == pytest.approx(sign_flip(changes))


@pytest.mark.slow
def test_false_alarms_of_the_sign_flip_stay_below_the_level_where_mcnemars_do_not() -> None:
    rng, runs = np.random.default_rng(2), 300
    flip = paired = 0
    for _ in range(runs):
        lean = rng.choice([-1, 1], 20)  # a conversation goes well or badly as a whole, in both runs alike on average
        better = rng.binomial(6, np.where(lean > 0, 0.6, 0.1))
        worse = rng.binomial(6 - better, np.where(lean > 0, 0.1, 0.6))
        flip += sign_flip((better - worse).tolist()) < 0.05
        paired += mcnemar(int(better.sum()), int(worse.sum())) < 0.05
    assert flip / runs < 0.08
    assert paired / runs > 0.15


def test_holm() -> None:
    # By hand from Holm's procedure: 4 x 0.005, 3 x 0.01, 2 x 0.03, and 0.04 not below the one before.
    assert holm([0.01, 0.04, 0.03, 0.005]) == pytest.approx([0.03, 0.06, 0.06, 0.02])
    assert holm([0.6, 0.7]) == [1.0, 1.0]
    assert holm([0.02]) == [0.02]
    assert holm([]) == []


@pytest.mark.slow
def test_holm_and_mcnemar_are_those_of_statsmodels() -> None:
    from statsmodels.stats.contingency_tables import mcnemar as reference
    from statsmodels.stats.multitest import multipletests

    rng = np.random.default_rng(3)
    for p_values in (rng.random(9) ** 4, rng.random(5).round(1), np.full(3, 0.4)):
        assert holm(p_values.tolist()) == pytest.approx(multipletests(p_values, method="holm")[1].tolist())
    for better, worse in rng.integers(1, 400, (20, 2)).tolist():
        found = float(reference([[0, better], [worse, 0]], exact=True).pvalue)
        assert mcnemar(better, worse) == pytest.approx(min(1.0, found), rel=1e-12)


def test_difference_needs_conversations_and_never_pretends_to_be_certain() -> None:
    assert bootstrap_difference([2], [5], 1) is None
    assert bootstrap_difference([2, 0], [5, 0], 1) is None
    low, high = bootstrap_difference([0] * 30, [4] * 30, 1) or (0, 0)
    assert (low, high) == pytest.approx((-0.1135, 0.1135), abs=1e-4)
    assert bootstrap_difference([-4] * 30, [4] * 30, 1) == pytest.approx((-1, -1 + 2 * 0.1135), abs=1e-4)
    assert bootstrap_difference([2, 3], [4, 6], 1) == pytest.approx((0.5 - 1.5 * 0.6576, 0.5 + 0.5 * 0.6576), abs=1e-4)


def test_difference_is_the_same_from_the_same_seed() -> None:
    changes, pairs = [1, -2, 0, 3, 1, 1], [4, 4, 5, 6, 4, 4]
    assert bootstrap_difference(changes, pairs, 3) == bootstrap_difference(changes, pairs, 3)
    low, high = bootstrap_difference(changes, pairs, 3) or (0, 0)
    assert low < sum(changes) / sum(pairs) < high


def test_many_conversations_are_drawn_as_well_when_those_alike_are_drawn_together(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    rng = np.random.default_rng(7)
    pairs = rng.integers(1, 5, 600)
    changes = rng.integers(-pairs, pairs + 1)
    together = bootstrap_difference(changes.tolist(), pairs.tolist(), 1)
    monkeypatch.setattr("chattest.statistics.pairs.MANY", 600)
    alone = bootstrap_difference(changes.tolist(), pairs.tolist(), 1)
    assert together != alone
    assert together == pytest.approx(alone, abs=0.003)


@pytest.mark.slow
@pytest.mark.parametrize(("true", "alike"), [(0.0, 0.1), (-0.1, 0.2), (-0.3, 0.1)])
def test_difference_covers_about_95_percent(true: float, alike: float, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("chattest.statistics.pairs.RESAMPLES", 1000)
    rng, runs, k = np.random.default_rng(4), 1000, 30
    scale = (1 - alike) / alike
    hits = 0
    for number in range(runs):
        pairs = rng.integers(3, 9, k)
        rates = [rng.beta(rate * scale, (1 - rate) * scale, k) for rate in (0.6, 0.6 + true)]
        first, second = (rng.binomial(pairs, rate) for rate in rates)
        low, high = bootstrap_difference((second - first).tolist(), pairs.tolist(), number) or (0, 0)
        hits += low <= true <= high
    assert 0.93 <= hits / runs <= 0.97
