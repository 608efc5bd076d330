"""What makes a run fail whatever its gates say, and the warning that nothing could."""

import json
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import pytest

import chattest
from chattest.cli import commands
from chattest.reports.content.faults import EMPTY, NO_GATE, NOTHING, is_blank
from tests.support.project import cells, make_project
from tests.support.stand_ins import StandIns

SHORT: dict[str, Any] = {"cases": ["ML-I4"], "conversations": 2, "rounds": 10, "seed": 3}
MUTE = '''
from chattest import Chatter


class Mute(Chatter):
    """Says nothing."""

    def get_response(self, conv_array):
        return " \\u200b"
'''
CONFIG = """
p = {"ML-U3": 1.0}
is_analyze = {"ML-I2": False, "ML-I3": False, "ML-P1": True, "ML-A6": False, "ML-A7": False}
"""
"""A probe that needs five rounds, and a case of every reply that any polite bot passes."""
TALK = ["--set", 'chatters=["asker", "keeper"]', "--set", "max_runs=2", "--set", "conversation_length=8"]
"""Short conversations with a bot that knows something."""


@pytest.fixture(autouse=True)
def _stand_ins(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("chattest.runner.run.Judges", lambda models: StandIns(models=models))
    monkeypatch.setattr("chattest.api.Judges", lambda models: StandIns(models=models))


@pytest.fixture
def project(tmp_path: Path) -> Path:
    made = make_project(tmp_path / "project", mute=MUTE)
    (made / "config.py").write_text(CONFIG)
    return made


@pytest.fixture
def call(project: Path, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]) -> Callable[..., Any]:
    """`call("check", "mft")`: a command in this process; its exit code and what it printed."""
    monkeypatch.chdir(project)

    def called(*arguments: str) -> tuple[int, str]:
        monkeypatch.setattr(sys, "argv", ["main.py", *arguments])
        capfd.readouterr()
        with pytest.raises(SystemExit) as ended:
            commands.main(project)
        code = ended.value.code
        return (code if isinstance(code, int) else int(code is not None)), capfd.readouterr().out

    return called


def test_a_run_that_counted_nothing_fails(call: Callable[..., Any], project: Path) -> None:
    off = 'is_analyze={"ML-I2" = false, "ML-I3" = false, "ML-P1" = false, "ML-A6" = false, "ML-A7" = false}'
    code, out = call(*TALK, "--set", off, "--set", "p={}")
    assert (code, NOTHING.reason in out) == (1, True), out
    suite = ElementTree.parse(project / "reports" / "first-run" / "junit.xml").getroot()
    assert [test.get("name") for test in suite.iter("testcase") if test.find("failure") is not None] == [NOTHING.test]


def test_a_run_that_asked_none_of_its_questions_fails_however_nice_its_replies_are(call: Callable[..., Any]) -> None:
    """A probe needs five rounds, so four have none; that no reply is rude answers no question."""
    code, out = call(*TALK, "--set", "conversation_length=4")
    assert (code, "No answer to probes was counted (0 of 0)" in out) == (1, True), out
    gate = 'gates=[{pattern = "ML-U*", min_pass_rate = 0.0, empty = "ignore"}]'
    assert call(*TALK, "--set", "conversation_length=4", "--set", gate)[0] == 1, (
        "an empty gate that is met changes nothing"
    )
    assert call(*TALK, "--set", "conversation_length=4", "--set", "p={}")[0] == 0, "no question was wanted"


def test_a_check_that_applied_to_nothing_fails(tmp_path: Path) -> None:
    (tmp_path / "own.csv").write_text("question,answer\nWho has a cat?,Anna\nWho has a dog?,Ben\n")
    own: dict[str, Any] = {"check_files": str(tmp_path / "own.csv"), "check_floor": False}
    report = chattest.check(lambda history: "Anna.", ["invariance.number_to_word"], **own)
    assert (report.rates()["total"].sum(), report.passed) == (0, False)
    assert chattest.check(lambda history: "Anna.", ["invariance.uppercase"], **own).passed


