"""Published benchmarks on a bot: what it is told, how it is judged, what is kept, and going on."""

import json
from collections.abc import Mapping
from datetime import UTC, datetime
from pathlib import Path
from threading import Event
from typing import Any

import pytest

import chattest
from chattest.chatter.base import Chatter
from chattest.errors import InputError
from chattest.published import run as runner
from chattest.records.label import Label, Opinion
from chattest.records.plan import ProbePlan
from chattest.records.question import Answer
from chattest.records.result import Verdict
from chattest.runner.run import Outcome
from chattest.settings.declaration import Settings
from chattest.storage.labels import add_labels, make_row_keys
from tests.support.paths import DATA
from tests.support.stand_ins import StandIns

FOLDER = DATA / "published"
TOLD = {
    "Where did Ada move?": "To Bergen.",
    "When did Ada start to learn the cello?": "In 1999.",
    "What does Ben do with his dog?": "They go hiking.",
    "Would Ben like a holiday in the mountains?": "Yes.",
    "What is Ada's dog called?": "I do not know.",
    "(Today is 2024/05/20 (Mon) 10:00.) Where did I buy my bicycle?": "At the harbour market.",
    "(Today is 2024/05/21 (Tue) 08:00.) Which soup did you name?": "Tomato soup.",
    "(Today is 2024/05/23 (Thu) 12:00.) How many cars do I own?": "Two.",
}


class Listener(Chatter):
    """Knows all answers; keeps what it hears, by session."""

    heard_by: dict[str, list[list[str]]] = {}
    fails_at = ""

    def start(self, conversation_id: str, seed: str, plan: ProbePlan) -> None:
        self.said = self.heard_by.setdefault(conversation_id, [])

    def get_response(self, conv_array: list[str]) -> str:
        self.said.append(list(conv_array))
        if self.fails_at and self.fails_at in conv_array[-1]:
            raise ValueError("no")
        return TOLD.get(conv_array[-1], "Aha.")


class Forgetful(Listener):
    """Answers from the conversation alone."""

    remembers = False


class Watching:
    """Stops after some answers."""

    def __init__(self, stop_after: int = 10**9) -> None:
        self.stop, self.left, self.asked = Event(), stop_after, 0

    def talking(self, conversations: int, turns: int) -> None: ...
    def spoken(self, conversation: Any, turn: Any) -> None: ...
    def looked(self, words: str) -> None: ...
    def judging(self, conversations: int) -> None: ...
    def asking(self, questions: int) -> None: ...

    def answered(self, answer: Answer) -> None:
        self.asked += 1
        if self.asked >= self.left:
            self.stop.set()


@pytest.fixture(autouse=True)
def bots(monkeypatch: pytest.MonkeyPatch) -> Mapping[str, type[Chatter]]:
    def judges(*_: Any) -> StandIns:
        sure = {("Bergen", "To Bergen."): 0.99, ("hiking", "They go hiking."): 0.99}
        wrong = {("2024", "In 1999."): 0.01, ("leek soup", "Tomato soup."): 0.01}
        market = {("at the harbour market", "At the harbour market."): 0.99}
        spans = {reply: (reply.rstrip("."), 0.99) for reply in TOLD.values()}
        return StandIns(matches=sure | wrong | market, spans=spans, readings={"Yes.": (1.0, 0.0, 0.0)})

    monkeypatch.setattr(runner, "Judges", judges)
    monkeypatch.setattr(Listener, "heard_by", {})
    monkeypatch.setattr(Listener, "fails_at", "")
    return {"listener": Listener, "forgetful": Forgetful}


def planned(name: str, bots: Mapping[str, type[Chatter]], bot: str = "listener", **more: Any) -> runner.BenchmarkRun:
    settings = {"chatters": ("script", bot), "workers": 1, "score_cache": False, "reports": ["jsonl"]}
    given = {key: more.pop(key) for key in list(more) if key in Settings.model_fields}
    return runner.prepare(
        Settings.model_validate(settings | given), DATA, name, FOLDER / f"{name}.json", bots=bots, **more
    )


def held(run: runner.BenchmarkRun, reports: Path, watching: Watching | None = None) -> Outcome:
    watching = watching or Watching()
    return runner.run(run, reports, watching, watching.stop)


def verdicts(outcome: Outcome) -> dict[str, str]:
    assert outcome.report is not None
    return {row.prompt: row.verdict.value for row in outcome.report.results}


