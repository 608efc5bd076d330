"""Whole runs of checks: what they leave, going on, judging again, and beside conversations."""

import json
from pathlib import Path
from threading import Event
from typing import Any

import pytest

from chattest.errors import InputError
from chattest.records.conversation import Conversation, Turn
from chattest.records.question import Answer
from chattest.runner.prepare import prepare
from chattest.runner.run import Outcome, run
from chattest.settings.declaration import Settings
from chattest.storage.answers import FILE
from tests.support.project import make_project
from tests.support.stand_ins import StandIns

BOT = '''
from chattest import Chatter


class Mine(Chatter):
    """Echoes in small letters; counts its sessions in a file."""

    def start(self, conversation_id, seed, plan):
        with open("sessions", "a") as file:
            file.write("x")

    def get_response(self, conv_array):
        return conv_array[-1].casefold()
'''
CHECKS: dict[str, Any] = {
    "chatters": ("asker", "mine"),
    "checks": ["invariance.uppercase", "invariance.leetspeak", "mft.neutral_detection"],
    "check_compare_by": "direct",
    "check_questions": 5,
}


class Watching:
    """Counts what it is told."""

    def __init__(self, stop_after: int = 10**9) -> None:
        self.told: list[Any] = []
        self.stop, self.stop_after = Event(), stop_after

    def talking(self, conversations: int, turns: int) -> None:
        self.told.append(("talking", conversations))

    def spoken(self, conversation: Conversation, turn: Turn) -> None: ...

    def looked(self, words: str) -> None: ...

    def asking(self, questions: int) -> None:
        self.told.append(("asking", questions))

    def answered(self, answer: Answer) -> None:
        self.stop_after -= 1
        if not self.stop_after:
            self.stop.set()

    def judging(self, conversations: int) -> None:
        self.told.append(("judging", conversations))


