"""A scorer or rule that fails on one reply makes that row an ERROR, with its place and reason, and never ends a run."""

import json
import os
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest

from chattest.errors import InputError, ModelError, StoreError
from chattest.judging.apart import judge_each
from chattest.judging.scoring import judge_items
from chattest.published.judge import judge_answers
from chattest.published.record import Benchmark, BenchmarkQuestion, Dialogue, Line, Session, make_key
from chattest.records.question import Answer
from chattest.records.result import UNJUDGED, Score, Verdict
from chattest.rules.values.compare import Agreement, compare
from chattest.scorers.base import Item, Scorer, scorers
from chattest.settings.declaration import Settings
from tests.support.failing_plugin import BOT, FATAL, LINE, install
from tests.support.project import make_project
from tests.support.stand_ins import ROOT, StandIns

REPLIES = ("It took me 3 hours and 0 regrets.", "5 km 0", "3 days 0 problems", "7" * 309, "7" * 5000, "9" * 400 + " km")
"""What ended whole runs."""
PLACE = f"brittle failed with KeyError: 'no such word', at brittle_parts.py:{LINE}"


@pytest.fixture(scope="module")
def installed(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return install(tmp_path_factory.mktemp("site-packages"))


@pytest.fixture(scope="module")
def project(tmp_path_factory: pytest.TempPathFactory) -> Path:
    made = make_project(tmp_path_factory.mktemp("brittle") / "project", doomed=BOT)
    chosen: dict[str, Any] = {"chatters": ["asker", "doomed"], "max_runs": 2, "conversation_length": 8, "p": {}}
    chosen |= {"is_analyze": {"ML-X8": True, "ML-A6": True}, "checks": ["frailty"], "reports": ["jsonl", "junit"]}
    chosen |= {"gates": [{"pattern": "ML-X8", "min_pass_rate": 1.0}]}
    (made / "config.py").write_text("".join(f"{name} = {value!r}\n" for name, value in chosen.items()))
    return made


def python(project: Path, installed: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    environment = os.environ | {"PYTHONPATH": f"{installed}{os.pathsep}{ROOT}"}
    command = [sys.executable, *arguments]
    return subprocess.run(command, cwd=project, env=environment, capture_output=True, text=True, timeout=300)


def rows(folder: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in (folder / "results.jsonl").read_text("utf-8").splitlines()]


@pytest.mark.slow
def test_a_run_and_judging_it_again(project: Path, installed: Path) -> None:
    ran = python(project, installed, "main.py")
    assert "Traceback" not in ran.stdout + ran.stderr
    assert ran.returncode == 1, f"the gate counts an ERROR as a miss: {ran.stdout}{ran.stderr}"
    assert "Judging failed at 3 verdicts, first: run-001, round 2, ML-X8: brittle failed" in ran.stdout
    found = rows(project / "reports" / "first-run")
    failed = [row for row in found if row["verdict"] == "ERROR"]
    assert [(row["check"], row["conversation"], row["round"]) for row in failed] == [
        ("ML-X8", "run-001", 2),
        ("ML-X8", "run-002", 2),
        ("frailty.answers", "frailty.answers", 3),
    ]
    assert failed[0]["reason"] == f"{UNJUDGED}: {PLACE}"
    assert failed[2]["reason"] == f"{UNJUDGED}: {PLACE.replace('brittle failed', 'frailty.answers failed')}"
    others = [row for row in found if row["check"] == "ML-X8" and row["verdict"] != "ERROR"]
    assert len(others) == 14
    assert {row["verdict"] for row in others} == {"PASS"}
    assert [row["reason"] for row in found if row["check"] == "frailty.answers"][-1] == "5 rows"
    again = python(project, installed, "main.py", "judge", "first-run")
    assert again.returncode == 1, again.stderr
    assert rows(project / "reports" / "first-run") == found


@pytest.mark.slow
def test_the_library(project: Path, installed: Path) -> None:
    source = f"""
import chattest
import sys; sys.path.insert(0, "chatters"); from doomed import Doomed
ran = chattest.run(Doomed, cases=["ML-X8"], conversations=1, rounds=8)
print([row.verdict.value for row in ran.results if row.check == "ML-X8"], ran.rates().loc["ML-X8", "errors"])
pairs = [("Hello", "Fine."), ("Hello", "{FATAL}")]
judged = chattest.judge(pairs, scorers=["brittle", "stutter"])
print([row.verdict.value for row in judged.results])
said = [{{"role": role, "content": text}} for pair in pairs for role, text in zip(("user", "assistant"), pair)]
print([row.verdict.value for row in chattest.judge_transcript(said, cases=["ML-X8"]).results])
asked = chattest.check(Doomed, ["frailty"])
print([row.verdict.value for row in asked.results])
"""
    ran = python(project, installed, "-c", source)
    assert ran.returncode == 0, ran.stderr
    assert ran.stdout.splitlines() == [
        "['PASS', 'PASS', 'ERROR', 'PASS', 'PASS', 'PASS', 'PASS', 'PASS'] 1",
        "['PASS', 'PASS', 'ERROR', 'PASS']",
        "['PASS', 'ERROR']",
        "['PASS', 'PASS', 'PASS', 'ERROR', 'PASS', 'NOT_APPLICABLE']",
    ]


@pytest.mark.parametrize("reply", REPLIES)
def test_replies_that_ended_runs_are_judged(reply: str) -> None:
    """Every scorer gives a verdict."""
    for scorer in scorers:
        right: str | bool = True if scorer.name == "closed_answer" else "12 km"
        for expected in (right, right if right is True else reply):
            item = Item(
                "How far is it?", reply, expected, "How far is it?", earlier_replies=("5 km 0",), facts=("3 days 0",)
            )
            (one,) = judge_items(scorer, [item], Settings(), StandIns())
            assert one.verdict is not Verdict.ERROR, (scorer.name, one.reason)


def test_long_numbers_are_compared_digit_by_digit() -> None:
    number = "7" * 400
    given = [f"It is {number}.", f"0{number}", "7" * 401, f"{number[:-1]}8", f"-{number}.5"]
    same, different = Agreement.SAME, Agreement.DIFFERENT
    assert [compare(number, text) for text in given] == [same, same, different, different, different]


class Picky(Scorer):
    """Fails on replies that begin with x, and counts what it is asked."""

    name = "picky"
    threshold = ""
    requirement = "a reply"

    def __init__(self, error: Exception | None = None) -> None:
        self.error = error or IndexError("gone")
        self.asked: list[int] = []

    def score(self, items: Sequence[Item], judges: Any) -> list[Score]:
        """The length of each reply."""
        self.asked.append(len(items))
        if any(item.reply.startswith("x") for item in items):
            raise self.error
        return [Score(float(len(item.reply))) for item in items]

    def explain(self, score: Score, item: Item, threshold: float) -> str:
        """Nothing."""
        return "fine"


def judged(replies: Sequence[str], scorer: Scorer) -> list[str]:
    found = judge_items(scorer, [Item("Hello", reply) for reply in replies], Settings(), StandIns())
    return [one.verdict.value for one in found]


def test_the_failing_items_are_found_and_no_others() -> None:
    replies = [f"reply {number}" for number in range(1000)]
    for at in (0, 333, 334, 999):
        replies[at] = f"x{at}"
    scorer = Picky()
    verdicts = judged(replies, scorer)
    assert [at for at, verdict in enumerate(verdicts) if verdict == "ERROR"] == [0, 333, 334, 999]
    assert set(verdicts) == {"PASS", "ERROR"}
    assert len(scorer.asked) < 100, "it halves, and does not ask one by one"


def test_a_scorer_that_fails_on_everything_is_not_asked_about_everything() -> None:
    scorer = Picky()
    assert set(judged(["x"] * 5000, scorer)) == {"ERROR"}
    assert len(scorer.asked) < 100


def test_items_that_only_fail_together_are_all_errors() -> None:
    def judge(items: Sequence[str]) -> list[str]:
        if len(items) > 1:
            raise ValueError("too many")
        return list(items)

    assert judge_each(judge, ["a", "b"], "pairs", lambda item, reason: f"{item}: {reason[:26]}") == [
        f"a: {UNJUDGED}: pairs",
        f"b: {UNJUDGED}: pairs",
    ]


def test_a_scorer_that_gives_too_few_scores_fails() -> None:
    assert judge_each(lambda items: items[1:], ["a"], "short", lambda item, reason: reason)[0].startswith(
        f"{UNJUDGED}: short failed with ValueError: 0 results for 1 replies, at chattest/judging/apart.py:"
    )


class OutOfMemoryError(RuntimeError):
    """As torch raises it."""


@pytest.mark.parametrize(
    "error",
    [
        InputError(()),
        StoreError("the disk is full"),
        ModelError("no such model"),
        MemoryError(),
        ModuleNotFoundError("no torch"),
        OSError(28, "No space left on device"),
        OutOfMemoryError("CUDA out of memory"),
        RuntimeError("DefaultCPUAllocator: can't allocate memory: you tried to allocate 1 bytes"),
    ],
)
def test_what_concerns_the_whole_run_is_raised(error: Exception) -> None:
    with pytest.raises(type(error)):
        judged(["fine", "x"], Picky(error))


def test_being_stopped_is_no_error_of_a_reply() -> None:
    with pytest.raises(KeyboardInterrupt):
        judged(["fine", "x"], Picky(KeyboardInterrupt()))  # type: ignore[arg-type]


def test_a_published_benchmark(monkeypatch: pytest.MonkeyPatch) -> None:
    """A rule of the scorer of open answers fails on one answer."""

    def fails(expected: str, text: str) -> Agreement:
        return Agreement[text] if FATAL in text else compare(expected, text)

    monkeypatch.setattr("chattest.scorers.open_answer.compare", fails)
    texts = ("Who has a cat?", "Who has a dog?", "Who has a fish?")
    asked = tuple(BenchmarkQuestion(f"q{at}", text, "single-hop", "Anna") for at, text in enumerate(texts))
    dialogue = Dialogue("d1", (Session("", (Line("Hello", by_user=True),)),), asked)
    answers = {make_key(dialogue, question): Answer("Anna") for question in asked}
    answers[make_key(dialogue, asked[1])] = Answer(f"Anna, {FATAL}")
    found = judge_answers(Benchmark("locomo", "", (dialogue,)), answers, Settings(), StandIns())
    assert [row.verdict.value for row in found] == ["PASS", "ERROR", "PASS"]
    assert "open_answer failed with KeyError" in found[1].reason
    assert f"at tests/faults/test_failing_scorers.py:{fails.__code__.co_firstlineno + 1}" in found[1].reason
