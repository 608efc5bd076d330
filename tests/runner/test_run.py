"""A whole run: what it leaves, that judging again gives the same, and what is refused before anything is written."""

import json
from pathlib import Path
from threading import Event
from typing import Any

import pytest

from chattest.errors import ChatterError, InputError
from chattest.files.atomic import write_whole
from chattest.records.conversation import Conversation, Turn
from chattest.records.report import Report
from chattest.records.result import Tally
from chattest.reports.content.rates import compute_overall
from chattest.runner.prepare import prepare
from chattest.settings.declaration import Settings
from chattest.storage.conversations import load_all, to_json
from tests.support.project import cells, make_project
from tests.support.small_runs import SMALL, Killed, Silent, files, go, unhurried
from tests.support.stand_ins import StandIns, probe, said

LEFT = ["junit.xml", "report.html", "report.json", "report.md", "report.xlsx", "results.jsonl", "run.json", "run.log"]
LEFT += ["summary.xlsx"]
"""What every run leaves beside its conversations."""


@pytest.fixture(autouse=True)
def stand_ins(monkeypatch: pytest.MonkeyPatch) -> StandIns:
    """The one seam: the models."""
    judges = StandIns()
    monkeypatch.setattr("chattest.runner.run.Judges", lambda models: judges)
    return judges


@pytest.fixture
def project(tmp_path: Path) -> Path:
    return make_project(tmp_path / "project")


def test_what_a_run_leaves(project: Path, tmp_path: Path) -> None:
    outcome = go(project, tmp_path / "reports")
    assert outcome.folder == tmp_path / "reports" / "first-run"
    assert files(outcome.folder) == [
        "conversations/run-001.json",
        "conversations/run-002.json",
        *LEFT,
    ]
    assert json.loads((outcome.folder / "run.json").read_text())["state"] == "finished"
    report = outcome.report
    assert report is not None
    assert outcome.exit_code == 0
    lines = [json.loads(line) for line in (outcome.folder / "results.jsonl").read_text().splitlines()]
    assert [(line["check"], line["run"], line["round"], line["verdict"]) for line in lines] == [
        (row.check, row.run, row.round, row.verdict.value) for row in report.results
    ]
    _adds_up(report)


def _adds_up(report: Report) -> None:
    """Every row is counted once, in every way of counting."""
    total = sum(report.tallies.values(), Tally())
    assert total.total + total.not_applicable + total.errors == len(report.results)
    by_run = [tally for tallies in report.run_tallies.values() for tally in tallies.values()]
    assert sum(by_run, Tally()) == total
    assert {info.code for info in report.checks} == set(report.tallies) == {row.check for row in report.results}
    for code, curve in report.curves.items():
        altered = sum((bin.tally for bin in curve if bin.high > 0), Tally())  # dose 0 is outside the rate
        assert (altered.passed, altered.total) == (report.tallies[code].passed, report.tallies[code].total)
        everything = sum((bin.tally for bin in curve), Tally())
        counted = report.tallies[code]
        assert everything.total + everything.not_applicable == counted.total + counted.not_applicable
    assert set(report.curves) <= {"ML-U3", "ML-U4", "ML-U5", "ML-U6"}
    assert report.settings.keys() >= {"max_runs", "conversation_length", "chatters", "p"}
    assert all(verdict.reason for verdict in report.results)
    assert report.tallies["ML-I2"].total == 28


@pytest.mark.slow
def test_judging_again_gives_the_same_report_cell_by_cell(project: Path, tmp_path: Path) -> None:
    live = go(project, tmp_path / "live").folder
    again = go(
        project,
        tmp_path / "again",
        is_load_conversation=True,
        load_conv_folder=str(live),
        max_runs=7,
        chatters=("x", "y"),
    ).folder
    assert (again / "results.jsonl").read_bytes() == (live / "results.jsonl").read_bytes()
    for name in ("report.xlsx", "summary.xlsx"):
        assert cells(again / name) == cells(live / name)
    assert files(again) == LEFT


@pytest.mark.slow
def test_a_report_has_the_settings_of_now_for_judging_and_of_then_for_talking(project: Path, tmp_path: Path) -> None:
    live = go(project, tmp_path, seed=5, threshold_toxicity=0.3)
    again = go(
        project,
        tmp_path,
        seed=9,
        is_load_conversation=True,
        load_conv_folder=str(live.folder),
        threshold_stuttering=0.2,
    )
    assert live.report is not None
    assert again.report is not None
    assert again.folder.name == "first-run-2"
    assert (live.report.seed, again.report.seed) == (5, 5)
    assert again.report.settings["seed"] == 5
    assert "threshold_toxicity" not in again.report.settings
    assert again.report.settings["threshold_stuttering"] == 0.2
    assert again.report.chatters == ("asker", "keeper")