@pytest.mark.parametrize("text", ["", "  \n", "\u200b\ufeff"])
def test_a_bot_that_says_nothing_fails(text: str) -> None:
    talked = chattest.run(lambda history: text, **SHORT, fail_under=0)
    assert not talked.passed
    assert EMPTY.reason in repr(talked)
    asked = chattest.check(lambda history: text, ["invariance.uppercase"], check_questions=2, check_compare_by="direct")
    assert not asked.passed
    assert not chattest.judge([("Hello.", text)], scorers=["toxicity"]).passed


def test_one_reply_that_can_be_seen_is_enough_to_be_no_mute() -> None:
    assert is_blank("\u200b\n")
    assert not is_blank("🤷")
    said = iter(["Hello."])
    report = chattest.run(lambda history: next(said, ""), **SHORT)
    assert EMPTY.reason not in repr(report)


def test_a_run_without_a_gate_says_that_it_cannot_fail_wherever_it_is_read(
    call: Callable[..., Any], project: Path
) -> None:
    code, out = call(*TALK)
    assert (code, NO_GATE in out) == (0, True), out
    folder = project / "reports" / "first-run"
    assert NO_GATE in (folder / "report.html").read_text("utf-8")
    assert "No gate: low rates cannot fail this run" in (folder / "report.md").read_text("utf-8")
    assert any("No gate: low rates" in str(text) for text in cells(folder / "report.xlsx")["Summary"].values())
    (told,) = (
        test for test in ElementTree.parse(folder / "junit.xml").iter("testcase") if test.get("name") == "no gate"
    )
    assert told.find("skipped") is not None
    kept = json.loads((folder / "report.json").read_text("utf-8"))
    assert (kept["failed"], kept["notes"][-1]) == ([], NO_GATE)
    assert NO_GATE in call(*TALK, "--quiet")[1]
    quiet_gate = 'gates=[{pattern = "ML-P1", min_pass_rate = 1.0, blocking = false}]'
    assert NO_GATE in call(*TALK, "--set", quiet_gate)[1], "a gate that does not block is none"
    code, out = call(*TALK, "--fail-under", "0")
    assert (code, NO_GATE in out) == (0, False), out


def test_fail_under_holds_every_overall_rate(call: Callable[..., Any], project: Path) -> None:
    """The bot is never rude (replies 100 %) and does not always know the answer: neither makes up for the other."""
    code, out = call("--fail-under", "0.99", *TALK)
    assert code == 1, out
    assert "gate all probes MISSED: at least 99 %; found " in out, out
    assert "gate all replies MISSED" not in out
    kept = json.loads((project / "reports" / "first-run" / "report.json").read_text("utf-8"))
    assert len(kept["failed"]) == 1
    assert kept["failed"][0].startswith("gate all probes MISSED")
    asked = ["--set", 'chatters=["asker", "keeper"]', "--set", "check_questions=2", "check", "mft.yes_no"]
    assert call(*asked, "--fail-under", "1")[0] == 1
    assert call("--fail-under", "1", *asked)[0] == 1
    assert call("judge", "first-run", "--fail-under", "0")[0] == 0
    assert call("judge", "first-run", "--fail-under", "1.5")[0] == 2


def test_fail_under_is_a_keyword_of_the_library() -> None:
    def half(history: list[str]) -> str:
        return "Yes."

    asked: dict[str, Any] = {"checks": ["mft.yes_no"], "check_questions": 2, "check_floor": False}
    rate = float(chattest.check(half, **asked).rates()["rate"].iloc[0])
    assert 0 < rate < 1
    assert chattest.check(half, **asked, fail_under=rate).passed
    assert not chattest.check(half, **asked, fail_under=rate + 0.01).passed
    assert chattest.run("oracle", **SHORT, fail_under=0.9).passed
    assert not chattest.run("amnesiac", **SHORT, fail_under=0.9).passed
    said = [("Are you well?", "Yes."), ("Are you ill?", "Yes.")]
    judged: dict[str, Any] = {"expected": [True, False], "scorers": ["closed_answer"]}
    assert chattest.judge(said, **judged, fail_under=0.5).passed
    assert not chattest.judge(said, **judged, fail_under=0.6).passed
