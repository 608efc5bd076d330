"""Runs that stop when they know enough: where, why, and that nothing but the settings decides it."""

import json
from pathlib import Path
from threading import Event
from typing import Any

import pytest

from chattest.errors import StoreError
from chattest.records.conversation import Conversation, Turn
from chattest.records.report import Report
from chattest.runner.prepare import prepare
from chattest.runner.run import Outcome, run
from chattest.runner.stopping import Batches
from chattest.settings.declaration import Settings
from chattest.storage.conversations import load_all
from chattest.storage.run_folder import Planned, read_run_plan
from tests.support.project import make_project
from tests.support.small_runs import Killed, Silent, files, unhurried
from tests.support.stand_ins import StandIns

# Knows every answer, and gives it so often; in some conversations it has a bad day.
SOMETIMES = '''
from random import Random

from chattest import Chatter


class Sometimes(Chatter):
    """Knows so much."""

    SHARE = 1.0

    def start(self, conversation_id, seed, plan):
        self.chance = Random(seed)
        self.bad = self.chance.random() < 0.2 and self.SHARE < 1
        self.right = {step.text: probe.target.answer for probe, step in plan.steps()}

    def get_response(self, conv_array):
        answer = self.right.get(conv_array[-1])
        if answer is None or self.bad or self.chance.random() >= self.SHARE:
            return "I see."
        return {True: "Yes.", False: "No."}.get(answer, f"{answer}.")
'''
SMALL: dict[str, Any] = {
    "density": 1.0,
    "max_runs": 40,
    "conversation_length": 12,
    "chatters": ("asker", "knows"),
    "p": {"ML-U3": 0.4},
    "is_analyze": dict.fromkeys(("ML-I2", "ML-I3", "ML-P1", "ML-A6", "ML-A7"), False),
    "stop_when": {"ML-U3": 0.15},
    "reports": ["jsonl", "markdown"],
}
LOOKS = [5, 10, 15, 20, 25, 31, 38, 40]


@pytest.fixture(autouse=True)
def stand_ins(monkeypatch: pytest.MonkeyPatch) -> StandIns:
    """The one seam: the models."""
    judges = StandIns(readings={"Yes.": (1.0, 0.0, 0.0), "No.": (0.0, 1.0, 0.0)})
    monkeypatch.setattr("chattest.runner.run.Judges", lambda models: judges)
    return judges


@pytest.fixture
def project(tmp_path: Path) -> Path:
    some = SOMETIMES.replace("Sometimes", "{}").replace("SHARE = 1.0", "SHARE = {}")
    return make_project(
        tmp_path / "project",
        knows=SOMETIMES,
        half=some.replace("{}", "Half", 1).replace("{}", "0.6", 1),
        never=some.replace("{}", "Never", 1).replace("{}", "0.0", 1),
    )


def go(project: Path, reports: Path, watcher: Silent | None = None, stop: Event | None = None, **more: Any) -> Outcome:
    settings = Settings.model_validate({**SMALL, **more})
    return run(prepare(settings, project), reports, watcher or Silent(), stop or Event())


def held(outcome: Outcome) -> list[int]:
    return [conversation.run for conversation in load_all(outcome.folder)]


def report_of(outcome: Outcome) -> Report:
    assert outcome.report is not None
    return outcome.report


def test_a_bot_that_passes_everything_stops_the_run_once_its_rate_is_known(project: Path, tmp_path: Path) -> None:
    watcher = Silent()
    outcome = go(project, tmp_path, watcher)
    assert held(outcome) == list(range(1, 16))
    assert watcher.looks[0].startswith("held 5 of 40 conversations: ML-U3 is known to ±0.3")
    assert watcher.looks[0].endswith(", not to ±0.15")
    assert watcher.looks[-1].startswith("stopped after 15 of 40 conversations: ML-U3 is known to ±0.1")
    assert len(watcher.looks) == 3
    assert not outcome.stopped
    report = report_of(outcome)
    made = report.tables[0]
    assert made.note.startswith("Stopped after 15 of 40 conversations: ML-U3 is known to ±0.1")
    ((case, wanted, half, low, high, enough),) = made.rows
    assert (case, wanted, high, enough) == ("ML-U3", 0.15, 1.0, "narrow enough")
    assert isinstance(low, float)
    assert half == pytest.approx((1 - low) / 2)
    estimate = report.estimates["ML-U3"]
    assert (estimate.interval, estimate.always_valid, estimate.conversations) == ((low, high), True, 15)
    assert "needed for a reliable" not in " ".join(estimate.notes)
    assert "Stopped after 15 of 40" in (outcome.folder / "report.md").read_text()
    assert "Stopped after 15 of 40" in (outcome.folder / "report.json").read_text()
    assert "stopped after 15 of 40" in (outcome.folder / "run.log").read_text()