def test_sessions_are_held_and_questions_are_asked_in_new_ones(
    tmp_path: Path, bots: Mapping[str, type[Chatter]]
) -> None:
    outcome = held(planned("locomo", bots), tmp_path)
    assert list(Listener.heard_by) == [
        "session-001-locomo",
        "session-002-locomo",
        *(f"question-{number:03d}-locomo" for number in range(1, 6)),
    ]
    second = Listener.heard_by["session-002-locomo"]
    assert second[-1] == [
        "[6:05 pm on 20 April, 2024]\nAda: I have started to learn the cello.",
        "Aha.",
        "Ben: Great! Rusty and I go hiking every Sunday.",
    ]
    assert Listener.heard_by["question-001-locomo"] == [["Where did Ada move?"]]
    assert list(verdicts(outcome).values()) == ["PASS", "FAIL", "PASS", "PASS", "PASS"]
    assert outcome.report is not None
    assert outcome.report.tallies["locomo.temporal"].total == 1
    (table,) = outcome.report.tables
    assert [row[:4] for row in table.rows] == [
        ("single-hop", 1, 1, 1.0),
        ("multi-hop", 1, 1, 1.0),
        ("temporal", 0, 1, 0.0),
        ("open-domain", 1, 1, 1.0),
        ("adversarial", 1, 1, 1.0),
        ("all", 4, 5, 0.8),
        ("all but adversarial", 3, 4, 0.75),
    ]
    assert "locomo: session 2 of 2 held" in (outcome.folder / "run.log").read_text()
    saved = json.loads((outcome.folder / "conversations/locomo/run-002.json").read_text())
    assert [turn["speaker"] for turn in saved["turns"]] == ["driver", "subject"] * 2


def test_a_history_or_a_context_comes_before_every_question(tmp_path: Path, bots: Mapping[str, type[Chatter]]) -> None:
    held(planned("locomo", bots, "forgetful", way="history"), tmp_path)
    (given,) = Listener.heard_by["question-001-locomo"]
    assert (len(given), given[1], given[-1]) == (11, "Noted.", "Where did Ada move?")
    Listener.heard_by.clear()
    held(planned("locomo", bots, "forgetful", way="context"), tmp_path)
    told, asked = Listener.heard_by["question-001-locomo"]
    assert "[6:05 pm on 20 April, 2024]" in told[0]
    assert asked == [told[0], "Aha.", "Where did Ada move?"]


def test_a_bot_that_keeps_nothing_is_refused_before_it_is_asked(bots: Mapping[str, type[Chatter]]) -> None:
    with pytest.raises(InputError, match="a new session knows nothing of those before") as refused:
        planned("locomo", bots, "forgetful")
    assert "--as history" in str(refused.value)


def test_rubrics_need_a_chat_judge_and_abstention_none(tmp_path: Path, bots: Mapping[str, type[Chatter]]) -> None:
    outcome = held(planned("longmemeval", bots), tmp_path)
    assert outcome.report is not None
    told = {row.check.partition(".")[2]: (row.verdict, row.reason) for row in outcome.report.results}
    assert told["single-session-user"][0] is Verdict.PASS
    assert told["single-session-assistant"][0] is Verdict.FAIL
    assert told["single-session-preference"][0] is Verdict.NOT_APPLICABLE
    assert "rubric" in told["single-session-preference"][1]
    assert told["abstention"][0] is Verdict.FAIL


def test_an_interrupted_benchmark_goes_on_where_it_was(tmp_path: Path, bots: Mapping[str, type[Chatter]]) -> None:
    first = held(planned("locomo", bots), tmp_path, Watching(stop_after=2))
    assert first.stopped
    assert list(verdicts(first).values()) == ["PASS", "FAIL", *["NOT_APPLICABLE"] * 3]
    sessions = {path: path.read_bytes() for path in first.folder.rglob("run-*.json")}
    Listener.heard_by.clear()
    watching = Watching()
    second = held(planned("locomo", bots), tmp_path, watching)
    assert second.folder == first.folder
    assert watching.asked == 3
    assert list(verdicts(second).values()) == ["PASS", "FAIL", "PASS", "PASS", "PASS"]
    # The bot hears its sessions again, as it may be a new process; what was said stands.
    assert "session-001-locomo" in Listener.heard_by
    assert {path: path.read_bytes() for path in first.folder.rglob("run-*.json")} == sessions
    assert held(planned("locomo", bots), tmp_path).folder.name == "benchmark-locomo-2"


