"""Rates from verdicts and a person's labels: against PPI++ by its own formula, and against simulation."""

import numpy as np
import pytest

from benchmarks.labels import doubtful, drawn, estimated, figures, foreign, simulated
from chattest.statistics.interval_planning import Width, compute_explained_share
from chattest.statistics.judges import Accuracy
from chattest.statistics.prediction_powered import estimate_powered_rate
from chattest.statistics.wilson import Z, wilson


def alone(replies: list[float], labelled: list[float], right: list[float]) -> tuple[float, float, float]:
    """Rate and interval of one run whose replies are independent: a conversation for each."""
    rows: list[tuple[int, int, bool, bool]] = []
    for all_of_it, labels, hits in zip(replies, labelled, right, strict=True):
        for number in range(int(all_of_it)):
            rows.append((len(rows), replies.index(all_of_it), number < labels, number < hits))
    counts = np.zeros((3, len(rows), len(replies)))
    for place, stratum, label, hit in rows:
        counts[:, place, stratum] = 1, label, hit
    found = estimate_powered_rate(*counts)
    low, high = found.interval
    return float(found.rate), float(low), float(high)


def test_rate_is_that_of_ppi_with_power_tuning() -> None:
    # 200 replies pass and 100 fail; of 30 and 20 labelled ones, 24 and 5 are right.
    right, said = np.array([1] * 24 + [0] * 6 + [1] * 5 + [0] * 15), np.array([1] * 30 + [0] * 20)
    tuned = np.cov(right, said, bias=True)[0, 1] / said.var()
    rate, low, high = alone([200, 100], [30, 20], [24, 5])
    assert rate == pytest.approx(right.mean() + tuned * (200 / 300 - said.mean()))
    # The same formula's variance, for labels among the replies and as many of each verdict as were drawn.
    errors = right - tuned * said
    half = Z * (tuned**2 * (200 / 300) * (100 / 300) / 300 + errors.var() / 50) ** 0.5
    assert (high - low) / 2 == pytest.approx(half, rel=0.06)
    assert low < rate < high


def test_a_judge_that_tells_nothing_leaves_the_interval_of_the_labels() -> None:
    rate, low, high = alone([300], [40], [30])
    assert rate == pytest.approx(0.75)
    assert (low, high) == pytest.approx(wilson(0.75, 40), abs=2e-3)


def test_with_a_label_for_every_reply_the_judge_does_not_matter() -> None:
    rate, low, high = alone([70, 30], [70, 30], [50, 10])
    assert rate == pytest.approx(0.6)
    assert (low, high) == pytest.approx(wilson(0.6, 100), abs=4e-3)


def test_replies_that_are_all_right_are_no_certainty_though_all_have_a_label() -> None:
    rate, low, high = alone([34], [34], [34])
    assert (rate, low, high) == pytest.approx((1, *wilson(1, 34)))


def test_labels_that_all_agree_with_the_judge_are_no_certainty() -> None:
    rate, low, high = alone([200, 100], [20, 10], [20, 0])
    assert rate == pytest.approx(2 / 3)
    assert 0.12 < high - low < wilson(2 / 3, 30)[1] - wilson(2 / 3, 30)[0]


def test_a_verdict_that_no_label_is_about_counts_as_all_do() -> None:
    rate, low, high = alone([190, 10], [30, 0], [27, 0])
    assert rate == pytest.approx(0.9)
    assert low < 0.9 < high


def test_weights_undo_unequal_chances() -> None:
    # Conversations 0 and 1 hold 100 replies each; of the second, four times as many are labelled.
    replies, labelled = np.array([[100.0], [100.0]]), np.array([[10 * 10.0], [40 * 2.5]])
    found = estimate_powered_rate(replies, labelled, labelled * [[0.9], [0.3]], np.array([10 * 10.0**2 + 40 * 2.5**2]))
    assert float(found.rate) == pytest.approx(0.6)


def test_replies_of_one_conversation_that_go_together_widen_the_interval() -> None:
    apart = estimate_powered_rate([[6.0, 4.0]] * 30, [[3.0, 2.0]] * 30, [[2.0, 1.0]] * 30)
    together = estimate_powered_rate([[6.0, 4.0]] * 30, [[3.0, 2.0]] * 30, [[3.0, 2.0]] * 17 + [[0.7, 0.0]] * 13)
    assert float(together.effective) < float(apart.effective) / 2


@pytest.mark.parametrize(("judge", "labels"), [(0.6, 30), (0.75, 100), (0.9, 30), (0.9, 300)])
@pytest.mark.parametrize("bot", [0.2, 0.5, 0.98])
def test_95_percent_intervals_cover(judge: float, labels: int, bot: float) -> None:
    rng = np.random.default_rng(round(100 * (judge + bot)) + labels)
    held = simulated(rng, 600, bot, judge)
    weights = drawn(rng, held.right, labels).astype(float)
    found = estimated(held.right, [held.passed, ~held.passed], weights)
    covered, width = figures(found, bot)
    assert 0.915 <= covered <= 0.99  # 600 runs tell the coverage to two points
    assert abs(float(found.rate.mean()) - bot) < 0.012
    if judge == 0.9:
        assert width < figures(estimated(held.right, [np.ones_like(held.right)], weights), bot)[1]


def test_errors_measured_on_another_bot_miss_the_rate_of_this_one() -> None:
    rng = np.random.default_rng(4)
    assert foreign(rng, 300, 0.9, 0.9, 0.0)[0] > 0.93
    assert foreign(rng, 300, 0.9, 0.9, 0.2)[0] < 0.05


def test_labels_chosen_by_doubt_do_not_bias() -> None:
    errors, (covered, _) = doubtful(np.random.default_rng(5), 1500, 0.6, 0.5)
    ours, pooled, raw = errors
    assert abs(ours) < 0.01
    assert pooled > 0.04
    assert raw < -0.15
    assert covered > 0.93


def test_what_makes_an_interval_narrower() -> None:
    width = Width(rate=0.7, half=0.1, margin=0.06, raw=0.08, replies=400, labels=50)
    assert width.replies_for(0.08) == pytest.approx((0.1**2 - 0.06**2) / (0.08**2 - 0.06**2))
    assert width.replies_for(0.05) == float("inf")  # the judge's errors alone are more
    assert width.labels_for(0.09) == pytest.approx(50 * 0.06**2 / (0.09**2 - 0.08**2))
    assert width.labels_for(0.05) == float("inf")  # so do the differences between replies
    good = Accuracy(100, 95, 100, 95)
    assert compute_explained_share(good, 0.5) == pytest.approx(0.81)
    assert compute_explained_share(Accuracy(100, 50, 100, 50), 0.5) == 0
    unlabelled = Width(0.5, 0.2, 0.19, 0.04, 1000, judge=good)
    assert unlabelled.labels_for(0.1) == pytest.approx(Z**2 * 0.25 * 0.19 / (0.1**2 - 0.04**2))
    assert unlabelled.with_other_judge() < 0.1
