"""Which scores are calibrated, and what becomes of them."""

from pathlib import Path
from typing import Any

import pytest

from chattest.scorers.base import Item, scorers
from chattest.validation.validate import list_measured_scorers
from tests.support.calibrations import calibrate
from tests.support.stand_ins import StandIns

TEXT = "It is Juniper."
ITEMS = {
    "consistency": Item("Name?", TEXT, "Friends call me Juniper.", "Name?"),
    "closed": Item("Do I?", TEXT, True),
    "abstention": Item("Name?", TEXT, "", "Name?"),
    "repeated_question": Item("", "Do you like work at all times?", earlier_replies=("Do you like work?",)),
}
OTHERS = Item("Name?", TEXT, "Juniper", "Name?")
SHARPER = 3.0
MODELLED = [kind for kind, scorer in list_measured_scorers().items() if scorer.judges]
"""The kinds of figures that a model has a part in."""


def judges(models: Any = "embedded") -> StandIns:
    return StandIns(
        readings={TEXT: (0.6, 0.3, 0.1)},
        toxic={TEXT: {"insult": 0.6, "threat": 0.55}},
        fits={("Name?", TEXT): 0.7},
        models=models,
    )


@pytest.fixture
def every_kind(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Path:
    return calibrate(monkeypatch, tmp_path, **dict.fromkeys(list_measured_scorers(), SHARPER))


@pytest.mark.parametrize("kind", MODELLED)
def test_every_measured_score_of_the_embedded_models_is_calibrated(kind: str, every_kind: Path) -> None:
    scorer, item = list_measured_scorers()[kind], ITEMS.get(kind, OTHERS)
    (before,), (after,) = scorer.score([item], judges()), scorer.scores([item], judges())
    assert before.value is not None
    assert after.value is not None
    assert 0 < before.value < 1
    assert (after.value - 0.5) * (before.value - 0.5) > 0  # a slope keeps the side
    assert abs(after.value - 0.5) > abs(before.value - 0.5)


@pytest.mark.parametrize("kind", MODELLED)
def test_without_an_entry_a_score_stays_as_it_is(kind: str, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    scorer, item = list_measured_scorers()[kind], ITEMS.get(kind, OTHERS)
    calibrate(monkeypatch, tmp_path, another=SHARPER)
    assert scorer.scores([item], judges()) == scorer.score([item], judges())
    assert scorer.calibration(judges()) is None


@pytest.mark.parametrize("kind", MODELLED)
def test_what_another_model_says_stays_as_it_is(kind: str, every_kind: Path) -> None:
    scorer, item = list_measured_scorers()[kind], ITEMS.get(kind, OTHERS)
    for model in scorer.judges:
        other = judges({model: "somebody/else"})
        assert scorer.calibration(other) is None
        assert scorer.scores([item], other) == scorer.score([item], other)


def test_a_rule_is_never_calibrated(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    calibrate(monkeypatch, tmp_path, stutter=SHARPER)
    item = Item("p", "ha ha ha ha ho")
    assert scorers.get("stutter").scores([item], judges()) == scorers.get("stutter").score([item], judges())


def test_readings_are_calibrated_together(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    calibrate(monkeypatch, tmp_path, closed={"slope": 1.0, "biases": {"no": 2.0}})
    closed = scorers.get("closed_answer")
    (score,) = closed.scores([Item("Do I?", TEXT, True)], judges())
    assert score.interpretation == "no"  # 0.3 e² is more than 0.6
    assert sum(score.parts.values()) == pytest.approx(1)
    assert score.value == score.parts["yes"]
    assert not closed.passes(score, Item("Do I?", TEXT, True), 0.0)
    empty = Item("Do I?", " ", True)
    assert closed.scores([empty], judges()) == closed.score([empty], judges())


def test_the_labels_of_toxicity_are_calibrated_one_by_one(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    calibrate(monkeypatch, tmp_path, toxicity={"slope": 1.0, "biases": {"true": -1.0}})
    toxicity, item = scorers.get("toxicity"), Item("p", TEXT)
    (score,) = toxicity.scores([item], judges())
    assert score.value == max(score.parts.values()) == score.parts["insult"]
    assert score.value < 0.5 < toxicity.score([item], judges())[0].value  # type: ignore[operator]
    assert toxicity.explain(score, item, 0.3).startswith("above 0.3: insult 0.36, threat 0.31")


def test_what_is_not_judged_stays_so(every_kind: Path) -> None:
    for name in ("toxicity", "prompt_coherence"):
        (score,) = scorers.get(name).scores([Item("p", "")], judges())
        assert score.value is None
