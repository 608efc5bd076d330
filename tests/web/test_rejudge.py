"""Judging a run again: what flips, from saved scores, and what is saved, by the judges."""

import html
import json
import re
import shlex
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import httpx
import pytest
from playwright.sync_api import Page, expect

from chattest.cli import commands
from chattest.runner import run
from chattest.scorers.base import scorers
from chattest.web.index.results import open_results
from chattest.web.project import Project
from chattest.web.rejudge_preview import preview
from tests.support.browser import in_browser
from tests.support.light import Light
from tests.support.saving import until_saved
from tests.support.web_app import assert_accessible, assert_fits

MOVED = {"threshold_coherence_prompt": 0.9, "threshold_sem_sim_tests": 0.99, "threshold_toxicity": 0.005}


@pytest.fixture(autouse=True)
def light(monkeypatch: pytest.MonkeyPatch) -> None:
    """Judges that load nothing."""
    monkeypatch.setattr(run, "Judges", lambda models: Light(models=models))


def verdicts(folder: Path) -> dict[tuple[Any, ...], str]:
    lines = [json.loads(line) for line in (folder / "results.jsonl").read_text("utf-8").splitlines()]
    return {(row["check"], row["run"], row["round"], row["testset"], row["dose"]): row["verdict"] for row in lines}


def rows_with_a_raised_threshold(folder: Path) -> set[tuple[Any, ...]]:
    """The rows of which a rule has raised the threshold, so that no threshold alone decides."""
    lines = [json.loads(line) for line in (folder / "results.jsonl").read_text("utf-8").splitlines()]
    return {
        (row["check"], row["run"], row["round"], row["testset"], row["dose"])
        for row in lines
        if row["score"].get("rule") and row["score"]["rule"] in scorers.get(row["scorer"]).raising_rules
    }


def saved(client: httpx.Client, name: str, **thresholds: float) -> str:
    """Saves, and waits until it is done; the page that tells so."""
    data = {key: str(value) for key, value in thresholds.items()}
    return until_saved(client, client.post(f"/runs/{name}/rejudge", data=data))


@pytest.mark.slow
@pytest.mark.parametrize("name", ["second", "questions"])
def test_what_is_foretold_is_what_the_judges_say(
    client: httpx.Client, place: Project, project: Path, name: str
) -> None:
    folder = place.run(name)
    before = {path: path.read_bytes() for path in folder.rglob("*") if path.is_file()}
    assert client.get(f"/runs/{name}/rejudge").status_code == 200
    told = preview(open_results(place), name, MOVED)
    assert told.flips
    page = saved(client, name, **MOVED)
    assert f'<a href="/runs/{name}-2">{name}-2</a>' in page
    old, new = verdicts(folder), verdicts(place.run(f"{name}-2"))
    flipped = [key for key in old if old[key] != new[key]]
    raised = rows_with_a_raised_threshold(folder)
    assert len(raised) <= sum(count for _, count in told.unaffected), "the page says that they are not foretold"
    flipped = [key for key in flipped if key not in raised]
    assert len(flipped) == len(told.flips)
    by_check = {one.check: (one.to_pass, one.to_fail) for one in told.changed}
    for check, (to_pass, to_fail) in by_check.items():
        own = [key for key in flipped if key[0] == check]
        assert (sum(new[key] == "PASS" for key in own), sum(new[key] == "FAIL" for key in own)) == (to_pass, to_fail)
    record = json.loads((place.run(f"{name}-2") / "report.json").read_text())
    for one in told.changed:
        assert (one.after.passed, one.after.total) == tuple(
            record["tallies"][one.check][k] for k in ("passed", "total")
        )
    settings = json.loads((place.run(f"{name}-2") / "run.json").read_text())["settings"]
    assert {key: settings[key] for key in MOVED} == MOVED
    assert settings["threshold_stuttering"] is None
    assert before == {path: path.read_bytes() for path in folder.rglob("*") if path.is_file()}


@pytest.mark.slow
def test_a_run_that_was_judged_again_can_be_judged_again(client: httpx.Client, place: Project) -> None:
    saved(client, "first", threshold_toxicity=0.005)
    assert "first-3" in saved(client, "first-2", threshold_toxicity=0.5)
    assert verdicts(place.run("first-3")) == verdicts(place.run("first"))
    page = client.get("/runs/first-2/conversations/1")
    assert page.status_code == 200
    assert 'class="chip FAIL"' in page.text


def test_flips_come_in_pages_with_the_new_reason(client: httpx.Client) -> None:
    page = client.get("/runs/first/rejudge?threshold_coherence_prompt=0.999&threshold_toxicity=0.001").text
    assert page.count("→") == 50
    assert '<th scope="row">ML-I3<small>experimental</small></th>' in page
    assert '<th scope="row">ML-P1</th>' in page
    assert "at least 0.999 is needed" in page or "above 0.001" in page
    assert "threshold_toxicity=0.001&amp;page=2" in page
    assert "judge " in page
    assert "--set threshold_toxicity=0.001" in page