def test_a_gate_that_is_decided_stops_the_run_on_either_side(project: Path, tmp_path: Path) -> None:
    gates = [{"pattern": "ML-U*", "min_pass_rate": 0.5}]
    good = go(project, tmp_path / "good", gates=gates, stop_when={"ML-U3": 0.01})
    assert held(good) == list(range(1, 11))
    (outcome,) = report_of(good).gates
    assert outcome.met
    assert outcome.interval is not None
    assert outcome.interval[0] >= 0.5
    assert "gate ML-U* is decided" in report_of(good).tables[0].note
    assert report_of(good).tables[0].rows[0][-1] == "its gates are decided"
    bad = go(project, tmp_path / "bad", gates=gates, stop_when={"ML-U3": 0.01}, chatters=("asker", "never"))
    assert held(bad) == list(range(1, 11))
    assert bad.exit_code == 1


def test_a_gate_on_single_questions_too_or_on_a_corrected_rate_stops_nothing(project: Path, tmp_path: Path) -> None:
    more: dict[str, Any] = {"max_runs": 15, "stop_when": {"ML-U3": 0.01}}
    corrected = [{"pattern": "ML-U3", "min_pass_rate": 0.5, "level": "corrected_lower"}]
    assert len(held(go(project, tmp_path / "one", gates=corrected, **more))) == 15
    every = [{"pattern": "*", "min_pass_rate": 0.5}]
    checks: dict[str, Any] = {"checks": ["mft.names"], "check_floor": False}
    assert len(held(go(project, tmp_path / "two", gates=every, **more, **checks))) == 15
    assert len(held(go(project, tmp_path / "three", gates=every, **more))) == 10


def test_a_bot_that_is_not_clear_has_all_conversations_held(project: Path, tmp_path: Path) -> None:
    outcome = go(project, tmp_path, chatters=("asker", "half"), stop_when={"ML-U3": 0.05})
    assert len(held(outcome)) == 40
    note = report_of(outcome).tables[0].note
    assert note.startswith("Held all 40 conversations: ML-U3 is known to ±0.")
    assert ", not to ±0.05. " in note
    assert report_of(outcome).tables[0].rows[0][-1] == "no"


def test_every_case_that_is_named_has_to_be_known(project: Path, tmp_path: Path) -> None:
    more: dict[str, Any] = {"p": {"ML-U3": 0.4, "ML-I4": 0.1}, "stop_when": {"ML-U3": 0.15, "ML-I4": 0.1}}
    outcome = go(project, tmp_path, **more)
    assert len(held(outcome)) > 15
    assert [row[0] for row in report_of(outcome).tables[0].rows] == ["ML-U3", "ML-I4"]


@pytest.mark.parametrize("chatter", ["knows", "half"])
def test_workers_make_no_difference(project: Path, tmp_path: Path, chatter: str) -> None:
    more: dict[str, Any] = {"chatters": ("asker", chatter), "stop_when": {"ML-U3": 0.2}}
    one, four = (go(project, tmp_path / str(workers), workers=workers, **more).folder for workers in (1, 4))
    assert unhurried(load_all(one)) == unhurried(load_all(four))
    assert (one / "results.jsonl").read_bytes() == (four / "results.jsonl").read_bytes()


# Answers several conversations at once, each with its own last words, and keeps how many they were.
BATCHES = '''
from pathlib import Path

from chattest import Chatter


class Batches(Chatter):
    """Repeats what it hears."""

    @classmethod
    def get_responses(cls, shared, conv_arrays):
        with Path(__file__).with_suffix(".sizes").open("a") as sizes:
            print(len(conv_arrays), file=sizes)
        return [f"You said: {said[-1]}" for said in conv_arrays]

    def get_response(self, conv_array):
        return f"You said: {conv_array[-1]}"
'''


def test_conversations_in_lockstep_stop_where_those_one_at_a_time_do(project: Path, tmp_path: Path) -> None:
    chatter = project / "chatters" / "batches.py"
    chatter.write_text(BATCHES)
    more: dict[str, Any] = {"chatters": ("asker", "batches"), "stop_when": {"ML-U3": 0.2}}
    one, eight = (go(project, tmp_path / str(workers), workers=workers, **more) for workers in (1, 8))
    assert held(eight) == held(one)
    assert len(held(eight)) < 40
    assert "Stopped after" in report_of(eight).tables[0].note
    assert unhurried(load_all(eight.folder)) == unhurried(load_all(one.folder))
    assert (eight.folder / "results.jsonl").read_bytes() == (one.folder / "results.jsonl").read_bytes()
    sizes = list(map(int, chatter.with_suffix(".sizes").read_text().split()))
    assert 1 < max(sizes) <= 5  # no batch of replies reaches past the next look
    assert sum(sizes) == 12 * len(held(eight))


