"""Labels follow their texts into runs that are judged or held again, and are shown there."""

import json
import re
import shutil
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest

from chattest.errors import InputError
from chattest.records.label import Label, Opinion, keep_latest
from chattest.review.carry import carry_labels, merge_labels
from chattest.review.rows import load
from chattest.review.session import Session
from chattest.runner.labels import renew_report
from chattest.runner.report import load_report
from chattest.storage.labels import FILE, add_labels, read_labels
from tests.support.project import cells
from tests.support.small_runs import go

pytestmark = pytest.mark.slow


def review(folder: Path, by: str = "anna", budget: int = 12) -> list[Label]:
    """Reviews a run: pass and fail in turn."""
    with Session(load(folder), by, budget) as session:
        while session.current is not None:
            session.label(Opinion.FAIL if session.position % 2 else Opinion.PASS)
    return session.labels


def people(folder: Path) -> list[tuple[str, int, int, str]]:
    """What the rows of a run say about people."""
    rows = [json.loads(line) for line in (folder / "results.jsonl").read_text("utf-8").splitlines()]
    return [(row["check"], row["run"], row["round"], row["person"]) for row in rows if "person" in row]


def test_judged_and_held_again(project: Path, folder: Path) -> None:
    labels = review(folder)
    again: dict[str, Any] = {"is_load_conversation": True, "load_conv_folder": str(folder)}
    judged = go(project, project / "reports", **again, threshold_coherence_prompt=0.3)
    assert people(judged.folder), "labels show beside the verdicts"
    assert set(read_labels(judged.folder / FILE).labels) == set(labels)
    repeated = go(project, project / "reports")
    assert people(repeated.folder) == people(judged.folder)
    other = go(project, project / "reports", seed=2)
    carried = read_labels(other.folder / FILE).labels
    assert len(carried) < len(labels)
    assert all(label.probability is None for label in carried), "its rows are not those that were drawn from"


def rates(found: Any) -> Any:
    """A report without what it says in sentences."""
    if isinstance(found, dict):
        return {name: rates(each) for name, each in found.items() if name not in ("notes", "judged_by", "seen")}
    return [rates(each) for each in found] if isinstance(found, list) else found


def test_the_reports_of_a_reviewed_run_show_the_labels(project: Path, folder: Path) -> None:
    before = json.loads((folder / "report.json").read_text("utf-8"))
    assert not people(folder)
    labels = review(folder, "<b>anna</b>")
    renew_report(load(folder), labels)
    shown = people(folder)
    assert {person for *_, person in shown} == {"pass", "fail"}
    after = json.loads((folder / "report.json").read_text("utf-8"))
    assert rates(after) == rates(before), "six labels correct no rate"
    assert after["seen"].startswith("People have reviewed ")
    page = (folder / "report.html").read_text("utf-8")
    assert "reviewed: fail" in page
    assert "&lt;b&gt;anna&lt;/b&gt;: fail" in page
    assert "<b>anna" not in page
    sheet = cells(folder / "report.xlsx")["Results"]
    (column,) = (place.removesuffix("1") for place, value in sheet.items() if value == "Reviewed")
    reviewed = {value for place, value in sheet.items() if re.fullmatch(rf"{column}\d+", place)}
    assert reviewed >= {"Reviewed", "pass", "fail"}
    assert after["seen"] in (folder / "report.md").read_text("utf-8")
    assert "person" in load_report(folder).to_pandas().columns


def test_where_all_rows_were_drawn_from_the_probability_holds(project: Path, folder: Path) -> None:
    labels = review(folder)
    run = load(folder)
    conversations = run.report.conversations
    target = project / "reports" / "part"
    part = [row for row in run.report.results if row.run == 1]
    added = carry_labels(part, conversations, target, [folder, project / "none"])
    carried = read_labels(target / FILE).labels
    assert 0 < added == len(carried) < len(labels)
    assert {label.probability for label in carried} == {
        label.probability for label in labels if label.key in {known.key for known in carried}
    }
    assert carry_labels(part, conversations, target, [folder]) == 0, "once is enough"
    add_labels(folder / FILE, [replace_opinion(carried[0])])
    assert carry_labels(part, conversations, target, [folder]) == 1, "she has thought again"


def test_of_two_copies_of_a_label_the_one_that_was_drawn_counts(project: Path, folder: Path) -> None:
    labels = review(folder)
    run = load(folder)
    copy = project / "reports" / "a-copy"
    shutil.copytree(folder, copy)
    (copy / FILE).unlink()
    add_labels(copy / FILE, [replace(label, probability=None) for label in labels])
    for sources in ([copy, folder], [folder, copy]):
        target = project / "reports" / f"from-{sources[0].name}"
        carry_labels(run.report.results, run.report.conversations, target, sources)
        assert {label.probability for label in read_labels(target / FILE).labels} == {
            label.probability for label in labels
        }


def test_a_correction_is_carried_although_the_clock_was_set_back(project: Path, folder: Path) -> None:
    labels = review(folder)
    run = load(folder)
    target, copy = project / "reports" / "part", project / "reports" / "copy"
    shutil.copytree(folder, copy)
    assert carry_labels(run.report.results, run.report.conversations, target, [folder]) == len(labels)
    before = datetime(2020, 1, 1, tzinfo=UTC)
    corrected = replace(labels[0], verdict=Opinion.CANNOT_TELL, at=before)
    add_labels(folder / FILE, [corrected])
    for _ in range(2):  # the second time there is nothing new, and the older label of another run does not come back
        carry_labels(run.report.results, run.report.conversations, target, [copy, folder])
        assert keep_latest(read_labels(target / FILE).labels)[0].verdict is Opinion.CANNOT_TELL
    assert merge_labels(copy, [folder]) == 1
    assert merge_labels(folder, [copy]) == 0
    assert keep_latest(read_labels(copy / FILE).labels)[0].at == before


def replace_opinion(label: Label) -> Label:
    return Label(key=label.key, case=label.case, verdict=Opinion.CANNOT_TELL, by=label.by, at=datetime.now(UTC))


def test_files_of_people_who_worked_apart_become_one(project: Path, folder: Path) -> None:
    copy = project / "reports" / "copy"
    shutil.copytree(folder, copy)
    mine, theirs = review(folder), review(copy, "ben")
    assert merge_labels(folder, [copy / FILE]) == len(theirs)
    assert merge_labels(folder, [copy]) == 0
    assert set(read_labels(folder / FILE).labels) == {*mine, *theirs}
    with pytest.raises(InputError, match="no such file"):
        merge_labels(folder, [project / "nothing.jsonl"])


def test_a_broken_file_of_another_run_stops_no_run(project: Path, folder: Path) -> None:
    review(folder)
    broken = project / "reports" / "broken"
    broken.mkdir()
    (broken / FILE).write_text("no label\n")
    repeated = go(project, project / "reports")
    assert people(repeated.folder)