@pytest.mark.parametrize(
    ("asked", "said"),
    [
        ({"threshold_toxicity": "much"}, "is not a number"),
        ({"threshold_toxicity": "7"}, "threshold_toxicity"),
        ({"threshold_toxicity": "nan"}, "threshold_toxicity"),
        ({}, "nothing is changed"),
    ],
)
def test_a_wrong_threshold_is_refused(client: httpx.Client, place: Project, asked: dict[str, str], said: str) -> None:
    answer = client.post("/runs/first/rejudge", data=asked)
    assert answer.status_code == 400
    assert said in answer.text
    assert "first-2" not in place.names()


def test_conversations_that_are_gone_cannot_be_judged(client: httpx.Client, place: Project) -> None:
    for path in place.run("first").glob("conversations/*"):
        path.unlink()
    answer = client.post("/runs/first/rejudge", data={"threshold_toxicity": "0.5"})
    assert answer.status_code == 400
    assert "3 of 3 conversations of the run are missing" in answer.text


@pytest.mark.slow
def test_the_command_that_is_shown_does_the_same(
    client: httpx.Client, place: Project, monkeypatch: pytest.MonkeyPatch
) -> None:
    moved = "threshold_coherence_prompt=0.9&threshold_toxicity=0.005"
    page = client.get(f"/runs/second/rejudge?{moved}").text
    (command,) = re.findall(r'<p class="command">(.*?)</p>', page)
    saved(client, "second", threshold_coherence_prompt=0.9, threshold_toxicity=0.005)
    monkeypatch.chdir(place.root)
    monkeypatch.setattr(sys, "argv", shlex.split(html.unescape(command))[1:])
    with pytest.raises(SystemExit) as ended:
        commands.main(place.root)
    assert ended.value.code == 1  # the bot is no better than one that understands nothing
    assert verdicts(place.run("second-3")) == verdicts(place.run("second-2")) != verdicts(place.run("second"))
    assert client.get("/compare?run=second-2&run=second-3").status_code == 200


@in_browser
def test_how_many_flip_stays_in_sight(open_page: Callable[..., Page]) -> None:
    page = open_page("/runs/first/rejudge", width=390)
    page.get_by_label("threshold_coherence_prompt, slider").press("End")
    expect(page.locator("#flips")).to_contain_text("flip")
    page.evaluate("document.querySelector('.sliders').scrollIntoView({block: 'start'})")
    expect(page.locator("#flips")).to_be_in_viewport()
    expect(page.get_by_role("button", name="Save as a new run")).to_be_in_viewport()


@in_browser
def test_a_slider_shows_flips_and_saves(open_page: Callable[..., Page]) -> None:
    page = open_page("/runs/first/rejudge", width=390, dark=True)
    slider = page.get_by_label("threshold_coherence_prompt, slider")
    slider.focus()
    slider.press("End")
    expect(page.locator("#preview .headline")).to_contain_text("flip")
    expect(page.locator(".flips-table tbody tr").first).to_be_visible()
    expect(page).to_have_url(re.compile("threshold_coherence_prompt=1"))
    assert_fits(page)
    assert_accessible(page)
    page.get_by_role("button", name="Save as a new run").click()
    page.get_by_role("link", name="first-2", exact=True).click()
    page.wait_for_url("**/runs/first-2")
    expect(page.locator("h1")).to_have_text("first-2")


def test_a_run_is_judged_as_another_was(client: httpx.Client, place: Project) -> None:
    other = saved(client, "second", threshold_coherence_prompt=0.9)
    assert "second-2" in other
    refused = client.get("/compare?run=first&run=second-2")
    assert refused.status_code == 400
    assert "only the judging differs" in refused.text
    for name, example in (("second-2", "first"), ("first", "second-2")):
        assert f"/runs/{name}/rejudge?as={example}" in refused.text
    page = client.get("/runs/first/rejudge?as=second-2").text
    assert 'value="0.9" aria-describedby="threshold_coherence_prompt-of"' in page  # what flips is shown
    assert "--set threshold_coherence_prompt=0.9" in page
    answer = client.post("/runs/first/rejudge", data={"as": "second-2"})
    page = until_saved(client, answer)
    assert "/compare?run=second-2&amp;run=first-2" in page
    assert client.get("/compare?run=second-2&run=first-2").status_code == 200
    assert "Both were judged in the same way." in client.get("/runs/first-2/rejudge?as=second-2").text


def test_what_judging_again_cannot_mend_is_not_offered(client: httpx.Client, place: Project) -> None:
    saved(client, "third", threshold_coherence_prompt=0.9)
    refused = client.get("/compare?run=first&run=third-2")  # another seed, too
    assert refused.status_code == 400
    assert "rejudge?as=" not in refused.text
    assert client.get("/runs/first/rejudge?as=nobody").status_code == 404
    assert client.post("/runs/first/rejudge", data={"as": "../x"}).status_code == 404
    assert client.post("/runs/first/rejudge", data={"as": "second"}).status_code == 400  # judged alike
