"""How the judge that reads two answers together is weighed against the other features."""

from __future__ import annotations

import json
import random

import pytest

from chattest.models.logistic import Logistic
from chattest.scorers.same_answer import AGAINST, FEATURES, WEIGHTS
from training.same_answer import HEAD, _Row, weigh

BEFORE = Logistic(-1.0, dict.fromkeys(FEATURES, 0.0) | {"likeness": 2.0, "denied": -1.0})


def rows(judge_knows: bool, decided: bool = False) -> list[_Row]:
    """200 pairs. judge_knows: whether the judge's log-odds follow the label, or chance."""
    rng = random.Random(1)
    made = []
    for number in range(200):
        same = number % 2 == 0
        right = same if judge_knows else rng.random() < 0.5
        features = dict.fromkeys(FEATURES, 0.0) | {"likeness": rng.random() + same / 2}
        made.append(
            _Row(f"question {number}", same, 0.0 if decided else None, features | {HEAD: 2.0 if right else -2.0})
        )
    return made


def test_a_judge_that_knows_weighs_and_the_others_keep_their_proportions() -> None:
    weights = weigh(BEFORE, rows(judge_knows=True)).weights
    assert list(weights) == list(FEATURES)
    assert weights[HEAD] > 0.5
    assert weights["likeness"] > 0
    assert weights["denied"] == pytest.approx(-weights["likeness"] / 2, abs=1e-3)


def test_a_judge_that_knows_nothing_hardly_weighs() -> None:
    assert weigh(BEFORE, rows(judge_knows=False)).weights[HEAD] < 0.1


def test_the_weight_before_does_not_matter_and_decided_pairs_do_not_count() -> None:
    given = rows(judge_knows=True)
    assert weigh(Logistic(BEFORE.bias, {**BEFORE.weights, HEAD: 5.0}), given) == weigh(BEFORE, given)
    against = [_Row(row.question, not row.label, 1.0, row.features) for row in given]
    assert weigh(BEFORE, given + against) == weigh(BEFORE, given)


def test_the_features_that_ship_speak_the_way_they_may() -> None:
    weights = json.loads(WEIGHTS.read_text())
    assert weights.keys() == {"bias", *FEATURES}
    assert all(weights[name] <= 0 if name in AGAINST else weights[name] >= 0 for name in FEATURES)