def test_a_session_that_was_cut_off_is_finished(tmp_path: Path, bots: Mapping[str, type[Chatter]]) -> None:
    class Killed(BaseException): ...

    class Dying(Watching):
        def answered(self, answer: Answer) -> None:
            raise Killed

    with pytest.raises(Killed):
        held(planned("locomo", bots), tmp_path, Dying())
    folder = tmp_path / "benchmark-locomo/conversations/locomo"
    turns = (folder / "run-002.json").read_bytes()
    # As after a kill in the second session: its journal ends in the middle of a turn.
    saved = json.loads(turns)
    lines = [json.dumps({**saved, "turns": []}), *map(json.dumps, saved["turns"][:3])]
    (folder / "run-002.turns").write_text("\n".join(lines) + '\n{"round": 1, "spea')
    (folder / "run-002.json").unlink()
    outcome = held(planned("locomo", bots), tmp_path)
    again = json.loads((folder / "run-002.json").read_text())["turns"]
    assert [turn["text"] for turn in again] == [turn["text"] for turn in saved["turns"]]
    assert not (folder / "run-002.turns").exists()
    assert not outcome.stopped


def test_a_bot_that_fails_in_a_session_is_asked_all_the_same(
    tmp_path: Path, bots: Mapping[str, type[Chatter]], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(Listener, "fails_at", "I got a dog")
    outcome = held(planned("locomo", bots), tmp_path)
    assert outcome.report is not None
    (failed,) = [table for table in outcome.report.tables if table.name == "Failed sessions"]
    assert failed.rows == (("locomo, session 1", "ValueError: no"),)
    assert Verdict.ERROR.value not in verdicts(outcome).values()
    assert len(Listener.heard_by["session-002-locomo"]) == 2


def test_answers_are_judged_again_without_asking(tmp_path: Path, bots: Mapping[str, type[Chatter]]) -> None:
    first = held(planned("locomo", bots), tmp_path)
    Listener.heard_by.clear()
    second = held(planned("locomo", bots, "forgetful", answers_of=first.folder), tmp_path)
    assert verdicts(second) == verdicts(first)
    assert not Listener.heard_by
    with pytest.raises(InputError, match="holds no answers"):
        planned("locomo", bots, answers_of=tmp_path)


def test_the_cost_is_told_beforehand(bots: Mapping[str, type[Chatter]]) -> None:
    run = planned("locomo", bots, judge_prices={"listener": (1000.0, 0.0)})
    assert run.words.startswith("locomo: 1 dialogue of 2 sessions, 5 questions; each session is held with the bot")
    told = [line.split() for line in run.costs[1:]]
    assert told[1][:2] == ["sessions", "5"]
    assert told[2][:2] == ["questions", "5"]
    # What a bot is sent once is what the messages are long; sent whole, every message counts again and again.
    letters = sum(
        len(message) for each in run.benchmark.dialogues for session in each.sessions for message in session.messages
    )
    assert letters / 4 <= int(told[1][2]) <= letters / 4 + 5
    assert int(told[1][3]) > int(told[1][2])
    assert told[1][5] == f"{int(told[1][2]) / 1000:.4f}"


def test_three_lines_of_python_do_the_same() -> None:
    def parrot(history: list[str]) -> str:
        return TOLD.get(history[-1], "") if any("Bergen" in text for text in history) else ""

    with pytest.raises(InputError, match="a new session knows nothing"):
        chattest.benchmark(parrot, "locomo", FOLDER / "locomo.json")
    report = chattest.benchmark(parrot, "locomo", FOLDER / "locomo.json", way="history", limit=4)
    assert len(report.results) == 4
    assert report.rates().loc["locomo.single-hop", "passed"] == 1


def test_the_cost_of_chat_judges_is_told_too(bots: Mapping[str, type[Chatter]]) -> None:
    kinds = ("match", "yes_no", "abstention", "toxicity")
    run = planned("locomo", bots, models=dict.fromkeys(kinds, "chat:forgetful"), judge_prices={"forgetful": (1.0, 2.0)})
    at = run.costs.index("Chat judges, at most, and about:")
    told = {line.split()[0]: line.split()[1:3] for line in run.costs[at + 2 :]}
    assert told == {
        "match": ["chat:forgetful", "3"],
        "yes_no": ["chat:forgetful", "1"],
        "abstention": ["chat:forgetful", "1"],
    }


def test_what_people_said_follows_the_answers(tmp_path: Path, bots: Mapping[str, type[Chatter]]) -> None:
    first = held(planned("locomo", bots), tmp_path)
    assert first.report is not None
    wrong = first.report.results[1]
    (key,) = make_row_keys([wrong], ())
    now = datetime(2026, 1, 2, tzinfo=UTC)
    add_labels(
        first.folder / "labels.jsonl", [Label(key=key, case=wrong.check, verdict=Opinion.PASS, by="ann", at=now)]
    )
    again = held(planned("locomo", bots, answers_of=first.folder), tmp_path)
    assert again.report is not None
    assert [row.person for row in again.report.results] == ["", "pass", "", "", ""]
