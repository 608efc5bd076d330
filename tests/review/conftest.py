"""A run that was judged by stand-ins, a copy of which each test may write to."""

import shutil
from pathlib import Path

import pytest

from tests.support.project import make_project
from tests.support.small_runs import go
from tests.support.stand_ins import StandIns


@pytest.fixture(scope="session")
def held(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A project with one finished run."""
    project = make_project(tmp_path_factory.mktemp("reviewed") / "project")
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("chattest.runner.run.Judges", lambda models: StandIns())
        patch.chdir(project)
        go(project, project / "reports")
    return project


@pytest.fixture
def project(held: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A copy of it, in which the test runs."""
    copy = tmp_path / "project"
    shutil.copytree(held, copy, symlinks=True)
    monkeypatch.chdir(copy)
    monkeypatch.setattr("chattest.runner.run.Judges", lambda models: StandIns())
    return copy


@pytest.fixture
def folder(project: Path) -> Path:
    """The run's folder in the copy."""
    return project / "reports" / "first-run"
