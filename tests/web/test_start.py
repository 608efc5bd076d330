"""The form that starts a run: its fields, its checks, what it equals, and a run that it starts."""

import html
import json
import os
import re
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import httpx
import pytest
from playwright.sync_api import Page, expect

from chattest.errors import InputError
from chattest.settings.declaration import Settings
from chattest.settings.fields import list_fields, write_fields
from chattest.settings.file import read_settings
from chattest.web import starting
from chattest.web.project import Project
from tests.support.browser import in_browser
from tests.support.paths import ROOT
from tests.support.web_app import assert_accessible, assert_fits, visitor

CONFIG = """
max_runs = 1
conversation_length = 6
chatters = ["asker", "keeper"]
score_cache = False
reports = ["jsonl"]
"""
MAIN = f"""
import sys
from pathlib import Path

sys.path.append({str(ROOT)!r})
from chattest.cli.commands import main
from tests.support.light import lighten

if __name__ == "__main__":
    lighten()
    main(Path(__file__).resolve().parent)
"""


@pytest.fixture(autouse=True)
def settings(project: Path) -> None:
    """Small settings, and a main.py whose judges load nothing."""
    (project / "config.py").write_text(CONFIG)
    (project / "main.py").write_text(MAIN)


def submit(client: httpx.Client, action: str = "check", **changes: str) -> dict[str, Any]:
    """What a script is told of a form with some changes."""
    answer = client.post("/start", data={"action": action, **changes}, headers={"Accept": "application/json"})
    assert answer.status_code == 200, answer.text
    content: dict[str, Any] = answer.json()
    return content


def test_chatters_are_put_together_from_two_choices(client: httpx.Client) -> None:
    page = client.get("/start").text
    assert re.search(r'<select name="chatter-2".*?<option selected>keeper</option>', page, re.DOTALL)
    assert "<option>user</option>" not in page[page.index('name="chatter-1"') : page.index('name="other-2"')]
    two = {"chatter-1": "asker", "chatter-2": "forgetful", "other-1": "", "other-2": "left over"}
    assert submit(client, **two)["changed"]["chatters"] == '["asker", "forgetful"]'
    assert submit(client, **(two | {"chatter-2": "keeper"}))["changed"] == {}
    other = submit(client, **(two | {"chatter-2": "", "other-2": "keper"}))
    assert 'Did you mean "keeper"?' in other["problems"]["chatters"][0]
    broken = client.get("/start", params={"set": 'chatters=["asker"'}).text
    assert '<textarea id="f-chatters"' in broken


def text_of(told: dict[str, Any], part: str) -> str:
    """The text in a part of the result."""
    found = re.search(rf'id="{part}"[^>]*>(.*?)</pre>', told["html"], re.DOTALL)
    assert found is not None, told["html"]
    return html.unescape(found[1])


def ended(client: httpx.Client, address: str) -> dict[str, Any]:
    """What is told of a started run when it is over."""
    give_up = time.monotonic() + 120
    while time.monotonic() < give_up:
        told: dict[str, Any] = client.get(address, headers={"Accept": "application/json"}).json()
        if told["code"] is not None:
            return told
        time.sleep(0.05)
    raise AssertionError(told)


def test_every_setting_survives_its_field() -> None:
    for config in (None, ROOT / "config.py"):
        known = read_settings(config)
        texts = write_fields(known)
        assert read_settings(None, [each.override(texts[each.name]) for each in list_fields()]) == known


def test_what_the_form_equals_is_shown(client: httpx.Client, place: Project, tmp_path: Path) -> None:
    told = submit(client, max_runs="3", chatters='["asker", "forgetful"]', paired="true", seed="1", affect="joy")
    assert set(told["changed"]) == {"max_runs", "chatters", "paired", "affect"}  # the seed is what it was
    command = 'python main.py --set max_runs=3 --set paired=true --set \'chatters=["asker", "forgetful"]\''
    assert text_of(told, "command").startswith(command)
    config = tmp_path / "equal.py"
    config.write_text(CONFIG + text_of(told, "config"))
    overrides = ["max_runs=3", "paired=true", 'chatters=["asker", "forgetful"]', "affect=joy"]
    assert read_settings(config) == read_settings(place.root / "config.py", overrides)


