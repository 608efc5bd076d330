"""Two to four runs are compared in the browser as the command compares them."""

import json
import re
import shutil
from collections.abc import Callable

import httpx
import pytest
from playwright.sync_api import Page, expect

from chattest.comparison.page import make_case_values
from chattest.comparison.runs import RunComparison, compare
from chattest.comparison.several import compare_several
from chattest.comparison.tables import make_headline
from chattest.comparison.text import describe_verdict
from chattest.storage.finished_run import read_run
from chattest.web.project import Project
from tests.support.browser import in_browser
from tests.support.counted import recount
from tests.support.web_app import assert_accessible, assert_fits

TWO = "/compare?run=first&run=hostile"


@pytest.fixture
def compared(place: Project) -> RunComparison:
    """What the command works out for the runs of `TWO`."""
    return compare(read_run(place.run("first")), read_run(place.run("hostile")))


def add_copy(place: Project, name: str) -> None:
    """The second run once more."""
    shutil.copytree(place.reports / "second", place.reports / name)


def test_the_runs_to_choose_are_grouped_by_plan(client: httpx.Client) -> None:
    text = client.get("/compare?run=second").text
    alike, _, others = text.partition("Runs whose settings no other run has")
    assert 'value="second" checked' in alike
    assert 'value="first"' in alike
    assert 'value="third"' in others
    assert 'value="questions"' in others


def test_of_runs_ticked_in_the_table_the_oldest_comes_first(client: httpx.Client, place: Project) -> None:
    for name, day in (("first", 3), ("second", 1), ("hostile", 2)):
        log = place.reports / name / "run.log"
        log.write_text(f"2026-01-0{day}T10:00:00 began\n")
    asked = client.get("/compare?first=oldest&run=first&run=second&run=hostile", follow_redirects=False)
    assert asked.headers["location"] == "/compare?run=second&run=hostile&run=first"
    assert client.get("/compare?first=oldest&run=first&run=nobody").status_code == 404


def test_each_run_shows_what_was_expected_of_it(client: httpx.Client, place: Project) -> None:
    rows = place.reports / "hostile" / "results.jsonl"
    lines = [json.loads(line) for line in rows.read_text().splitlines()]
    changed = [line | {"expected": "what hostile said"} if line["expected"] else line for line in lines]
    rows.write_text("".join(json.dumps(line) + "\n" for line in changed))
    recount(rows.parent)
    text = client.get(TWO).text
    flip = text[text.index("what hostile said") - 3000 : text.index("what hostile said")]
    assert flip.rindex('class="expected"') > flip.rindex('class="who"')  # beside its own reply


def test_a_run_that_is_not_finished_is_no_choice(client: httpx.Client, place: Project) -> None:
    state = place.reports / "third" / "run.json"
    state.write_text(json.dumps(json.loads(state.read_text()) | {"state": "talking"}))
    (place.reports / "hostile" / "run.json").write_text("[")
    text = client.get("/compare").text
    assert 'value="third"' not in text
    assert 'value="hostile"' not in text
    assert 'value="first"' in text


def test_two_runs_show_what_the_command_says(client: httpx.Client, compared: RunComparison) -> None:
    text = client.get(TWO).text
    assert describe_verdict(compared) in text
    for case in compared.checks:
        values = make_case_values(compared, case)
        row = text[text.index(f">{case.check}<") :]
        row = row[: row.index("</tr>")]
        assert all(f">{shown}<" in row for shown in (*values["rates"], values["change"], *values["p_values"]))
        assert values["verdict"] in row
        assert ("experimental" in row) is (case.check in ("ML-I2", "ML-I3"))


def test_filters_lie_in_the_address(client: httpx.Client, compared: RunComparison) -> None:
    assert compared.flips
    whole = client.get(TWO).text
    assert f"of {len(compared.flips)} question" in whole
    case = next(case for case in compared.checks if case.worse)
    some = client.get(TWO, params=[("run", "first"), ("run", "hostile"), ("case", case.check), ("which", "worse")]).text
    assert f"of {len(case.worse)} question" in some
    before, after = case.worse[0]
    assert f"/runs/first/conversations/{before.run}#round-{before.round}" in some
    assert f"/runs/hostile/conversations/{after.run}#round-{after.round}" in some
    none = client.get(f"{TWO}&text=nobody+said+this").text
    assert "No question fits." in none
    assert 'value="nobody said this"' in none


