"""The judges' figures: from what `validate --json` writes to what reports read."""

import json
from pathlib import Path
from typing import Any

import pytest

from chattest.errors import InputError
from chattest.records.answers import AnswerKind
from chattest.settings.declaration import Settings
from chattest.statistics.judges import Accuracy
from chattest.storage.judge_accuracy import FILE, Measured, read_measured, save_measured
from chattest.validation.labelled import Closed, CoherentReply, Open, ToxicText
from chattest.validation.report import write_json
from chattest.validation.validate import list_measured_scorers, validate
from tests.support.stand_ins import StandIns


def test_figures_of_a_validation_are_kept(tmp_path: Path) -> None:
    judges = StandIns(
        readings={"Yes.": (0.9, 0.05, 0.05), "Nope.": (0.05, 0.9, 0.05), "Hm.": (0.1, 0.1, 0.8)},
        toxic={"You fool": {"insult": 0.999}, "You ass": {"insult": 0.2}},
    )
    closed = [("Yes.", True), ("Yes.", False), ("Nope.", False), ("Nope.", False), ("Hm.", False)]
    cases: list[Any] = [
        *(Closed(kind="closed", question="?", expected="yes", reply=reply, label=label) for reply, label in closed),
        *(ToxicText(kind="toxicity", text=text, label=True) for text in ("You fool", "You ass", "You fool")),
        *(ToxicText(kind="toxicity", text=text, label=False) for text in ("Hello", "Thanks", "Good", "You fool")),
    ]
    write_json(validate(cases, Settings(), judges), tmp_path / "figures.json")
    kept = save_measured([tmp_path / "figures.json"], tmp_path / "measured.json")
    assert kept == {
        "closed": Measured(Accuracy(right=1, passed=1, wrong=4, failed=3), None),
        "toxicity": Measured(
            Accuracy(right=4, passed=3, wrong=3, failed=2), Settings().threshold("threshold_toxicity")
        ),
    }


def test_open_replies_measure_agreement_too_and_coherence_both_ways(tmp_path: Path) -> None:
    ask: dict[str, Any] = {"kind": "open", "question": "Name?", "extract_with": "Name?", "expected": "Juniper"}
    said = [("It is Juniper.", True), ("Juniper, I think.", True), ("It is Max.", False), ("Max or Juniper.", True)]
    cases: list[Any] = [Open(**ask, reply=reply, label=label) for reply, label in said]
    cases += [
        CoherentReply(kind="coherence", context=("Hi",), prompt="Rain?", reply=reply, label=label)
        for reply, label in (("Yes, rain.", True), ("Blue.", False))
    ]
    judges = StandIns(fits={("Rain?", "Blue."): 0.1, ("Hi\nRain?", "Blue."): 0.7})
    done = {one.kind: one for one in validate(cases, Settings(), judges)}
    assert list(done) == ["open", "consistency", "coherence", "prompt_coherence"]
    again: list[Any] = list(done["consistency"].cases)
    assert [(case.expected, case.reply, case.label) for case in again] == [
        ("It is Juniper.", reply, label) for reply, label in said[1:]
    ]
    assert done["coherence"].predicted == (True, True)
    assert done["prompt_coherence"].predicted == (True, False)
    write_json(list(done.values()), tmp_path / "figures.json")
    kept = save_measured([tmp_path / "figures.json"], tmp_path / "measured.json")
    assert kept["consistency"].accuracy.right == 2
    assert kept["consistency"].threshold == Settings().threshold("threshold_own_consistency")
    assert kept["prompt_coherence"].accuracy == Accuracy(right=1, passed=1, wrong=1, failed=1)


def test_kinds_that_are_not_named_stay(tmp_path: Path) -> None:
    path = tmp_path / "measured.json"
    for kind, recall in (("open", 0.9), ("coherence", 0.8), ("open", 0.7)):
        figures = {kind: {"n": 300, "n_true": 100, "recall": recall, "specificity": 0.8, "threshold": 0.5}}
        (tmp_path / "figures.json").write_text(json.dumps(figures))
        save_measured([tmp_path / "figures.json"], path)
    found = read_measured(path)
    assert found["open"] == Measured(Accuracy(100, 70, 200, 160), 0.5)
    assert found["coherence"].accuracy.sensitivity == 0.8


@pytest.mark.parametrize("content", ["[1]", "{", '{"open": {"n": 3}}', '{"open": {"n": 3, "n_true": 3, "recall": 1}}'])
def test_other_files_are_refused(tmp_path: Path, content: str) -> None:
    (tmp_path / "figures.json").write_text(content)
    with pytest.raises(InputError, match=r"figures\.json"):
        save_measured([tmp_path / "figures.json"], tmp_path / "measured.json")
    assert not (tmp_path / "measured.json").exists()
    (tmp_path / "measured.json").write_text('{"open": 3}')
    with pytest.raises(InputError, match=r"main\.py measured"):
        read_measured(tmp_path / "measured.json")


def test_what_ships_can_be_read(tmp_path: Path) -> None:
    assert all(one.accuracy.usable for one in read_measured(FILE).values())
    assert {"open", "closed", "toxicity"} <= set(read_measured(FILE))
    assert read_measured(tmp_path / "none.json") == {}


def test_scorers_say_which_labelled_replies_measure_them() -> None:
    scorers = list_measured_scorers()
    assert list(scorers) == [
        "open",
        "consistency",
        "closed",
        "toxicity",
        "coherence",
        "prompt_coherence",
        "repeated_question",
        "stutter",
        "abstention",
    ]
    assert set(read_measured(FILE)) <= set(scorers)
    kinds = {"open": AnswerKind.OPEN, "closed": AnswerKind.CLOSED, "abstention": AnswerKind.UNTOLD}
    for scorer in scorers.values():
        assert scorer.labelled is not None
        # Pairs of open replies stand for the bot's own answers.
        made = AnswerKind.OWN if AnswerKind.OWN in scorer.answers else kinds.get(scorer.labelled.form)
        assert scorer.answers == ({made} if made else set())


@pytest.mark.parametrize("kind", sorted(read_measured(FILE)))
def test_what_ships_was_measured_with_the_thresholds_in_force(kind: str) -> None:
    name = list_measured_scorers()[kind].threshold
    assert read_measured(FILE)[kind].threshold == (Settings().threshold(name) if name else None)


def test_a_judge_no_better_than_chance_is_not_kept(tmp_path: Path) -> None:
    figures = {"n": 200, "n_true": 100, "recall": 0.52, "specificity": 0.5, "threshold": 0.5}
    good = figures | {"recall": 0.9}
    (tmp_path / "figures.json").write_text(json.dumps({"coherence": figures, "open": good}))
    assert set(save_measured([tmp_path / "figures.json"], tmp_path / "measured.json")) == {"coherence", "open"}
    assert set(read_measured(tmp_path / "measured.json")) == {"open"}
