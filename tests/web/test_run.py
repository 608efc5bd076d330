"""The page of a run: its overview, its files, and what it says when something is missing."""

import json
import shutil
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import httpx
import pytest
from playwright.sync_api import Page, expect

from chattest.records.result import Verdict
from chattest.reports.page.transcripts import make_transcripts
from chattest.runner.report import load_report
from chattest.storage.reports import read_record
from tests.support.browser import in_browser
from tests.support.web_app import assert_accessible, assert_fits


def test_the_overview_draws_every_case_and_leads_on(client: httpx.Client, project: Path) -> None:
    report = json.loads((project / "reports/second/report.json").read_text())
    page = client.get("/runs/second").text
    for info in report["checks"]:
        assert f'href="/runs/second/results?case={info["code"]}"' in page
    decided = [code for code, tally in report["tallies"].items() if tally["total"]]
    assert page.count('<svg class="bar"') >= len(decided) > 0
    for word in ("results", "conversations", "review", "rejudge", "files/report.xlsx"):
        assert f'href="/runs/second/{word}"' in page
    assert "Worst replies" in page
    assert "/runs/second/conversations/1#round-" in page
    assert "Response times: median" in page
    assert "threshold" in page[page.index("Settings, models and versions") :] or "max_runs" in page


def test_experimental_cases_are_marked_and_counted_nowhere(client: httpx.Client, project: Path) -> None:
    folder = project / "reports/second"
    report = read_record(folder, (), ())
    page = client.get("/runs/second").text
    assert page.count("(experimental)") >= 2
    assert "Experimental: ML-I2, ML-I3: " in page
    listed = client.get("/runs/second/conversations").text
    assert "ML-I2" not in listed
    for tallies in (report.run_tallies[run] for run in (1, 2, 3)):
        counted = [tally for code, tally in tallies.items() if code not in ("ML-I2", "ML-I3")]
        assert f">{sum(t.passed for t in counted)} of {sum(t.total for t in counted)}</td>" in listed
    whole = load_report(folder).record
    unfit = tuple(replace(row, verdict=Verdict.FAIL) if row.check == "ML-I2" else row for row in whole.results)
    before = [transcript.failures for transcript in make_transcripts(whole, 3)]
    assert [transcript.failures for transcript in make_transcripts(replace(whole, results=unfit), 3)] == before


@pytest.mark.parametrize(
    "page", ["", "/results", "/conversations", "/conversations/1", "/review", "/review?by=Ann", "/rejudge", "/live"]
)
def test_every_page_of_a_run_leads_to_the_others(client: httpx.Client, page: str) -> None:
    text = client.get(f"/runs/first{page}").text
    tabs = text[text.index('aria-label="Pages of the run"') :]
    tabs = tabs[: tabs.index("</nav>")]
    assert tabs.count("aria-current") == 1
    assert all(f'href="/runs/first{other}"' in tabs for other in ("", "/results", "/review", "/rejudge"))
    assert 'href="/compare?run=first"' in tabs


def test_only_files_of_a_report_can_be_fetched(client: httpx.Client, project: Path) -> None:
    workbook = client.get("/runs/first/files/report.xlsx")
    assert workbook.content == (project / "reports/first/report.xlsx").read_bytes()
    assert "first-report.xlsx" in workbook.headers["content-disposition"]
    page = client.get("/runs/first/files/report.html")
    assert "sandbox allow-scripts" in page.headers["content-security-policy"]
    for name in ("run.json", ".lock", "..%2Frun.json", "%2e%2e%2f%2e%2e%2fconfig.py", "report.json"):
        assert client.get(f"/runs/first/files/{name}").status_code == 404


@pytest.mark.parametrize(
    ("file", "content", "status", "said"),
    [
        ("results.jsonl", None, 200, "the run has no results yet"),
        ("results.jsonl", "{}\n", 200, "results.jsonl:1"),
        ("report.json", "{", 200, "is not a report"),
        ("report.json", "[]", 200, "is not a report"),
        ("conversations/run-002.json", "{", 200, "run-002.json"),
        ("run.json", "{", 400, "does not describe a run"),
        ("run.json", '{"state": 1, "settings": []}', 200, "Overview"),
        ("run.json", None, 404, "there is no run of this name"),
    ],
)
def test_a_damaged_run_says_what_is_wrong(
    client: httpx.Client, project: Path, file: str, content: str | None, status: int, said: str
) -> None:
    path = project / "reports/first" / file
    path.write_text(content) if content is not None else path.unlink()
    answer = client.get("/runs/first")
    assert answer.status_code == status
    assert said in answer.text
    for page in ("results", "conversations", "conversations/1", "questions", "rejudge"):
        assert client.get(f"/runs/first/{page}").status_code < 500


def test_a_run_that_still_talks_leads_to_where_it_is_watched(client: httpx.Client, project: Path) -> None:
    folder = project / "reports/first"
    for file in folder.glob("re*"):
        file.unlink()
    state = json.loads((folder / "run.json").read_text())
    (folder / "run.json").write_text(json.dumps(state | {"state": "talking"}))
    page = client.get("/runs/first").text
    assert 'href="/runs/first/live"' in page
    assert "This run has no results yet." in page
    said = client.get("/runs/first/conversations/1")
    assert said.status_code == 200
    assert 'id="round-0"' in said.text


def test_a_deleted_run_is_not_there(client: httpx.Client, project: Path) -> None:
    assert client.get("/runs/third/results").status_code == 200
    shutil.rmtree(project / "reports/third")
    for page in ("", "/results", "/conversations/1", "/rejudge", "/files/report.html"):
        assert client.get(f"/runs/third{page}").status_code == 404


@in_browser
def test_a_phone_shows_the_rate_of_a_case_and_leads_to_the_round(open_page: Callable[..., Page]) -> None:
    page = open_page("/runs/second", width=390, dark=True)
    row = page.locator("table.cases tbody tr").first
    for part in (row.locator(".rate"), row.locator("svg.bar")):
        box = part.bounding_box()
        assert box is not None
        assert box["width"] > 30
        assert box["x"] + box["width"] <= 390
    assert_fits(page)
    assert_accessible(page)
    page.locator("ol.worst a").first.click()
    page.wait_for_url("**/conversations/*#round-*")
    place = page.url.partition("#")[2]
    expect(page.locator(f"#{place}")).to_be_focused()
    expect(page.locator(f"#{place} .chip.FAIL").first).to_be_visible()
    assert_fits(page)
    assert_accessible(page)


@in_browser
def test_what_a_bot_said_stays_text(open_page: Callable[..., Page]) -> None:
    page = open_page("/runs/hostile")
    for path in ("", "/results", "/conversations/1"):
        page.goto(page.url.partition("/runs")[0] + "/runs/hostile" + path)
        assert "owned" not in page.title()
        assert page.locator("main img, main script, main b b").count() == 0
    assert "<script>document.title = 'owned'</script>" in page.locator("main").inner_text()