@pytest.fixture(autouse=True)
def _here(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr("chattest.runner.run.Judges", lambda models: StandIns())
    monkeypatch.chdir(tmp_path)


@pytest.fixture
def project(tmp_path: Path) -> Path:
    return make_project(tmp_path / "project", mine=BOT)


def go(project: Path, watcher: Watching | None = None, alone: bool = True, **more: Any) -> Outcome:
    watcher = watcher or Watching()
    settings = Settings.model_validate({**CHECKS, **more})
    return run(prepare(settings, project, alone), Path("reports"), watcher, watcher.stop)


def verdicts(outcome: Outcome) -> list[tuple[Any, ...]]:
    lines = (outcome.folder / "results.jsonl").read_text().splitlines()
    return [(row["check"], row["round"], row["verdict"], row["reason"]) for row in map(json.loads, lines)]


def test_checks_alone_leave_every_report_and_hold_no_conversation(project: Path) -> None:
    watcher = Watching()
    outcome = go(project, watcher)
    assert outcome.report is not None
    assert not (outcome.folder / "conversations").exists()
    assert {"answers.jsonl", "report.xlsx", "results.jsonl", "summary.xlsx"} <= {
        path.name for path in outcome.folder.iterdir()
    }
    assert watcher.told[0][0] == "asking"
    assert watcher.told[1] == ("judging", 0)
    rates = {code: tally.rate for code, tally in outcome.report.tallies.items()}
    assert rates == {"invariance.uppercase": 1.0, "invariance.leetspeak": 0.0, "mft.neutral_detection": 1.0}
    assert [gate.gate.pattern for gate in outcome.report.gates] == ["mft.neutral_detection"]
    assert outcome.exit_code == 0


@pytest.mark.parametrize(("least", "code"), [(0.0, 0), (0.1, 1)])
def test_a_missed_gate_is_the_exit_code(project: Path, least: float, code: int) -> None:
    (project / "mine.toml").write_text(f'[[gate]]\npattern = "*leetspeak"\nmin_pass_rate = {least}\n')
    assert go(project, gates="mine.toml").exit_code == code


@pytest.mark.slow
def test_a_stopped_run_goes_on_where_it_was(project: Path) -> None:
    whole = go(project, save_analysis_name="whole")
    asked = len(Path("sessions").read_text())
    stopped = go(project, Watching(stop_after=4), save_analysis_name="parts")
    assert len((stopped.folder / FILE).read_text().splitlines()) == 4
    left = [row for row in verdicts(stopped) if row[3].startswith("never asked")]
    assert left
    assert {row[2] for row in left} == {"NOT_APPLICABLE"}
    assert stopped.stopped
    again = go(project, save_analysis_name="parts")
    assert again.folder == stopped.folder
    assert len(Path("sessions").read_text()) == 2 * asked
    assert verdicts(again) == verdicts(whole)
    assert not again.stopped


@pytest.mark.slow
def test_saved_answers_are_judged_again_without_the_bot(project: Path) -> None:
    first = go(project)
    asked = Path("sessions").read_text()
    again = go(project, alone=False, is_load_conversation=True, load_conv_folder=str(first.folder))
    assert verdicts(again) == verdicts(first)
    stricter = go(
        project, alone=False, is_load_conversation=True, load_conv_folder=str(first.folder), check_compare_by="jaro",
        check_compare_bar=1.0,
    )  # fmt: skip
    assert verdicts(stricter) != verdicts(first)
    assert Path("sessions").read_text() == asked


def test_judging_again_judges_what_was_asked_and_no_more(project: Path) -> None:
    first = go(project)
    # The settings of now name no checks, which in a live run stands for all, and another seed.
    more: dict[str, Any] = {"checks": [], "check_questions": 9, "seed": 5, "chatters": ("asker", "keeper")}
    again = go(project, alone=False, is_load_conversation=True, load_conv_folder=str(first.folder), **more)
    assert verdicts(again) == verdicts(first)
    assert again.report is not None
    assert again.report.chatters[1] == "mine"
    assert again.report.seed == 1
    for name in ("run.json", "report.json"):  # a folder that holds what was said, and nothing else of a run
        (first.folder / name).unlink(missing_ok=True)
    alone = go(project, alone=False, is_load_conversation=True, load_conv_folder=str(first.folder), checks=[])
    assert alone.report is not None
    asked = {"invariance.uppercase", "invariance.leetspeak", "mft.neutral_detection"}
    assert asked <= {info.code for info in alone.report.checks}
    assert not any(info.code.startswith(("bias", "metamorphic")) for info in alone.report.checks)


def test_conversations_and_checks_stand_in_one_report(project: Path) -> None:
    outcome = go(project, alone=False, max_runs=1, conversation_length=8)
    assert outcome.report is not None
    assert len(outcome.report.conversations) == 1
    checks = {row[0] for row in verdicts(outcome)}
    assert checks > set(CHECKS["checks"])
    assert any(check.startswith("ML-") for check in checks)


def test_without_checks_nothing_is_asked(project: Path) -> None:
    watcher = Watching()
    go(project, watcher, alone=False, checks=[], max_runs=1, conversation_length=4)
    assert [told for told, _ in watcher.told] == ["talking", "judging"]


def test_answers_are_not_kept_where_nothing_is(project: Path) -> None:
    assert not (go(project, is_save_conversation=False).folder / FILE).exists()


def test_all_that_is_wrong_is_told_together(project: Path) -> None:
    with pytest.raises(InputError) as refused:
        go(project, chatters=("asker", "mien"), checks=["mft.grating", "invariances"], gates="none.toml")
    told = str(refused.value)
    for part in ('no chatter "mien"', 'Did you mean "greeting"', 'Did you mean "invariance"', "none.toml"):
        assert part in told


def test_the_model_chatter_that_compares(project: Path) -> None:
    judge = '''
from chattest import Chatter
from chattest.judging.chat.fence import unfenced


class Judge(Chatter):
    """Says the same where the answers have the same first letter."""

    def get_response(self, conv_array):
        texts = unfenced(conv_array[-1])
        same = texts["first answer"][:1] == texts["second answer"][:1]
        verdict = "same" if same else "different"
        return f'{{"reason": "Look at them.", "verdict": "{verdict}", "confidence": 0.8}}'
'''
    (project / "chatters" / "judge.py").write_text(judge)
    outcome = go(
        project, checks=["invariance.letter_typo(number=3)"], check_compare_by="chatter", check_chatter="judge"
    )
    found = {(row[2], row[3].partition(";")[0]) for row in verdicts(outcome)}
    assert ("PASS", "same (0.80): Look at them. - chat:judge") in found
    assert ("FAIL", "different (0.80): Look at them. - chat:judge") in found
    with pytest.raises(InputError, match="check_chatter"):
        go(project, checks=["invariance.greeting"], check_compare_by="chatter", check_chatter="jugde")


def test_a_model_chatter_that_gives_no_verdict_makes_errors_and_no_failures(project: Path) -> None:
    check = "invariance.greeting"
    judge = 'from chattest import Chatter\n\n\nclass Judge(Chatter):\n    """Says neither."""\n\n'
    judge += '    def get_response(self, conv_array):\n        return "<think>Yes.</think>It depends."\n'
    (project / "chatters" / "judge.py").write_text(judge)
    outcome = go(project, checks=[check], check_compare_by="chatter", check_chatter="judge", check_floor=False)
    found = {row[2]: row[3] for row in verdicts(outcome) if row[0] == check and row[2] != "NOT_APPLICABLE"}
    assert set(found) <= {"ERROR", "PASS"}, "PASS where the answers are the same word for word"
    assert "the judge's answer is not the JSON object that was asked for" in found["ERROR"]
