"""Conversations that lie where `save_conv_folder` says are judged again, reviewed and loaded."""

import shutil
from pathlib import Path
from typing import Any

import pytest

from chattest.errors import InputError
from chattest.review.rows import load
from chattest.runner.prepare import prepare
from chattest.runner.report import load_report
from chattest.settings.declaration import Settings
from tests.support.project import make_project
from tests.support.small_runs import SMALL, go
from tests.support.stand_ins import StandIns


@pytest.fixture(autouse=True)
def stand_ins(monkeypatch: pytest.MonkeyPatch) -> None:
    """The one seam: the models."""
    judges = StandIns()
    monkeypatch.setattr("chattest.runner.run.Judges", lambda models: judges)


@pytest.mark.slow
def test_saved_elsewhere_and_judged_again(tmp_path: Path) -> None:
    project = make_project(tmp_path / "project")
    reports, saved = tmp_path / "reports", tmp_path / "saved"
    where: dict[str, Any] = {"save_conv_folder": str(saved), "paired": True, "max_runs": 1}
    first = go(project, reports, **where)
    rows = (first.folder / "results.jsonl").read_bytes()
    # `judge reports/first-run`, and the manual's way: the same folder to save in and to load from
    for number, folder in enumerate((first.folder, saved), start=2):
        again = go(project, reports, is_load_conversation=True, load_conv_folder=str(folder), **where)
        assert again.folder == reports / f"first-run-{number}"
        assert (again.folder / "results.jsonl").read_bytes() == rows
        assert again.report is not None
        assert first.report is not None
        assert again.report.tables == first.report.tables  # with that of the clean counterparts
        assert again.report.tables
        assert len(load(again.folder).report.conversations) == 1
    assert len(load_report(first.folder).record.conversations) == 1
    shutil.copytree(saved / "first-run", saved / "other")
    with pytest.raises(InputError, match="several runs: first-run, other"):
        go(project, reports, is_load_conversation=True, load_conv_folder=str(saved), **where)
    chosen = {"is_load_conversation": True, "load_conv_folder": str(saved), "save_analysis_name": "other"}
    assert prepare(Settings(**SMALL | where | chosen), project).settings.load_conv_folder == str(saved / "other")
