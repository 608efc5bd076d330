"""`review` of rows whose cases are not installed, in the terminal."""

import json
from pathlib import Path

import pytest
from typer.testing import CliRunner

from chattest.cli.commands import app
from chattest.records.label import keep_latest
from chattest.storage.labels import FILE, read_labels
from tests.support.counted import recount


@pytest.mark.parametrize("code", ["ML-ZZ9", "plugin.family.check", ""])
def test_rows_of_an_unknown_case_are_labelled(folder: Path, code: str) -> None:
    path = folder / "results.jsonl"
    rows = [json.loads(line) for line in path.read_text("utf-8").splitlines()]
    path.write_text("".join(json.dumps(row | {"check": code}) + "\n" for row in rows), "utf-8")
    recount(folder)
    shown = CliRunner().invoke(app, ["review", str(folder), "--by", "anna", "--budget", "3"], input="p\nf\nq\n")
    assert shown.exit_code == 0, shown.output
    assert len(keep_latest(read_labels(folder / FILE).labels)) == 2
    if code:
        assert f"Not installed here: {code}." in " ".join(shown.output.split())
    exported = CliRunner().invoke(app, ["review", str(folder), "--export", str(folder / "labelled.jsonl")])
    assert exported.exit_code == 0, exported.output
