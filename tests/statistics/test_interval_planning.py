"""How wide an interval from labels is expected to be, beside how wide it becomes."""

from math import inf

import numpy as np
import pytest

from chattest.statistics.interval_planning import compute_explained_share, predict_width
from chattest.statistics.judges import Accuracy
from chattest.statistics.prediction_powered import estimate_powered_rate

GOOD, POOR = Accuracy(100, 90, 100, 90), Accuracy(100, 60, 100, 60)


@pytest.mark.parametrize(
    ("rate", "right", "labels"), [(0.5, 0.9, 60), (0.8, 0.75, 60), (0.9, 0.9, 100), (0.7, 0.6, 40)]
)
def test_the_interval_is_as_wide_as_foretold(rate: float, right: float, labels: int) -> None:
    chance = np.random.default_rng(1)
    runs, rows = 200, 400
    true = chance.random((runs, rows)) < rate
    judged = np.where(chance.random((runs, rows)) < right, true, ~true)
    replies = np.stack([judged, ~judged], axis=-1).astype(float)  # each reply is a conversation of its own
    labelled = replies.copy()
    labelled[:, labels:] = 0
    drawn = rows / labels
    low, high = estimate_powered_rate(
        replies, labelled * drawn, labelled * true[..., None] * drawn, (labelled * drawn**2).sum(-2)
    ).interval
    judge = Accuracy(1000, int(1000 * right), 1000, int(1000 * right))
    foretold = predict_width(rate, rows, rows, labels, compute_explained_share(judge, rate))
    assert foretold == pytest.approx(float(np.mean(high - low)), rel=0.15)


def test_more_labels_and_better_judges_narrow_it() -> None:
    widths = [
        predict_width(0.7, 400, 400, labels, compute_explained_share(GOOD, 0.7)) or inf for labels in (10, 20, 100, 400)
    ]
    assert widths == sorted(widths, reverse=True)
    poor, alone = (predict_width(0.7, 400, 400, 50, compute_explained_share(judge, 0.7)) for judge in (POOR, None))
    assert (predict_width(0.7, 400, 400, 50, compute_explained_share(GOOD, 0.7)) or 0) < (poor or 0) < (alone or 0)


def test_too_few_labels_say_nothing() -> None:
    assert predict_width(0.5, 400, 400, 9, 0.0) is None
    assert compute_explained_share(Accuracy(100, 50, 100, 50), 0.5) == compute_explained_share(GOOD, 1.0) == 0