@pytest.mark.parametrize("turns", [3, 24 * 5 + 1, 24 * 12])
def test_a_run_that_was_killed_stops_at_the_same_conversation(project: Path, tmp_path: Path, turns: int) -> None:
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
    assert unhurried(load_all(folder)) == unhurried(load_all(whole))
    assert len(rest.turns) == 24 * 15 - turns
    assert (folder / "results.jsonl").read_bytes() == (whole / "results.jsonl").read_bytes()
    # What an earlier process looked at, and went on from, is not looked at again.
    assert len(rest.looks) == 3 - (turns - 1) // (24 * 5)


def test_a_run_that_is_stopped_by_hand_is_judged_and_goes_on_later(project: Path, tmp_path: Path) -> None:
    stop = Event()

    class Stopping(Silent):
        def spoken(self, conversation: Conversation, turn: Turn) -> None:
            super().spoken(conversation, turn)
            if len(self.turns) == 24 * 7:
                stop.set()

    first = go(project, tmp_path, Stopping(), stop)
    assert first.stopped
    assert report_of(first).tables[0].note.startswith("Held 7 of 40 conversations: ")
    again = go(project, tmp_path)
    assert (again.folder, held(again)) == (first.folder, list(range(1, 16)))
    assert not again.stopped


def test_judging_again_judges_what_was_held(project: Path, tmp_path: Path) -> None:
    live = go(project, tmp_path / "live")
    # What is set now does not count: the run was held with what it was held with.
    loaded: dict[str, Any] = {
        "is_load_conversation": True,
        "load_conv_folder": str(live.folder),
        "stop_when": {},
        "max_runs": 3,
    }
    again = go(project, tmp_path / "again", **loaded)
    assert (again.folder / "results.jsonl").read_bytes() == (live.folder / "results.jsonl").read_bytes()
    assert report_of(again).tables == report_of(live).tables
    assert report_of(again).estimates == report_of(live).estimates


def test_reference_runs_are_held_for_what_was_held(project: Path, tmp_path: Path) -> None:
    class Watching(Silent):
        def __init__(self) -> None:
            super().__init__()
            self.talks: list[tuple[int, int]] = []
            self.planned: list[Planned | None] = []

        def talking(self, conversations: int, turns: int) -> None:
            self.talks.append((conversations, turns))
            self.planned.append(read_run_plan(tmp_path / "first-run"))

    watcher = Watching()
    outcome = go(project, tmp_path, watcher, paired=True, controls=True)
    kept = {name.partition("/")[0] for name in files(outcome.folder / "conversations") if "/" in name}
    assert kept == {"clean", "oracle", "amnesiac"}
    for kind in kept:
        assert {each.run for each in load_all(outcome.folder / "conversations" / kind)} <= set(range(1, 16))
    assert len(load_all(outcome.folder / "conversations" / "oracle")) == 15
    total = len([name for name in files(outcome.folder / "conversations") if name.endswith(".json")])
    assert watcher.talks[1] == (total, 24 * (total - 15))
    assert watcher.planned[1] == Planned(total, total - 15)
    assert json.loads((outcome.folder / "run.json").read_text())["state"] == "finished"


def test_a_file_that_is_gone_is_told_and_held_again(project: Path, tmp_path: Path) -> None:
    class Deleting(Silent):
        def spoken(self, conversation: Conversation, turn: Turn) -> None:
            super().spoken(conversation, turn)
            if len(self.turns) == 24 * 4:
                (tmp_path / "first-run" / "conversations" / "run-001.json").unlink()

    with pytest.raises(StoreError, match=r"^\S*run-001.json: deleted or moved"):
        go(project, tmp_path, Deleting())
    assert held(go(project, tmp_path)) == list(range(1, 16))


def test_nothing_is_judged_twice(project: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[int] = []
    monkeypatch.setattr(
        "chattest.runner.stopping.analyze",
        lambda conversations, settings, judges: asked.extend(each.run for each in conversations) or [],
    )
    go(project, tmp_path, max_runs=15)
    assert asked == list(range(1, 16))


@pytest.mark.parametrize(
    ("defer", "deferred"), [({"defer": {"coherence": 0.2}}, 0.0), ({"defer": 0.2}, 0.0), ({}, None)]
)
def test_a_look_defers_no_verdict(
    project: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, defer: dict[str, Any], deferred: float | None
) -> None:
    talks = load_all(go(project, tmp_path, max_runs=5).folder)
    seen: list[float | None] = []
    monkeypatch.setattr(
        "chattest.runner.stopping.analyze",
        lambda conversations, settings, judges: seen.append(settings.deferred(["coherence"])) or [],
    )
    settings = Settings.model_validate({**SMALL, "max_runs": 5, "models": {"coherence": "reference"}, **defer})
    folder = next(tmp_path.rglob("run-001.json")).parent
    Batches(settings, (), (), folder, StandIns(), Silent()).hold_until_enough(talks, lambda specs: None, Event())
    assert seen == [deferred]
