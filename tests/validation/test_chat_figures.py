"""A chat judge is measured like any other, and its figures correct its own rates and no others."""

from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from chattest.errors import InputError
from chattest.models.chat import SPENT, Opinion
from chattest.records.result import Result, Verdict
from chattest.runner.prepare import prepare
from chattest.settings.declaration import Settings
from chattest.storage.judge_accuracy import read_chat_figures, save_measured
from chattest.tally.estimates import estimate_true_rate
from chattest.validation.labelled import Open
from chattest.validation.measured import Validation
from chattest.validation.report import lines, write_json
from chattest.validation.validate import validate
from tests.support.chat_stand_ins import Opinionated
from tests.support.stand_ins import StandIns


def says(shown: Mapping[str, str]) -> Opinion:
    """Takes nine of ten right replies for right, and one of ten wrong ones; it cannot read what it should not."""
    reply = shown["reply"]
    if "unread" in reply:
        return Opinion(error="the judge's answer cannot be read")
    if "spent" in reply:
        return Opinion(error=SPENT)
    right = reply.startswith("Juniper") != reply.endswith("7")
    return Opinion("right" if right else "wrong", 0.9, "Look.")


def case(reply: str, label: bool) -> Open:
    return Open(
        kind="open",
        question="Which cat?",
        extract_with="Which cat?",
        expected="Juniper",
        reply=reply,
        label=label,
        bot="a-bot",
    )


def measured() -> Validation:
    cases = [case(f"Juniper {number}", True) for number in range(50)]
    cases += [case(f"Rex {number}", False) for number in range(50)]
    cases += [case("unread", False), case("spent", False), case(" ", False)]
    judges = StandIns()
    judges.use_chat({"match": Opinionated("match", says)})
    (found,) = [each for each in validate(cases, Settings(), judges) if each.kind == "open"]
    return found


def written_by_people() -> Validation:
    """The same figures, one of whose replies somebody wrote."""
    of_bots = measured()
    first = of_bots.cases[0].model_copy(update={"bot": ""})
    return replace(of_bots, cases=(first, *of_bots.cases[1:]))


def test_a_chat_judge_is_measured_by_its_verdicts() -> None:
    found = measured()
    figures = found.figures()
    assert (figures["n"], figures["accuracy"], figures["recall"]) == (101, pytest.approx(91 / 101), 0.9)
    assert figures["threshold"] is None
    assert figures["calibration_error"] is not None
    assert found.not_judged == 2, "what it could not read, and what it was not asked about"
    assert any("chat:stand-in gave no verdict" in line for line in lines([found]))


def rows(judge: str) -> list[Result]:
    verdicts = [Verdict.FAIL, Verdict.PASS] * 5
    return [
        Result("ML-U3", run, f"run-{run:03d}", round, verdict, expected="x", scorer="open_answer", judge=judge)
        for run in range(1, 11)
        for round, verdict in enumerate(verdicts)
    ]


def test_its_figures_correct_its_rates_and_no_others(tmp_path: Path) -> None:
    file = tmp_path / "judge.json"
    write_json([measured()], file, {"match": "chat:stand-in"})
    assert read_chat_figures(file)["open"][0] == "chat:stand-in"
    with pytest.raises(InputError, match="judge_figures"):
        save_measured([file], tmp_path / "measured.json")
    chosen: dict[str, Any] = {"models": {"match": "chat:stand-in"}}
    with_figures = Settings(judge_figures=str(file), **chosen)
    found = estimate_true_rate(rows("chat:stand-in"), with_figures, {})
    assert found is not None
    assert found.rate == pytest.approx(0.5, abs=0.02)
    assert found.interval[0] < 0.5 < found.interval[1]
    write_json([written_by_people()], file, {"match": "chat:stand-in"})
    assert estimate_true_rate(rows("chat:stand-in"), with_figures, {}) is None, "some replies are no bot's"
    write_json([measured()], file, {"match": "chat:stand-in"})
    assert estimate_true_rate(rows("chat:another"), with_figures, {}) is None
    assert estimate_true_rate(rows("chat:stand-in"), Settings(**chosen), {}) is None


def test_a_file_without_figures_of_chat_judges_is_refused(tmp_path: Path) -> None:
    (tmp_path / "none.json").write_text('{"made": {"models": {}}}')
    with pytest.raises(InputError, match="holds no figures of chat judges"):
        prepare(Settings(judge_figures=str(tmp_path / "none.json")), tmp_path)
