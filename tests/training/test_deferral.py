"""The command that measures what the judges' sureness is worth: which rows it takes, and what it fits on which."""

import json
from pathlib import Path
from random import Random

import pytest

from chattest.records.result import Score
from chattest.scorers.base import Item, scorers
from chattest.validation.labelled import CoherentReply, Labelled
from tests.support.named_judges import Fits, NamedJudges
from training import deferral
from training.calibration import Judged
from training.deferral import calibration_errors, table

SCORER = scorers.get("prompt_coherence")


def cases(number: int, seed: int) -> list[Judged]:
    """Replies whose judge is too sure: it says 0.9 or 0.1 where 0.7 or 0.3 would be right."""
    rng = Random(seed)
    drawn = [(0.9, 0.7) if rng.random() < 0.5 else (0.1, 0.3) for _ in range(number)]
    return [
        Judged(Item("Hm?", str(at)), rng.random() < chance, str(at), Score(said))
        for at, (said, chance) in enumerate(drawn)
    ]


def test_both_ways_mend_a_judge_that_is_too_sure() -> None:
    found = calibration_errors(SCORER, cases(1000, 1), cases(1000, 2))
    assert (found["fitted_on"], found["measured_on"]) == (1000, 1000)
    assert found["own"] == pytest.approx(0.2, abs=0.04)
    assert found["platt"] < 0.05
    assert found["isotonic"] < 0.05
    assert table({"x": found})[1].split()[0] == "x"


def test_what_is_fitted_is_not_what_is_measured() -> None:
    """Fitted on a judge that is right, it stays too sure of one that is not."""
    right = [Judged(case.item, (case.score.value or 0) > 0.5, case.group, case.score) for case in cases(200, 1)]
    right[0] = Judged(right[0].item, not right[0].label, right[0].group, right[0].score)
    found = calibration_errors(SCORER, right, cases(1000, 2))
    assert found["platt"] > 0.2
    assert found["isotonic"] > 0.2


def labelled(prompt: str, *rows: tuple[str, bool]) -> list[Labelled]:
    return [CoherentReply(kind="coherence", context=(), prompt=prompt, reply=reply, label=fits) for reply, fits in rows]


def test_the_command_writes_figures_and_pictures(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    fit = {"Yes, often.": 0.8, "Boats are wet.": 0.3, "Never at night.": 0.6, "Purple.": 0.7}
    rows = labelled("Do you sail?", *((reply, reply != "Purple." and fit[reply] > 0.5) for reply in fit))
    monkeypatch.setattr(deferral, "held_out", lambda: rows)
    monkeypatch.setattr(deferral, "tuning", lambda: rows[1:])
    monkeypatch.setattr(deferral, "Judges", lambda: NamedJudges("embedded", Fits("embedded", fit)))
    names = [str(tmp_path / name) for name in ("figures.json", "curves.svg", "reliability.svg")]
    deferral.main(["--json", names[0], "--curves", names[1], "--reliability", names[2]])
    found = json.loads(Path(names[0]).read_text(encoding="utf-8"))
    assert set(found["deferral"]) == set(found["calibration"]) == {"coherence", "prompt_coherence"}
    assert found["deferral"]["coherence"]["accuracy"] == 0.75
    assert found["calibration"]["coherence"]["measured_on"] == 4
    assert found["calibration"]["coherence"]["fitted_on"] == 3
    assert "isotonic" in capsys.readouterr().out
    assert all(Path(name).stat().st_size for name in names)


@pytest.mark.slow  # reads the written rows
def test_no_row_is_both_fitted_on_and_measured() -> None:
    texts = [{(case.kind, str(case.item())) for case in part()} for part in (deferral.tuning, deferral.held_out)]
    assert all(texts)
    assert not texts[0] & texts[1]
