"""Judging while the chatters still talk: everything is scored when the run begins to judge, and nothing differs."""

import pickle
import sqlite3
import subprocess
import sys
from collections.abc import Callable
from contextlib import closing
from pathlib import Path
from threading import Event
from typing import Any

import pytest

from chattest.runner import background_scoring
from chattest.runner import run as runs
from chattest.runner.prepare import prepare
from chattest.runner.run import Outcome, run
from chattest.settings.declaration import Settings
from tests.support.paths import ROOT
from tests.support.small_runs import Silent

KINDS_OF_RUNS: dict[str, dict[str, Any]] = {
    "conversations": {"max_runs": 2},
    "reference runs and single questions": {
        "paired": True,
        "controls": True,
        "checks": ["mft.comparison", "invariance.letter_typo", "accuracy.judged"],
        "check_questions": 2,
    },
    "sessions": {"p": {"ML-M8": 0.4}, "max_runs": 4, "chatters": ("predefined", "leaky")},
}
PLANTED = dict.fromkeys(("ML-U3", "ML-I1", "ML-I4"), 0.2)
SMALL: dict[str, Any] = {
    "chatters": ("companion", "eliza"),
    "max_runs": 1,
    "conversation_length": 10,
    "reports": ["jsonl"],
    "check_floor": False,  # what the bots of the floor say is known only at the end
}


class AtOnce:
    """In place of the timer: talking is over too soon in a small run."""

    daemon = True

    def __init__(self, seconds: float, work: Callable[[], None]) -> None:
        self.start = work

    def cancel(self) -> None: ...


@pytest.fixture
def at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """Start the process at once; it yields to nobody, or other tests would keep it waiting."""
    monkeypatch.setattr(background_scoring, "Timer", AtOnce)
    eager = background_scoring.START.replace("import main;", "import main; background_scoring.NICENESS = 0;")
    monkeypatch.setattr(background_scoring, "START", f"from chattest.runner import background_scoring; {eager}")


def small_run(reports: Path, **more: Any) -> Outcome:
    settings = Settings.model_validate({"p": PLANTED, **SMALL, **more})
    return run(prepare(settings, ROOT), reports, Silent(), Event())


def scored(reports: Path) -> int:
    """How many scores are kept."""
    path = reports / ".scores.sqlite"
    if not path.exists():
        return 0
    with closing(sqlite3.connect(path)) as opened:
        try:
            found: int = opened.execute("SELECT count(*) FROM scores").fetchone()[0]
        except sqlite3.OperationalError:  # nothing was ever scored
            return 0
    return found


def rows(outcome: Outcome) -> list[tuple[object, ...]]:
    assert outcome.report is not None
    results = outcome.report.results
    return [(row.check, row.run, row.round, row.prompt, row.reply, row.verdict, row.score) for row in results]


@pytest.mark.slow
@pytest.mark.parametrize("kind", KINDS_OF_RUNS)
def test_everything_is_scored_before_the_run_judges(
    tmp_path: Path, kind: str, at_once: None, monkeypatch: pytest.MonkeyPatch
) -> None:
    there: list[int] = []
    judge = runs.judge

    def counting(*given: Any) -> Any:
        there.append(scored(reports))
        return judge(*given)

    monkeypatch.setattr(runs, "judge", counting)
    reports = tmp_path / "ahead"
    outcome = small_run(reports, **KINDS_OF_RUNS[kind])
    assert there == [scored(reports)]
    assert there[0] > 10
    reports = tmp_path / "after"
    other = small_run(reports, judge_while_talking=False, **KINDS_OF_RUNS[kind])
    assert there[1] == 0 < scored(reports)
    assert rows(outcome) == rows(other)


@pytest.mark.parametrize(
    "settings",
    [
        {"judge_while_talking": False},
        {"score_cache": False},
        {"precision": "bfloat16"},
        {"is_analyze_conversation": False},
        {"models": {"toxicity": ["embedded", "reference"]}},
    ],
    ids=str,
)
def test_no_process_is_started_where_scores_could_differ_or_nobody_reads_them(
    tmp_path: Path, settings: dict[str, Any], at_once: None, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse(*given: Any, **more: Any) -> None:
        raise AssertionError("a process is started")

    monkeypatch.setattr(subprocess, "Popen", refuse)
    monkeypatch.setattr(runs, "judge", lambda *given: None)
    monkeypatch.setattr(runs, "write", lambda *given: None)
    monkeypatch.setattr("chattest.runner.log.RunLog.judged", lambda *given: None)
    monkeypatch.setattr("chattest.runner.prepare.find_missing_models", lambda *given: [])
    small_run(tmp_path, conversation_length=2, **settings)
    with pytest.raises(AssertionError, match="a process is started"):
        small_run(tmp_path, conversation_length=2, save_analysis_name="another")


@pytest.mark.slow
def test_a_process_that_fails_costs_nothing(tmp_path: Path, at_once: None, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(background_scoring, "START", "raise SystemExit(3)")
    outcome = small_run(tmp_path / "ahead", conversation_length=4)
    assert rows(outcome) == rows(small_run(tmp_path / "after", conversation_length=4, judge_while_talking=False))


@pytest.mark.slow
def test_the_process_ends_with_a_run_that_is_killed(tmp_path: Path) -> None:
    folder = tmp_path / "reports" / "first-run"
    folder.mkdir(parents=True)
    given = pickle.dumps((Settings(), (), folder, folder / "conversations"))
    command = [sys.executable, "-c", background_scoring.START]
    assert subprocess.run(command, input=given, timeout=120, check=False, cwd=ROOT).returncode == 1
    ended = subprocess.run(command, input=given + background_scoring.ALL_SAID, timeout=120, check=False, cwd=ROOT)
    assert ended.returncode == 0


def test_the_process_is_ended_where_the_talk_fails(
    tmp_path: Path, at_once: None, monkeypatch: pytest.MonkeyPatch
) -> None:
    started: list[subprocess.Popen[bytes]] = []
    popen = subprocess.Popen

    def noted(*given: Any, **more: Any) -> Any:
        started.append(popen(*given, **more))
        return started[-1]

    def failing(*given: Any) -> None:
        raise OSError("the disk is gone")

    monkeypatch.setattr(subprocess, "Popen", noted)
    monkeypatch.setattr("chattest.runner.live.hold_all", failing)
    with pytest.raises(OSError, match="the disk is gone"):
        small_run(tmp_path)
    (process,) = started
    assert process.returncode is not None
    assert process.returncode != 0
    assert process.stdin is not None
    assert process.stdin.closed
