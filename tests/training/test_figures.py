"""The figures beside what is aimed at: which are met, what they are made of, and the command."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from chattest.settings.declaration import Settings
from chattest.validation.labelled import Closed, Open
from chattest.validation.measured import Validation
from chattest.validation.validate import validate
from tests.support.stand_ins import StandIns
from training import figures
from training.figures import (
    Figure,
    coherence_area,
    contradictions,
    of_groups,
    of_neither,
    of_validation,
    same_answers,
    table,
)
from training.trunk.pairs import either
from training.written_rows import read_written


def closed(question: str, reply: str, reading: str) -> list[Closed]:
    """A reply to a closed question, asked for with yes and with no as the right answer."""
    texts = {"kind": "closed", "question": question, "reply": reply}
    return [Closed.model_validate(texts | {"expected": one, "label": reading == one}) for one in ("yes", "no")]


def judged(*cases: Closed | Open, said: list[bool]) -> Validation:
    kind = cases[0].kind
    return Validation(kind, cases, tuple(map(float, said)), tuple(said), None, ("",) * len(cases))


def test_an_aim_is_met_from_its_side() -> None:
    assert Figure("a", "b", 1, 0.9, 0.9).met
    assert not Figure("a", "b", 1, 0.89, 0.9).met
    assert Figure("a", "b", 1, 0.03, 0.05, at_most=True).met
    assert not Figure("a", "b", 1, 0.06, 0.05, at_most=True).met
    assert Figure("a", "b", 1, 0.5, None).met is None


def test_replies_that_answer_neither_are_counted_where_they_pass() -> None:
    cases = [
        *closed("Is it?", "Yes.", "yes"),
        *closed("Is it?", "Bananas.", "neither"),
        *closed("Is it?", "Hm", "neither"),
    ]
    (figure,) = of_neither(judged(*cases, said=[True, False, True, False, False, False]), "here")
    assert (figure.cases, figure.value, figure.met) == (4, 0.25, False)
    assert not list(of_neither(judged(*cases[:2], said=[True, False]), "here")), "no reply answers neither"


def test_pairs_of_answers_are_measured_on_the_held_out_writer() -> None:
    accuracy, area, long_accuracy, long_area = same_answers(StandIns())
    assert accuracy.cases == area.cases
    assert long_accuracy.cases == long_area.cases
    assert accuracy.cases + long_accuracy.cases == len(read_written("answers", "held-out"))
    for figure in (accuracy, long_accuracy):
        assert 0 < figure.value < 1
        assert figure.wanted == 0.95


def test_groups_are_taken_by_tag() -> None:
    texts = {"kind": "open", "question": "Who?", "extract_with": "Who?", "expected": "Ann", "reply": "A"}
    cases = [Open.model_validate(texts | {"label": True, "tags": [tag]}) for tag in ("typo", "typo", "other")]
    (figure,) = of_groups(judged(*cases, said=[True, False, False]), "here")
    assert (figure.name, figure.cases, figure.value, figure.wanted) == ("open answer, with a typo", 2, 0.5, 0.9)


def test_a_validation_gives_accuracy_area_and_calibration_error() -> None:
    cases = [*closed("Is it?", "Yes.", "yes"), *closed("Is it?", "No.", "no")]
    judges = StandIns(readings={"Yes.": (0.9, 0.1, 0.0), "No.": (0.1, 0.9, 0.0)})
    (validation,) = validate(cases, Settings(), judges)
    accuracy, area, error = of_validation(validation, "here")
    assert (accuracy.value, accuracy.wanted, area.value) == (1.0, 0.94, 1.0)
    assert error.at_most
    assert 0 < error.value < 0.2


def test_contradictions_are_told_from_the_rest_of_a_held_out_writers_rows() -> None:
    figure = contradictions(StandIns())
    assert figure.cases == len(read_written("consistency", "held-out")) > 300
    assert 0.4 < figure.value < 1.0
    assert figure.wanted == 0.80


def test_replies_of_real_bots_are_judged_after_their_turns() -> None:
    fits = {("Hi\nHow are you?", "Fine."): 0.9, ("Hi\nHow are you?", "Sofa."): 0.2}
    pairs = [
        either("coherence", "Hi [SEP] How are you?", reply, fit) for reply, fit in (("Fine.", True), ("Sofa.", False))
    ]
    assert coherence_area(StandIns(fits=fits), pairs) == 1.0


def test_the_command_prints_a_table_and_writes_the_figures(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    made = [Figure("open, accuracy", "own", 445, 0.95, 0.93), Figure("closed, ROC AUC", "own", 150, 0.9, None)]
    monkeypatch.setattr(figures, "written", lambda judges: made)
    figures.main(["--json", str(tmp_path / "figures.json")])
    assert capsys.readouterr().out.splitlines() == table(made)
    rows = json.loads((tmp_path / "figures.json").read_text())
    assert [(row["name"], row["value"], row["met"]) for row in rows] == [
        ("open, accuracy", 0.95, True),
        ("closed, ROC AUC", 0.9, None),
    ]