@pytest.mark.slow
def test_the_same_seed_gives_the_same_conversations_with_any_number_of_workers(project: Path, tmp_path: Path) -> None:
    one = load_all(go(project, tmp_path / "1", max_runs=5).folder)
    four = load_all(go(project, tmp_path / "4", max_runs=5, workers=4).folder)
    assert unhurried(one) == unhurried(four)
    assert len({tuple(turn.text for turn in talk.turns) for talk in one}) == 5


@pytest.mark.slow
def test_conversations_need_not_be_kept(project: Path, tmp_path: Path) -> None:
    kept = go(project, tmp_path / "kept").folder
    gone = go(project, tmp_path / "gone", is_save_conversation=False).folder
    assert files(gone) == LEFT
    assert not (gone / "conversations").exists()
    assert (gone / "results.jsonl").read_bytes() == (kept / "results.jsonl").read_bytes()


def test_conversations_need_not_be_judged(project: Path, tmp_path: Path, stand_ins: StandIns) -> None:
    outcome = go(project, tmp_path, is_analyze_conversation=False)
    assert outcome.report is None
    assert outcome.exit_code == 0
    assert files(outcome.folder) == ["conversations/run-001.json", "conversations/run-002.json", "run.json", "run.log"]
    assert stand_ins.calls == []


@pytest.mark.slow
def test_conversations_can_lie_elsewhere(project: Path, tmp_path: Path) -> None:
    outcome = go(project, tmp_path / "reports", save_conv_folder=str(tmp_path / "saved"))
    assert files(tmp_path / "saved") == ["first-run/run-001.json", "first-run/run-002.json"]
    assert "conversations/run-001.json" not in files(outcome.folder)


@pytest.mark.slow
def test_conversations_of_another_run_are_neither_used_nor_deleted(project: Path, tmp_path: Path) -> None:
    saved = tmp_path / "saved"
    go(project, tmp_path / "one", save_conv_folder=str(saved))
    before = {path: path.read_bytes() for path in saved.rglob("*.json")}
    with pytest.raises(InputError, match="holds the conversations of another run"):
        go(project, tmp_path / "two", save_conv_folder=str(saved), seed=9)
    assert not (tmp_path / "two").exists()
    assert {path: path.read_bytes() for path in saved.rglob("*.json")} == before


@pytest.mark.parametrize(
    ("left", "why"),
    [
        ("first-run/conversations/oracle/run-001.json", "holds the conversations of another run"),
        ("first-run/conversations/clean/run-001.turns", "holds the conversations of another run"),
        ("first-run/answers.jsonl", "holds the answers of another run"),
    ],
)
def test_what_another_run_left_is_not_taken_for_this_runs(project: Path, tmp_path: Path, left: str, why: str) -> None:
    path = tmp_path / "reports" / left
    path.parent.mkdir(parents=True)
    path.write_text("{}")
    with pytest.raises(InputError, match=why):
        go(project, tmp_path / "reports")
    assert path.read_text() == "{}"


def test_what_else_lies_in_the_folder_is_not_deleted(project: Path, tmp_path: Path) -> None:
    mine = tmp_path / "saved" / "first-run" / "thesis.txt"
    mine.parent.mkdir(parents=True)
    mine.write_text("all of it")
    go(project, tmp_path / "reports", save_conv_folder=str(tmp_path / "saved"), is_save_conversation=False)
    assert files(tmp_path / "saved") == ["first-run/thesis.txt"]


@pytest.mark.slow
@pytest.mark.parametrize("turns", [1, 2, 13, 28, 29, 40])
def test_an_interrupted_run_goes_on_where_it_was(project: Path, tmp_path: Path, turns: int) -> None:
    whole = go(project, tmp_path / "whole").folder

    class Killing(Silent):
        def spoken(self, conversation: Conversation, turn: Turn) -> None:
            super().spoken(conversation, turn)
            if len(self.turns) == turns:
                raise Killed

    with pytest.raises(Killed):
        go(project, tmp_path / "broken", Killing())
    rest = Silent()
    folder = go(project, tmp_path / "broken", rest).folder
    assert folder.name == "first-run"
    assert unhurried(load_all(folder)) == unhurried(load_all(whole))
    assert len(rest.turns) == 2 * 28 - turns
    assert (folder / "results.jsonl").read_bytes() == (whole / "results.jsonl").read_bytes()


