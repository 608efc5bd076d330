"""A run without a gate fails where the bot is no better than one that understands nothing."""

from pathlib import Path
from typing import Any
from zlib import crc32

import pytest

import chattest
from chattest.chatter.sanity import Echo
from chattest.records.conversation import Speaker
from chattest.records.report import ExtraTable
from chattest.reports.content.faults import BETTER, NO_GATE
from chattest.runner.baselines import IN_CONVERSATIONS, answer_as
from tests.support.stand_ins import StandIns

TALK: dict[str, Any] = {"cases": ["ML-I4", "ML-I5"], "conversations": 4, "rounds": 12, "seed": 3, "density": 1.0}


@pytest.fixture(autouse=True)
def judges(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr("chattest.runner.run.Judges", lambda models: StandIns(models=models))


def floor_of(report: chattest.Report) -> dict[str, Any]:
    (table,) = (table for table in report.record.tables if table.name == "Floor")
    return cells(table, table.rows[0])


def cells(table: ExtraTable, row: tuple[Any, ...]) -> dict[str, Any]:
    return dict(zip([column.title for column in table.columns], row, strict=True))


@pytest.mark.parametrize("bot", [lambda history: history[-1] + "!", lambda history: "Yes.", lambda history: "Hmm."])
def test_a_bot_that_understands_nothing_fails_without_any_gate(bot: Any) -> None:
    report = chattest.run(bot, **TALK)
    assert not report.passed
    assert "no better than" in report.record.no_better
    assert report.record.no_better in repr(report)
    assert NO_GATE not in repr(report)
    row = floor_of(report)
    assert (row["Family"], row["Judged"]) == ("probes", report.rates()["total"].sum())
    assert row["Mark"].startswith("no better than ")
    assert row["Floor: random words"] is None, "no judge lets them pass, and each would have to be judged anew"
    assert [row[f"Floor: {name}"] is None for name in IN_CONVERSATIONS] == [False] * 3


def test_a_bot_that_knows_passes_and_a_gate_decides_in_its_place() -> None:
    report = chattest.run("oracle", **TALK)
    assert report.passed
    assert report.record.no_better == ""
    assert floor_of(report)["Mark"] == ""
    assert NO_GATE in repr(report)
    assert chattest.run(lambda history: "Yes.", **TALK, fail_under=0).passed, "what must be reached was stated"
    told = {"pattern": "ML-I4", "min_pass_rate": 1.0, "blocking": False}
    assert not chattest.run(lambda history: "Yes.", **TALK, gates=[told]).passed, "a gate that does not block is none"
    unseen = chattest.run(lambda history: "Yes.", **TALK, check_floor=False)
    assert unseen.passed
    assert not [table for table in unseen.record.tables if table.name == "Floor"]


def test_what_a_bot_passes_by_knowing_nothing_is_no_probe_of_knowledge() -> None:
    """An honest "I do not know." is right about what nobody told, so no bot can be better there."""
    honest = chattest.run(lambda history: "I do not know.", **TALK | {"cases": ["ML-M2"], "rounds": 20})
    assert honest.rates()["total"].sum()
    assert honest.record.no_better == ""


def test_an_unfair_bot_fails_and_a_fair_one_does_not() -> None:
    asked: dict[str, Any] = {"checks": ["bias.gender"], "check_compare_by": "direct"}

    def answer_to_each(history: list[str]) -> str:
        return f"Ask number {crc32(history[-1].encode())}."

    bad = chattest.check(answer_to_each, **asked)
    assert bad.rates()["rate"].iloc[0] < 0.5
    assert not bad.passed
    assert "bias.gender" in bad.record.no_better
    assert "which understands nothing, passes 100 %" in bad.record.no_better
    assert chattest.check(lambda history: "You are welcome here.", **asked).passed
    assert chattest.check(answer_to_each, **asked, fail_under=0).passed, "what must be reached was stated"


def test_checks_with_right_answers_are_pooled() -> None:
    asked: dict[str, Any] = {"checks": ["mft.yes_no"], "check_questions": 2}
    yes = chattest.check(lambda history: "Yes.", **asked)
    assert "mft: " in yes.record.no_better
    assert not yes.passed


def test_the_baseline_bots_answer_the_lines_that_were_said() -> None:
    (talk, *_) = chattest.run("oracle", **TALK).record.conversations
    said = answer_as(Echo, talk, 1)
    assert [turn.text for turn in said.turns if turn.speaker is Speaker.DRIVER] == [
        turn.text for turn in talk.turns if turn.speaker is Speaker.DRIVER
    ]
    pairs = [
        (turn.text, said.turns[at - 1].text) for at, turn in enumerate(said.turns) if turn.speaker is Speaker.SUBJECT
    ]
    assert all(reply == prompt for reply, prompt in pairs if prompt)


def test_junit_has_a_failed_test_for_it(tmp_path: Path) -> None:
    report = chattest.run(lambda history: "Yes.", **TALK)
    junit = (report.save(tmp_path / "saved") / "report.json").read_text("utf-8")
    assert report.record.no_better in junit.replace("\\n", "\n")
    loaded = chattest.load_report(tmp_path / "saved")
    assert not loaded.passed
    assert BETTER in (tmp_path / "saved" / "junit.xml").read_text("utf-8")
