"""Fitted weights of named features: read from a file, applied, and written again."""

import json
import math
from pathlib import Path

import pytest

from chattest.errors import ModelError
from chattest.models.logistic import Logistic, probability, read_logistic, write_logistic
from tests.support.paths import ROOT

SHIPPED = sorted((ROOT / "chattest" / "models" / "weights").glob("*/weights.json"))


@pytest.mark.parametrize("path", SHIPPED, ids=lambda path: path.parent.name)
def test_shipped_weights_give_the_plain_formula_to_the_last_bit(path: Path) -> None:
    numbers = json.loads(path.read_text(encoding="utf-8"))
    names = [name for name in numbers if name != "bias"]
    weights = read_logistic(path)
    for sign in (-1.0, 1.0):
        features = {name: sign * (index % 5 - 1.7) for index, name in enumerate(names)}
        log_odds = numbers["bias"] + sum(numbers[name] * value for name, value in features.items())
        assert weights.log_odds(features) == log_odds
        assert weights.probability(features) == 1 / (1 + math.exp(-log_odds))


def test_features_that_are_left_out_add_nothing() -> None:
    weights = Logistic(0.5, {"network": 2.0, "trunk": 3.0})
    assert weights.log_odds({"network": 1.0, "trunk": -1.0}) == pytest.approx(-0.5)
    assert weights.log_odds({"network": 1.0}) == pytest.approx(2.5)
    assert weights.contributions({"trunk": 2.0}) == {"trunk": 6.0}


def test_a_feature_without_a_weight_is_refused() -> None:
    with pytest.raises(KeyError, match="tronk"):
        Logistic(0.5, {"trunk": 3.0}).probability({"tronk": 1.0})


@pytest.mark.parametrize(("log_odds", "chance"), [(0, 0.5), (1e9, 1), (-1e9, 0), (math.inf, 1), (-math.inf, 0)])
def test_no_log_odds_overflow(log_odds: float, chance: float) -> None:
    assert probability(log_odds) == pytest.approx(chance)
    assert 0 < probability(log_odds) <= 1


def test_weights_come_back_from_their_file(tmp_path: Path) -> None:
    weights = Logistic(-0.25, {"match": 0.5, "denied": -2.0})
    write_logistic(weights, tmp_path / "weights.json")
    assert read_logistic(tmp_path / "weights.json") == weights
    assert (tmp_path / "weights.json").read_text() == '{\n "bias": -0.25,\n "match": 0.5,\n "denied": -2.0\n}\n'


@pytest.mark.parametrize("text", ["{", "[1]", "3", '{"match": 1.0}', '{"bias": null}', '{"bias": "much"}', None])
def test_a_file_without_weights_names_itself_and_the_remedy(tmp_path: Path, text: str | None) -> None:
    path = tmp_path / "weights.json"
    if text is not None:
        path.write_text(text)
    with pytest.raises(ModelError, match=r"weights.json does not hold a bias and weights.\n    Reinstall chattest."):
        read_logistic(path)
