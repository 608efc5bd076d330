"""The results of a run and its conversations: filtered, searched, paged, and shown while they are being read."""

import json
from collections.abc import Callable
from pathlib import Path
from threading import Event
from typing import Any

import httpx
import pytest
from playwright.sync_api import Page, expect

from chattest.web.index import results as index
from chattest.web.index.rows import read_rows
from tests.support.browser import in_browser
from tests.support.web_app import assert_accessible, assert_fits


def rows(project: Path, run: str) -> list[dict[str, Any]]:
    return [json.loads(line) for line in (project / f"reports/{run}/results.jsonl").read_text("utf-8").splitlines()]


def count(page: str) -> int:
    return int(page.partition('role="status">')[2].partition(" of ")[0].replace(",", ""))


@pytest.mark.parametrize("run", ["second", "hostile", "questions"])
def test_filters_find_what_the_file_has(client: httpx.Client, project: Path, run: str) -> None:
    known = rows(project, run)
    first = known[-1]

    def found(**asked: str) -> int:
        return count(client.get(f"/runs/{run}/results", params=asked).text)

    assert found() == len(known)
    assert found(case=first["check"]) == sum(row["check"] == first["check"] for row in known)
    for verdict in ("PASS", "FAIL", "NOT_APPLICABLE", "ERROR"):
        assert found(verdict=verdict) == sum(row["verdict"] == verdict for row in known)
    assert found(doubt="in doubt") == sum(row["in_doubt"] for row in known)
    assert found(conversation="1") == sum(row["run"] == 1 for row in known)
    testset = next((row["testset"] for row in known if row["testset"]), "none")
    assert found(testset=testset) == sum(row["testset"] == testset for row in known)
    assert found(verdict="maybe", conversation="x", page="-1") == len(known)


def test_a_search_reads_prompts_replies_and_reasons(client: httpx.Client, project: Path) -> None:
    known = rows(project, "second")
    for words in ("i see, NUMBER", "on day", "at least", "100 % '_\""):
        wanted = [r for r in known if words.lower() in f"{r['prompt']}\n{r['reply']}\n{r['reason']}".lower()]
        page = client.get("/runs/second/results", params={"text": words}).text
        assert count(page) == len(wanted)
    assert "No result is like that" in page


def test_pages_hold_a_hundred_and_keep_the_filter(client: httpx.Client, project: Path) -> None:
    known = [row for row in rows(project, "first") if row["verdict"] == "PASS"]
    assert len(known) > 100
    page = client.get("/runs/first/results?verdict=PASS").text
    assert page.count('<th scope="row">') == 100
    assert "/runs/first/results?verdict=PASS&amp;page=2" in page
    last = client.get("/runs/first/results?verdict=PASS&page=999").text
    assert last.count('<th scope="row">') == len(known) % 100
    assert "Next" not in last


def test_a_changed_file_is_read_anew(client: httpx.Client, project: Path) -> None:
    path = project / "reports/first/results.jsonl"
    before = count(client.get("/runs/first/results").text)
    lines = path.read_bytes().splitlines(keepends=True)
    path.write_bytes(b"".join(lines[:-5]))
    assert count(client.get("/runs/first/results").text) == before - 5
    (project / "reports/.view.sqlite").write_bytes(b"no index at all")
    assert count(client.get("/runs/first/results").text) == before - 5


def test_a_long_reading_tells_how_far_it_is(client: httpx.Client, monkeypatch: pytest.MonkeyPatch) -> None:
    go_on = Event()

    def slowly(*arguments: Any) -> Any:
        for number, row in enumerate(read_rows(*arguments)):
            if number == 100:
                assert go_on.wait(30)
            yield row

    monkeypatch.setattr(index, "read_rows", slowly)
    monkeypatch.setattr(index, "MOMENT", 0.2)
    monkeypatch.setattr(index, "SMALL", 0)
    try:
        state = client.get("/runs/second/reading").json()
        assert state["done"] is False
        overview = client.get("/runs/second").text
        assert "read for the first time" in overview
        assert '<svg class="bar"' in overview
        page = client.get("/runs/second/results?text=x").text
        assert "The first results are here already" in page
        assert page.count('<th scope="row">') == 100
        assert client.get("/runs/second/conversations/1").status_code == 200
    finally:
        go_on.set()
    monkeypatch.setattr(index, "MOMENT", 30)
    assert client.get("/runs/second/reading").json() == {"done": True, "percent": 100}
    assert "Worst replies" in client.get("/runs/second").text