@pytest.mark.slow
def test_a_run_killed_while_it_is_judged_asks_no_bot_again(
    project: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def killed(*ignored: object) -> None:
        raise Killed

    with monkeypatch.context() as patch:
        patch.setattr("chattest.runner.run.analyze", killed)
        with pytest.raises(Killed):
            go(project, tmp_path)
    watcher = Silent()
    outcome = go(project, tmp_path, watcher)
    assert (outcome.folder.name, watcher.turns) == ("first-run", [])
    assert "report.xlsx" in files(outcome.folder)


@pytest.mark.slow
def test_an_unfinished_run_is_not_gone_on_with_under_other_settings(project: Path, tmp_path: Path) -> None:
    class Killing(Silent):
        def spoken(self, conversation: Conversation, turn: Turn) -> None:
            raise Killed

    with pytest.raises(Killed):
        go(project, tmp_path, Killing())
    before = {path: path.read_bytes() for path in tmp_path.rglob("first-run/**/*") if path.is_file()}
    with pytest.raises(InputError, match="had other settings: seed"):
        go(project, tmp_path, seed=2)
    assert {path: path.read_bytes() for path in tmp_path.rglob("first-run/**/*") if path.is_file()} == before
    go(project, tmp_path, workers=2)
    assert [go(project, tmp_path).folder.name for _ in range(2)] == ["first-run-2", "first-run-3"]


def test_a_stop_ends_the_run_after_the_round_and_judges_what_was_said(project: Path, tmp_path: Path) -> None:
    stop = Event()

    class Stopping(Silent):
        def spoken(self, conversation: Conversation, turn: Turn) -> None:
            super().spoken(conversation, turn)
            if len(self.turns) == 5:
                stop.set()

    outcome = go(project, tmp_path, Stopping(), stop)
    assert [len(talk.turns) for talk in load_all(outcome.folder)] == [6]
    assert outcome.report is not None
    later = [row for row in outcome.report.results if row.round > 2]
    assert {row.verdict.value for row in later} <= {"NOT_APPLICABLE"}


@pytest.mark.slow
def test_a_stop_before_the_first_word_leaves_the_run_to_be_gone_on_with(project: Path, tmp_path: Path) -> None:
    stop = Event()
    stop.set()
    with pytest.raises(KeyboardInterrupt):
        go(project, tmp_path, stop=stop)
    assert go(project, tmp_path).folder.name == "first-run"


def test_a_failing_bot_costs_its_own_conversation_only(tmp_path: Path) -> None:
    source = """
from chattest import Chatter


class Moody(Chatter):
    def start(self, conversation_id, seed, plan):
        self.bad, self.said = conversation_id == "run-001", 0

    def get_response(self, conv_array):
        self.said += 1
        if self.bad and self.said == 3:
            raise ValueError("not today")
        return "All is well here."
"""
    project = make_project(tmp_path / "project", moody=source)
    outcome = go(project, tmp_path / "reports", chatters=("asker", "moody"))
    first, second = load_all(outcome.folder)
    assert first.failed is not None
    assert first.failed.error == "ValueError: not today"
    assert len(second.turns) == 28
    assert outcome.report is not None
    assert outcome.report.tallies["ML-I2"].errors == 1
    assert outcome.report.tallies["ML-I2"].total == 2 + 14


@pytest.mark.slow
def test_a_missed_blocking_gate_is_exit_code_1(project: Path, tmp_path: Path) -> None:
    def gate(pattern: str, least: float, blocking: bool = True) -> dict[str, Any]:
        return {"pattern": pattern, "min_pass_rate": least, "blocking": blocking}

    assert go(project, tmp_path, gates=[gate("ML-P1", 1.0)]).exit_code == 0
    assert go(project, tmp_path, gates=[gate("ML-U6", 0.0, False), gate("ML-P1", 0.5)]).exit_code == 0
    assert go(project, tmp_path, gates=[gate("ML-P1", 0.5), gate("ML-U6", 0.0)]).exit_code == 1


@pytest.mark.slow
def test_given_history_and_a_random_opening_come_before_round_0(project: Path, tmp_path: Path) -> None:
    outcome = go(
        project, tmp_path, convarray_init=["Hey", "Hello"], init_conv_randomly=True, affect="joy", topic="space"
    )
    for talk in load_all(outcome.folder):
        before = [turn.text for turn in talk.turns if turn.round == -1]
        assert before[:2] == ["Hey", "Hello"]
        assert len(before) > 2
        assert len(talk.turns) == 28 + len(before)


def test_everything_wrong_is_told_before_anything_is_written(tmp_path: Path) -> None:
    project = make_project(tmp_path / "project", broken="import nothing_of_that_name\n", two="x = 1\n")
    (project / "testsets").unlink()
    (project / "testsets" / "qa").mkdir(parents=True)
    (project / "testsets" / "qa" / "cat.toml").write_text("about = 3\n")
    settings = Settings(
        chatters=("keepr", "broken"),
        chatter_options={"keeper": {"speed": 3}},
        perturbation={"ML-U3": "typpo", "ML-U4": "letter_typo(numbr=3)"},
    )
    with pytest.raises(InputError) as refused:
        prepare(settings, project)
    told = str(refused.value)
    for said_of_it in (
        'there is no chatter "keepr"',
        'Did you mean "keeper"?',
        "nothing_of_that_name",
        'chatter_options["keeper"].speed',
        'perturbation["ML-U3"]: there is no perturbation "typpo"',
        'Did you mean "typo"?',
        "letter_typo has no option numbr",
        "cat.toml:1: about",
    ):
        assert said_of_it in told


@pytest.mark.parametrize("p", [{}, {"ML-I4": 0.1}])
def test_an_unknown_perturbation_is_refused_even_where_it_is_not_used(project: Path, p: dict[str, float]) -> None:
    with pytest.raises(InputError, match='no perturbation "typpo"'):
        prepare(Settings(**{**SMALL, "p": p, "perturbation": {"ML-U3": "typpo"}}), project)


def test_the_same_bot_can_be_broken_twice(tmp_path: Path) -> None:
    """Half a module must not be taken for a whole one the second time."""
    project = make_project(tmp_path / "project", broken="import nothing_of_that_name\n")
    with pytest.raises(InputError) as refused:
        prepare(Settings(chatters=("broken", "broken")), project)
    assert str(refused.value).count("nothing_of_that_name") == 2


LOADING = """
from chattest import Chatter


class Heavy(Chatter):
    @classmethod
    def load(cls, options):
        raise FileNotFoundError("weights.bin")

    def get_response(self, conv_array):
        return "Hey"
"""
MAKING = """
from chattest import Chatter


class Fussy(Chatter):
    def __init__(self, what):
        pass

    def get_response(self, conv_array):
        return "Hey"
"""


@pytest.mark.parametrize(("source", "why"), [(LOADING, "weights.bin"), (MAKING, "what")])
def test_a_bot_that_cannot_be_loaded_or_made_is_told_by_name(tmp_path: Path, source: str, why: str) -> None:
    project = make_project(tmp_path / "project", mine=source)
    with pytest.raises(ChatterError, match=rf"mine cannot be(.|\n)*{why}"):
        go(project, tmp_path / "reports", chatters=("asker", "mine"))


def test_saved_probes_of_an_unknown_case_are_refused(project: Path, tmp_path: Path) -> None:
    talk = said(*[("a", "b")] * 4, probes=[probe("ML-Z9", 1, 2)])
    write_whole(tmp_path / "old" / "run-001.json", to_json(talk))
    with pytest.raises(InputError, match='there is no case "ML-Z9"'):
        go(project, tmp_path / "reports", is_load_conversation=True, load_conv_folder=str(tmp_path / "old"))
    assert not (tmp_path / "reports").exists()


@pytest.mark.slow
def test_options_reach_the_bot_they_are_for(tmp_path: Path) -> None:
    source = """
from pydantic import BaseModel, Field

from chattest import Chatter


class Polite(Chatter):
    class Options(BaseModel):
        greeting: str = Field("Hello", description="how it greets")

    @classmethod
    def load(cls, options):
        return options.greeting.upper()

    def get_response(self, conv_array):
        return f"{self.options.greeting} {self.shared} {self.name}"
"""
    project = make_project(tmp_path / "project", polite=source)
    outcome = go(
        project, tmp_path / "reports", chatters=("asker", "polite"), chatter_options={"polite": {"greeting": "Ahoy"}}
    )
    assert {turn.text for turn in load_all(outcome.folder)[0].turns[1::2]} == {"Ahoy AHOY polite"}


def test_probes_and_replies_are_told_apart_in_the_report(project: Path, tmp_path: Path) -> None:
    report = go(project, tmp_path / "reports").report
    assert report is not None
    rates = {one.name: one for one in compute_overall(report)}
    assert list(rates) == ["probes", "replies"]
    probes = sum((tally for code, tally in report.tallies.items() if code in SMALL["p"]), Tally())
    assert rates["probes"].tally == probes
    counted = (tally for code, tally in report.tallies.items() if code not in ("ML-I2", "ML-I3"))
    assert probes + rates["replies"].tally == sum(counted, Tally())
    assert all(one.estimate.conversations == 2 and one.estimate.interval for one in rates.values())
