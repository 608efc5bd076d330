"""A person's labels beside a run: the run that judges its conversations again has its rates corrected."""

import json
from datetime import UTC, datetime
from pathlib import Path

import pytest
from openpyxl import load_workbook

from chattest.errors import InputError
from chattest.records.label import Label, Opinion
from chattest.records.report import Report
from chattest.records.result import Verdict
from chattest.reports.writers import console
from chattest.runner.report import load_report
from chattest.storage.labels import FILE, add_labels, make_row_keys
from tests.support.project import make_project
from tests.support.small_runs import go
from tests.support.stand_ins import StandIns


@pytest.fixture(autouse=True)
def stand_ins(monkeypatch: pytest.MonkeyPatch) -> StandIns:
    """The one seam: the models."""
    judges = StandIns()
    monkeypatch.setattr("chattest.runner.run.Judges", lambda models: judges)
    return judges


def labels_of(report: Report, code: str, wrong: int) -> list[Label]:
    """A label for every text of a check, drawn with certainty; the person disagrees with the first few."""
    keys = make_row_keys(report.results, report.conversations)
    rows = {key: row for key, row in zip(keys, report.results, strict=True) if row.check == code}
    return [
        Label(
            key=key,
            case=code,
            verdict=Opinion.PASS if (row.verdict is Verdict.PASS) != (number < wrong) else Opinion.FAIL,
            by="anna",
            at=datetime(2026, 1, 1, tzinfo=UTC),
            probability=1.0,
        )
        for number, (key, row) in enumerate(rows.items())
    ]


@pytest.mark.slow
def test_labels_reach_the_report_that_judges_again(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    project, reports = make_project(tmp_path / "project"), tmp_path / "reports"
    first = go(project, reports, max_runs=3)
    assert first.report is not None
    assert first.report.estimates["ML-A6"].exact
    assert first.report.seen.startswith("Nobody has reviewed any of the ")
    labels = labels_of(first.report, "ML-I3", 4)
    add_labels(first.folder / FILE, labels)
    gate = {"pattern": "ML-I3", "min_pass_rate": 0.99, "level": "corrected_lower"}
    again = go(project, reports, is_load_conversation=True, load_conv_folder=str(first.folder), gates=[gate])
    report = again.report
    assert report is not None
    found = report.estimates["ML-I3"].corrected
    assert found is not None
    assert found.labels == len(labels)
    raw = report.tallies["ML-I3"].rate
    assert raw is not None
    assert found.rate != pytest.approx(raw)
    assert report.seen == f"People have reviewed {report.tallies['ML-I3'].total} of {_verdicts(report)} verdicts."
    assert not report.gates[0].met
    assert report.gates[0].rate == found.rate
    words = f"{100 * raw:.1f} % as judged, corrected {100 * found.rate:.1f} % ("
    console.write(report, again.folder)
    said = capsys.readouterr().out
    assert f"ML-I3: {words}" in said
    assert f"{len(labels)} labels" in said
    assert "MISSED: lower bound of the corrected rate at least 99 %" in said
    page, markdown = ((again.folder / name).read_text() for name in ("report.html", "report.md"))
    assert f"%; {len(labels)} labels</small>" in page
    assert f"%), {len(labels)} labels |" in markdown
    for shown in (page, markdown, said):
        assert report.seen in shown
        assert "How sure are we?" in shown
    sheet = load_workbook(again.folder / "report.xlsx")["Summary"]
    assert {"Corrected by", f"{len(labels)} labels", "a rule", "How sure are we?"} <= {
        cell.value for row in sheet.iter_rows() for cell in row
    }
    loaded = load_report(again.folder)
    assert report.seen in loaded.how_sure
    assert int(loaded.rates()["labels"]["ML-I3"]) == len(labels)


def _verdicts(report: Report) -> int:
    return sum(tally.total for tally in report.tallies.values())


def test_a_file_that_holds_no_labels_is_said_before_anything_is_asked(tmp_path: Path) -> None:
    project, reports = make_project(tmp_path / "project"), tmp_path / "reports"
    folder = reports / "first-run"
    folder.mkdir(parents=True)
    (folder / FILE).write_text(json.dumps({"key": "a"}) + "\n")
    with pytest.raises(InputError, match="is not a label"):
        go(project, reports)
    assert not (folder / "conversations").exists()
