"""Whole runs judged by a chat model over a real HTTP server: told before and after, and nothing is lost."""

import json
from pathlib import Path
from typing import Any

import pytest

from chattest.records.result import Verdict
from chattest.reports.writers import console
from chattest.runner.plan_lines import describe_costs
from chattest.runner.prepare import prepare
from chattest.settings.declaration import Settings
from tests.support.chat_stand_ins import said, shown
from tests.support.http_server import Asked, Server
from tests.support.project import make_project
from tests.support.small_runs import SMALL, go
from tests.support.stand_ins import StandIns

KEY = "k3y-that-nobody-sees"


@pytest.fixture
def project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("JUDGE_KEY", KEY)
    monkeypatch.setattr("chattest.runner.run.Judges", lambda models: StandIns(models=models))
    return make_project(tmp_path / "project")


def knows(asked: Asked) -> tuple[int, dict[str, str], Any]:
    texts = shown(asked)
    word = "right" if texts["expected"].casefold() in texts["reply"].casefold() else "wrong"
    return said(json.dumps({"reason": "Look.", "verdict": word, "confidence": 0.95}))


def given(server: Server, **more: Any) -> dict[str, Any]:
    options = {"base_url": f"{server.url}/v1", "model": "judge-1", "backoff": 0.0, "retries": 0, "key_env": "JUDGE_KEY"}
    chosen = {"models": {"match": "chat:openai"}, "judge_options": {"openai": options}}
    return {**SMALL, **chosen, "judge_prices": {"judge-1": (1.0, 10.0)}, **more}


def open_rows(outcome: Any) -> list[Any]:
    return [row for row in outcome.report.results if row.judge]


@pytest.mark.slow
def test_a_run_whose_judge_fails_half_the_time_loses_nothing(
    project: Path, server: Server, capsys: pytest.CaptureFixture[str]
) -> None:
    asked_about: list[str] = []

    def half(asked: Asked) -> tuple[int, dict[str, str], Any]:
        texts = json.dumps(shown(asked))
        asked_about.append(texts)
        return (503, {}, {"error": f"{KEY} is busy"}) if len(asked_about) % 2 else knows(asked)

    server.answer = half
    settings = given(server)
    told = describe_costs(prepare(Settings.model_validate(settings), project))
    assert not server.asked, "the plan asks nobody"
    assert "chat:openai (judge-1)" in told[-1]
    first = go(project, project / "reports", **settings)
    rows = open_rows(first)
    errors = [row for row in rows if row.verdict is Verdict.ERROR]
    assert rows
    assert errors
    assert all("answered 503" in row.reason and KEY not in row.reason for row in errors)
    assert {row.verdict for row in rows} <= {Verdict.PASS, Verdict.FAIL, Verdict.ERROR}
    assert first.report is not None
    (table,) = [each for each in first.report.tables if each.name == "Chat judges"]
    different = len(set(asked_about))
    failed = len(asked_about) - int(str(table.rows[0][2]))
    assert table.rows[0][2:8] == (different - failed, 0, 0, 0, failed, 0)
    assert f"{failed} text" in table.note
    console.write(first.report, first.folder)
    assert "Chat judges" in capsys.readouterr().out
    assert "chat judges:" in (first.folder / "run.log").read_text()
    kept = {key: row["judge"] for row in _lines(first.folder) if (key := row.get("judge"))}
    assert kept == {"chat:openai (judge-1)": "chat:openai (judge-1)"}
    for path in project.rglob("*"):
        assert not path.is_file() or KEY.encode() not in path.read_bytes(), path

    # Judged again, only what failed is asked, and the verdicts that were paid for stay.
    server.answer = knows
    before = len(server.asked)
    load = {"is_load_conversation": True, "load_conv_folder": str(first.folder)}
    again = go(project, project / "reports", **(settings | load | {"save_analysis_name": "again"}))
    assert len(server.asked) - before == failed
    assert not [row for row in open_rows(again) if row.verdict is Verdict.ERROR]
    by_place = {(row.conversation, row.round, row.check): row.verdict for row in open_rows(again)}
    decided = [row for row in rows if row.verdict is not Verdict.ERROR]
    assert all(by_place[row.conversation, row.round, row.check] is row.verdict for row in decided)


@pytest.mark.slow
def test_a_run_with_a_budget_marks_what_others_judged(project: Path, server: Server) -> None:
    server.answer = knows
    outcome = go(project, project / "reports", **given(server, judge_budget=0.0015))
    rows = open_rows(outcome)
    assert {row.judge for row in rows} == {"embedded", "chat:openai (judge-1)"}
    assert all("budget" in row.reason for row in rows if row.judge == "embedded")
    assert len(server.asked) <= 2


def _lines(folder: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in (folder / "results.jsonl").read_text().splitlines()]


def test_the_plan_counts_what_the_checks_will_ask(project: Path) -> None:
    settings: dict[str, Any] = {"models": "chat:openai", "judge_options": {"openai": {"model": "judge-1"}}}
    settings |= {
        "chatters": ("asker", "keeper"),
        "checks": ["invariance.contraction", "mft.names", "accuracy.judged", "bias.age"],
    }
    settings["check_questions"] = 3
    prepared = prepare(Settings.model_validate(settings | {"check_floor": False}), project, checks_only=True)
    tests = {planned.check.code: sum(bool(trial.questions) for trial in planned.trials) for planned in prepared.checks}
    assert len(describe_costs(prepared)) == 2 + 9
    assert int(_count(prepared, "same_answer")) == tests["invariance.contraction"] + tests["bias.age"]
    assert int(_count(prepared, "match")) >= tests["mft.names"]
    assert _count(prepared, "abstention") == "0"
    floored = prepare(Settings.model_validate(settings), project, checks_only=True)
    assert int(_count(floored, "same_answer")) == 5 * int(_count(prepared, "same_answer"))


def _count(prepared: Any, kind: str) -> str:
    """How many texts the plan says a judge will be asked about."""
    (line,) = [line for line in describe_costs(prepared) if line.split()[0] == kind]
    return line.split()[-3].replace(",", "")
