"""The plan in words, of runs larger than anybody reads."""

from pathlib import Path

import pytest

from chattest.runner.plan_lines import SHOWN_ROUNDS, describe_plan
from chattest.runner.prepare import prepare
from chattest.settings.file import read_values
from tests.support.project import make_project


@pytest.mark.parametrize("detail", ["normal", "quiet"])
def test_of_many_conversations_the_first_are_planned(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, detail: str
) -> None:
    monkeypatch.setattr("chattest.runner.plan_lines.SHOWN_ROUNDS", 100)
    root = make_project(tmp_path / "project")
    prepared = prepare(read_values({"max_runs": 30, "chatters": ("asker", "keeper"), "conversation_length": 20}), root)
    lines = describe_plan(prepared, detail)
    assert sum(line.startswith("Run ") for line in lines) == (5 if detail == "normal" else 0)
    assert any("the first 5 of 30 runs" in line for line in lines)


def test_what_is_usual_is_planned_whole() -> None:
    assert SHOWN_ROUNDS >= 100 * 40
