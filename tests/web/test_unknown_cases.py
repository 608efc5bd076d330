"""Results of cases and checks that are not installed here: shown, and labelled, as they are saved."""

import json
import re
from collections.abc import Callable
from pathlib import Path

import httpx
import pytest

from chattest.storage.labels import FILE, read_labels
from tests.support.counted import recount

UNKNOWN = ("ML-ZZ9", "plugin.family.check", "", "ü <b>", "accuracy")


def rename(path: Path, code: str, which: Callable[[int], bool]) -> None:
    """Give rows of results.jsonl another case."""
    rows = [json.loads(line) for line in path.read_text("utf-8").splitlines()]
    for number, row in enumerate(rows):
        row["check"] = code if which(number) else row["check"]
    path.write_text("".join(json.dumps(row) + "\n" for row in rows), "utf-8")


@pytest.mark.parametrize("code", UNKNOWN)
@pytest.mark.parametrize("some", [True, False])
def test_they_are_shown_and_labelled(client: httpx.Client, project: Path, code: str, some: bool) -> None:
    run = project / "reports" / "first"
    rename(run / "results.jsonl", code, lambda number: number % 2 == 1 or not some)
    recount(run)
    review = "/runs/first/review"
    who = {"by": "anna", "budget": "5"}
    pages = ["", "/results", "/conversations", "/conversations/1", "/rejudge", "/review", "/review?by=anna", "/live"]
    assert {page: client.get(f"/runs/first{page}").status_code for page in pages} == dict.fromkeys(pages, 200)
    page = client.get(review, params=who).text
    if code in UNKNOWN[:2]:
        assert f"Not installed here: {code}." in page
        assert f"Not installed here: {code}." in client.get(review).text
    for _ in range(4):
        key = re.search(r'name="key" value="(\w+)"', page)
        assert key is not None
        label = {**who, "key": key[1], "action": "p", "note": ""}
        page = client.post(review, data=label, follow_redirects=True).text
    ended = client.post(review, data={**who, "key": "", "action": "q", "note": ""}, follow_redirects=True)
    assert ended.status_code == 200
    assert len(read_labels(run / FILE).labels) >= 4
    saved = json.loads((run / "results.jsonl").read_text("utf-8").splitlines()[1])
    assert saved["check"] == code  # the report was written anew, with the rows as they were


def test_a_plug_in_that_is_gone_is_told_with_what_its_report_says(client: httpx.Client, project: Path) -> None:
    """The report describes the case, as the plug-in was there when the run was judged."""
    run = project / "reports" / "first"
    for path in (run / "results.jsonl", run / "report.json"):
        path.write_text(path.read_text("utf-8").replace('"ML-I3"', '"PL-1"'), "utf-8")
    recount(run)
    assert client.get("/runs/first/results").status_code == 200
    page = client.get("/runs/first/review", params={"only": "PL-1"}).text
    assert "<b>PL-1</b></a> " in page
    assert "Not installed here: PL-1." in page
