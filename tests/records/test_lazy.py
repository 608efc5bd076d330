"""Conversations are planned when they are asked for, and what keeps one from being planned is told beforehand."""

from pathlib import Path
from typing import Any

import pytest

from chattest.errors import InputError
from chattest.planning import planner
from chattest.records.lazy import list_runs
from chattest.records.plan import ProbePlan
from chattest.runner.prepare import prepare
from chattest.settings.declaration import Settings
from tests.support.project import make_project

MANY: dict[str, Any] = {"max_runs": 3000, "conversation_length": 20, "chatters": ("asker", "keeper")}


@pytest.mark.slow
def test_many_runs_are_prepared_without_planning_them(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    planned: list[int] = []
    plan = planner.plan

    def counted(settings: Settings, sets: Any, run: int) -> ProbePlan:
        planned.append(run)
        return plan(settings, sets, run)

    monkeypatch.setattr(planner, "plan", counted)
    specs = prepare(Settings.model_validate(MANY), make_project(tmp_path / "project")).specs
    assert planned == [1]
    assert len(specs) == 3000
    assert list(list_runs(specs)) == list(range(1, 3001))
    assert planned == [1]
    last = specs[-1]
    assert (last.run, last.seed) == (3000, "1/3000")
    assert last == specs[2999] != specs[2998]
    assert [spec.run for spec in specs[5:8]] == [6, 7, 8]
    assert list_runs([last]) == [3000]


@pytest.mark.slow
def test_a_run_that_cannot_be_planned_is_told_before_the_first(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Which test sets clash hangs on the draw, so that the first run may find some where a later one does not."""
    project = make_project(tmp_path / "project")
    check_sets = planner.check_sets

    def late(settings: Settings, sets: Any, run: int) -> None:
        check_sets(settings, {**sets, "qa": ()} if run == 2000 else sets, run)

    monkeypatch.setattr(planner, "check_sets", late)
    with pytest.raises(InputError, match="no test set to draw from"):
        prepare(Settings.model_validate(MANY), project)