def test_altered_questions_stand_together(client: httpx.Client, project: Path) -> None:
    altered = [row for row in rows(project, "questions") if row["original"]]
    page = client.get("/runs/questions/questions").text
    originals = {row["original"] for row in altered}
    assert f"{len(originals)} questions" in page
    assert page.count('<details class="utterance">') == min(25, len(originals))
    assert "No check of this run alters questions" in client.get("/runs/first/questions").text


def test_the_list_of_conversations_gives_rates_and_leads_to_failures(client: httpx.Client, project: Path) -> None:
    report = json.loads((project / "reports/second/report.json").read_text())
    page = client.get("/runs/second/conversations?sort=failed").text
    failed = {
        int(run): sum(tally["total"] - tally["passed"] for tally in cases.values())
        for run, cases in report["run_tallies"].items()
    }
    for run, number in failed.items():
        assert f'href="/runs/second/results?conversation={run}&amp;verdict=FAIL">{number}</a>' in page
    shown = [page.index(f">Conversation {run}</a>") for run in sorted(failed, key=lambda run: (-failed[run], run))]
    assert shown == sorted(shown)
    assert client.get("/runs/second/conversations/999").status_code == 404
    assert client.get("/runs/second/conversations/99999999999999999999").status_code == 404


def test_a_conversation_shows_what_was_planted_and_judged(client: httpx.Client, project: Path) -> None:
    said = json.loads((project / "reports/second/conversations/run-001.json").read_text())
    page = client.get("/runs/second/conversations/1").text
    steps = [step for probe in said["plan"]["probes"] for step in probe["steps"]]
    assert page.count('<span class="planted">') == len(steps) + 1  # the legend has one
    judged = [row for row in rows(project, "second") if row["run"] == 1 and row["verdict"] == "FAIL"]
    assert page.count('class="chip FAIL"') == len(judged)
    assert 'href="/runs/second/conversations/2"' in page


def test_a_reference_run_stands_beside_the_conversation(client: httpx.Client, project: Path) -> None:
    folder = project / "reports/second/conversations"
    assert client.get("/runs/second/conversations/1?variant=clean").status_code == 404
    (folder / "clean").mkdir()
    clean = json.loads((folder / "run-001.json").read_text()) | {"variant": "clean"}
    (folder / "clean/run-001.json").write_text(json.dumps(clean))
    assert "conversations/1?variant=clean" in client.get("/runs/second/conversations/1").text
    page = client.get("/runs/second/conversations/1?variant=clean").text
    assert 'id="round-3"' in page
    assert 'class="chip' not in page
    assert client.get("/runs/second/conversations/1?variant=../../first/conversations").status_code == 404


@in_browser
def test_somebody_finds_a_failure_and_reads_its_conversation(open_page: Callable[..., Page]) -> None:
    page = open_page("/runs/second/results")
    page.get_by_label("Verdict").select_option("FAIL")
    page.wait_for_url("**verdict=FAIL**")
    expect(page.get_by_label("Verdict")).to_be_focused()
    page.get_by_label("Text").fill("i was born in March")
    page.keyboard.press("Enter")
    page.wait_for_url("**verdict=FAIL**text=i+was**")
    expect(page.get_by_label("Text")).to_have_value("i was born in March")
    assert_accessible(page)
    page.locator("table.results tbody a").first.click()
    page.wait_for_url("**/conversations/*#round-*")
    expect(page.locator("li:target .subject")).to_contain_text("I was born in March.")
    page.set_viewport_size({"width": 390, "height": 900})
    page.goto(page.url.partition("/conversations")[0] + "/results?verdict=FAIL")
    assert_fits(page)
    assert_accessible(page)