def test_the_second_page_goes_on_where_the_first_ends(
    client: httpx.Client, compared: RunComparison, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("chattest.web.pages.compare.PAGE", 3)
    assert len(compared.flips) > 3
    first, second = client.get(TWO).text, client.get(f"{TWO}&page=2").text
    assert f"1 to 3 of {len(compared.flips)} questions" in first
    assert "page=2" in first
    assert f"4 to {min(6, len(compared.flips))} of" in second
    beyond = client.get(f"{TWO}&page=9999").text
    assert f"to {len(compared.flips)} of" in beyond


def test_four_runs_are_compared_together(client: httpx.Client, place: Project) -> None:
    add_copy(place, "copy")
    names = ["first", "second", "copy", "hostile"]
    several = compare_several([read_run(place.run(name)) for name in names])
    text = client.get("/compare", params=[("run", name) for name in names]).text
    assert make_headline(several).split(".")[0] in text
    assert re.search(r'<th scope="row">ML-I2<small>experimental</small>', text)
    assert '<th scope="row">ML-P1</th>' in text
    assert f"of {len(several.disagreements)} question" in text
    failed = [rows for rows in several.disagreements if rows[3].verdict.value != "PASS"]
    only = client.get("/compare", params=[*(("run", name) for name in names), ("which", "failed-4")]).text
    assert f"of {len(failed)} question" in only


@pytest.mark.parametrize(
    ("names", "said"),
    [
        (["first", "third"], "seed is 1 in one and 2 in the other"),
        (["first", "first"], "a run is named twice"),
        (["first", "second", "third", "hostile", "questions"], "5 runs are too many"),
    ],
)
def test_what_cannot_be_compared_is_said_beside_the_choice(client: httpx.Client, names: list[str], said: str) -> None:
    answer = client.get("/compare", params=[("run", name) for name in names])
    assert answer.status_code == 400
    assert said in answer.text
    assert "Choose two to four runs" in answer.text


@pytest.mark.parametrize("name", ["nowhere", "../reports/first", ".trash"])
def test_a_run_that_is_not_there_is_not_there(client: httpx.Client, name: str) -> None:
    assert client.get("/compare", params={"run": ["first", name]}).status_code == 404


def test_a_run_that_changes_is_read_again(client: httpx.Client, place: Project) -> None:
    assert client.get(TWO).status_code == 200
    rows = place.reports / "hostile" / "results.jsonl"
    rows.write_text(rows.read_text() + "{half a line")
    answer = client.get(TWO)
    assert answer.status_code == 400
    assert "results.jsonl" in answer.text
    assert "lines, and the run has" in answer.text


def test_a_hostile_reply_is_text(client: httpx.Client) -> None:
    text = client.get(TWO).text
    assert "&lt;" in text
    assert "<script>alert" not in text


@in_browser
def test_somebody_chooses_two_runs_and_reads_what_became_worse(open_page: Callable[..., Page]) -> None:
    page = open_page("/compare", dark=True)
    button = page.get_by_role("button", name="Compare", exact=True)
    expect(button).to_be_disabled()
    page.get_by_label("first").check()
    page.get_by_label("hostile").check()
    assert_accessible(page)
    expect(button).to_be_enabled()
    button.click()
    page.wait_for_url("**/compare?run=first&run=hostile")
    page.get_by_role("heading", name="Flipped questions").wait_for()
    page.get_by_label("Which").select_option("worse")
    page.wait_for_url("**which=worse**")
    page.get_by_role("link", name="Show all").wait_for()
    assert page.locator(".flip .gate.missed").count() == page.locator(".flip").count() > 0
    assert_accessible(page)
    page.set_viewport_size({"width": 390, "height": 800})
    assert_fits(page)


@in_browser
def test_three_runs_fit_on_a_phone(open_page: Callable[..., Page]) -> None:
    page = open_page("/compare?run=first&run=second&run=hostile", width=390)
    page.get_by_role("heading", name="Disagreements").wait_for()
    assert_fits(page)
    assert_accessible(page)