@pytest.mark.parametrize(
    ("setting", "text", "told"),
    [
        ("max_runs", "0", "must be 1 or more"),
        ("max_runs", "", "not TOML"),
        ("conversation_length", "many", "must be a whole number"),
        ("chatters", '["asker", "keper"]', 'Did you mean "keeper"?'),
        ("chatters", '["asker"', "not TOML"),
        ("p", "{ML-U99 = 0.5}", "ML-U99"),
        ("save_analysis_name", "../../evil", "must begin with a letter or digit"),
        ("chatter_options", '{http = {headers = {Authorization = "Bearer abcdefghijklmnop"}}}', "${NAME}"),
    ],
)
def test_what_is_wrong_stands_beside_its_field(client: httpx.Client, setting: str, text: str, told: str) -> None:
    found = submit(client, **{setting: text})
    assert list(found["problems"]) == [setting]
    assert told in " ".join(found["problems"][setting])
    page = client.post("/start", data={"action": "start", setting: text})  # without scripts
    assert page.status_code == 400
    assert html.escape(told, quote=False).replace('"', "&#34;") in page.text


def test_the_form_opens_with_changes_and_a_search(client: httpx.Client) -> None:
    page = client.get("/start", params=[("set", "max_runs=4"), ("q", "seed"), ("set", "seed=<7>")]).text
    assert 'name="conversation_length"' not in page
    assert 'name="max_runs" value="4"' in page  # hidden, so that it is not lost
    assert 'value="&lt;7&gt;"' in page
    assert "must be a whole number" in page
    assert "No setting fits these words" in client.get("/start?q=unheard-of").text


def test_what_most_runs_change_stands_first(client: httpx.Client) -> None:
    page = client.get("/start").text
    names = re.findall(r'<div class="setting[^"]*" data-name="(\w+)"', page)
    assert names[:2] == ["chatters", "max_runs"]
    assert sorted(names) == sorted(Settings.model_fields)  # each once


def test_the_plan_is_what_plan_prints(client: httpx.Client) -> None:
    told = submit(client, "plan", max_runs="2", conversation_length="12")
    plan = text_of(told, "plan")
    assert "Run 2: 12 rounds" in plan
    assert "Questions planned over all runs:" in plan
    assert list(submit(client, "plan", perturbation='{ML-U3 = "no such"}')["problems"]) == ["perturbation"]


def test_a_run_is_started_and_outlives_its_page(client: httpx.Client, place: Project) -> None:
    answer = client.post("/start", data={"action": "start", "save_analysis_name": "by hand", "seed": "5"})
    assert answer.headers["location"] == "/start/runs/by%20hand"
    told = ended(client, answer.headers["location"])
    assert told["code"] == 1, told
    assert "no better than" in told["output"]
    assert told["address"] == "/runs/by%20hand/live"
    assert "by hand" in told["output"]
    state = json.loads((place.reports / "by hand" / "run.json").read_text())
    assert state["state"] == "finished"
    assert state["settings"]["seed"] == 5
    assert "by hand" in client.get("/start").text
    # The name is taken now, so the next run is the second of it.
    (place.root / "main.py").write_text("print('at once')\n")
    again = submit(client, "start", save_analysis_name="by hand")
    assert again["started"] == "/start/runs/by%20hand-2"
    assert ended(client, again["started"])["output"] == "at once\n"


def test_a_run_that_fails_shows_why(client: httpx.Client, project: Path) -> None:
    (project / "main.py").write_text("raise SystemExit('<script>no disk</script>')\n")
    started = submit(client, "start", save_analysis_name="broken")["started"]
    ended(client, started)
    (project / "main.py").write_text("import sys\nprint('<script>no disk</script>')\nsys.exit(3)\n")
    started = submit(client, "start", save_analysis_name="broken")["started"]
    assert ended(client, started)["address"] == ""
    page = client.get(started).text
    assert "exit code 3" in page
    assert "&lt;script&gt;no disk" in page
    assert client.get("/start/runs/..%2f..%2fconfig.py").status_code == 404
    assert client.get("/start/runs/nobody").status_code == 404


