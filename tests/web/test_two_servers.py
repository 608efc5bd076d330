"""Two `view` servers on one folder, and a run that is replaced while somebody has it open."""

import shutil
from pathlib import Path

import httpx
import pytest

from chattest.errors import InputError
from chattest.records.label import Opinion
from chattest.review.rows import load
from chattest.review.session import Session
from chattest.runner.labels import renew_report
from chattest.storage.changes import ReplacedError
from chattest.storage.labels import FILE, read_labels
from chattest.storage.run_folder import read_state, write_state
from chattest.storage.tags import read_tags
from chattest.storage.trash import list_trash
from chattest.web.project import Project
from tests.support.labelling import label_in_app
from tests.support.two_servers import copies, label_at_once, tag_at_once, trash_at_once
from tests.support.web_process import viewing

pytestmark = pytest.mark.slow


def replace_run(place: Project, name: str, other: str) -> None:
    """Another run takes the name of a run, as after its folder was deleted and the program started again."""
    shutil.rmtree(place.reports / name)
    shutil.copytree(place.reports / other, place.reports / name)


def test_what_two_servers_acknowledge_is_kept(project: Path) -> None:
    reports = project / "reports"
    with viewing(project) as first, viewing(project) as second:
        servers = [first, second]
        for folder in copies(reports / "third", 2):
            acknowledged, kept = tag_at_once(servers, folder)
            assert acknowledged == kept
        given, kept_labels = label_at_once(servers, reports / "first", 12)
        assert given == kept_labels > 0
        for _ in range(6):
            trash_at_once(servers, reports / "second")


def test_a_review_whose_run_is_replaced_writes_nothing_over_it(place: Project) -> None:
    session = Session(load(place.run("first")), "anna", 10)
    session.label(Opinion.PASS)
    replace_run(place, "first", "hostile")
    folder = place.reports / "first"
    rows, report = (folder / "results.jsonl").read_bytes(), (folder / "report.json").read_bytes()
    with pytest.raises(ReplacedError, match=r"another run has this name.*2 labels of this session"), session:
        session.label(Opinion.FAIL)
    session.end()
    with pytest.raises(ReplacedError, match="the run that was opened is gone"):
        renew_report(session.run, session.labels)
    assert ((folder / "results.jsonl").read_bytes(), (folder / "report.json").read_bytes()) == (rows, report)
    kept = read_labels(folder / FILE).labels
    assert [label.verdict for label in kept] == [Opinion.PASS, Opinion.FAIL], "what was typed is not lost"
    assert {label.probability for label in kept} == {None}, "its rows are not those that were drawn from"


def test_a_review_in_the_app_whose_run_is_replaced_keeps_the_label(client: httpx.Client, place: Project) -> None:
    acknowledged, _ = label_in_app(client, "first", "anna", 2)
    assert len(acknowledged) == 2
    who = {"by": "anna", "budget": "200"}
    page = client.get("/runs/first/review", params=who).text
    key = page.partition('name="key" value="')[2].partition('"')[0]
    replace_run(place, "first", "hostile")
    answer = client.post("/runs/first/review", data={**who, "action": "f", "key": key, "note": "odd"})
    assert answer.status_code == 400
    assert "another run has this name since the review was opened" in answer.text
    kept = read_labels(place.reports / "first" / FILE).labels
    assert kept[-1].key == key
    assert kept[-1].note == "odd"
    assert "odd" not in (place.reports / "first" / "results.jsonl").read_text("utf-8")


@pytest.mark.parametrize("action", ["tags", "trash", "rejudge", "control"])
def test_a_page_that_was_opened_for_another_run_changes_nothing(
    client: httpx.Client, place: Project, action: str
) -> None:
    run_id = read_state(place.run("first"))["id"]
    for page in ("/", "/runs/first/live"):
        assert client.get(page).text.count(f'name="run_id" value="{run_id}"') == 1
    replace_run(place, "first", "third")
    given = {"run_id": run_id, "add": "good", "threshold_toxicity": "0.01", "action": "stop"}
    answer = client.post(f"/runs/first/{action}", data=given)
    assert answer.status_code == 400
    assert "the run that was opened is gone" in answer.text
    assert not (place.run("first") / ".stop").exists()
    assert not read_tags(place.run("first"))
    assert not list_trash(place.reports)
    assert not (place.reports / "first-2").exists()


def test_a_run_of_an_older_chattest_differs_from_the_one_that_replaces_it(place: Project) -> None:
    folder = place.run("first")
    state = {name: value for name, value in read_state(folder).items() if name in ("state", "settings")}
    write_state(folder, state)
    session = Session(load(folder, partial=True), "anna", 10)
    session.label(Opinion.PASS)
    replace_run(place, "first", "third")
    with pytest.raises(InputError, match="another run has this name"):
        session.label(Opinion.PASS)