def test_runs_are_processes_of_their_own_and_bounded(place: Project, monkeypatch: pytest.MonkeyPatch) -> None:
    (place.root / "main.py").write_text("import time\ntime.sleep(60)\n")
    monkeypatch.setattr(starting, "MOST", 1)
    starts = starting.StartedRuns(place)
    starts.start(starting.check_form(place, {"save_analysis_name": "one"}))
    (run,) = starts.all()
    assert os.getsid(run.process.pid) == run.process.pid  # Ctrl-C at the app does not reach it
    with pytest.raises(InputError, match="1 runs are under way"):
        starts.start(starting.check_form(place, {"save_analysis_name": "two"}))
    monkeypatch.setattr(starting, "MOST", 2)
    with pytest.raises(InputError, match="the run one is still loading"):
        starts.start(starting.check_form(place, {"save_analysis_name": "one"}))
    run.process.kill()
    run.process.wait()


def test_what_cannot_start_is_told(client: httpx.Client, place: Project) -> None:
    person = submit(client, "start", chatters='["user", "keeper"]')
    assert "no terminal" in person["problems"]["chatters"][0]
    (place.reports / "half").mkdir()
    (place.reports / "half" / "run.json").write_text('{"state": "talking", "settings": {"seed": 9}}')
    half = submit(client, "start", save_analysis_name="half")
    assert not half["started"]
    assert "unfinished run in this folder had other settings" in half["html"]
    (place.root / "config.py").write_text("max_runs = 0\n")
    assert "must be 1 or more" in client.get("/start").text


@in_browser
def test_a_run_is_started_in_a_browser(open_page: Callable[..., Page], place: Project) -> None:
    page = open_page("/start", width=390)
    page.get_by_label("Search in names").fill("how many conversations are held")
    expect(page.locator("#count")).to_contain_text("of 9")
    runs = page.get_by_label("max_runs")
    runs.fill("0")
    expect(page.locator("#e-max_runs")).to_contain_text("must be 1 or more")
    assert_accessible(page)
    assert_fits(page)
    runs.fill("2")
    expect(page.locator("#command")).to_have_text("python main.py --set max_runs=2")
    expect(page.locator("#e-max_runs")).to_be_empty()
    expect(page).to_have_url(re.compile(r"/start\?set=max_runs%3D2&q=how\+many\+conversations\+are\+held$"))
    page.get_by_role("button", name="Plan").click()
    expect(page.locator("#plan")).to_contain_text("Run 2: 6 rounds")
    page.get_by_role("button", name="Start", exact=True).click()
    page.wait_for_url("**/runs/first-run/live")
    with visitor(page.url.partition("/runs")[0]) as client:
        assert ended(client, "/start/runs/first-run")["code"] == 0
    assert len(list((place.reports / "first-run" / "conversations").glob("run-*.json"))) == 2


@in_browser
def test_the_chatters_are_chosen_from_those_that_there_are(open_page: Callable[..., Page]) -> None:
    page = open_page("/start", width=390)
    bot = page.get_by_label("Chatter 2 is under test")
    expect(bot).to_have_value("keeper")
    other = page.locator("input[name=other-2]")
    expect(other).to_be_hidden()
    bot.select_option("forgetful")
    expect(page.locator("#command")).to_have_text('python main.py --set \'chatters=["asker", "forgetful"]\'')
    bot.select_option("")  # another
    other.fill("nowhere:Bot")
    expect(page.locator("#command")).to_contain_text("nowhere:Bot")
    page.get_by_role("button", name="Plan").click()
    expect(page.locator("#e-chatters")).to_contain_text("nowhere")
    assert_accessible(page)
    assert_fits(page)
    page.goto(page.url)  # the address holds it
    expect(page.locator("input[name=other-2]")).to_have_value("nowhere:Bot")
