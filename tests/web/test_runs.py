"""The table of runs, tags, the trash and the trend."""

from __future__ import annotations

import json
import re
import shutil
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from html import unescape
from pathlib import Path
from typing import Any

import httpx
import pytest
from playwright.sync_api import Page, expect

from chattest.errors import InputError
from chattest.records.result import find_scopes
from chattest.reports.content.rates import infer_scopes
from chattest.runner.report import load_report
from chattest.storage.reports import read_record
from chattest.storage.run_folder import RunFolder
from chattest.storage.tags import MOST, change_tags, read_tags
from chattest.web.index.base import FILE, Index
from chattest.web.index.runs import Summary, summarize_runs
from chattest.web.pages.trend import find_changes
from chattest.web.project import Project
from chattest.web.run_table import find_differences
from tests.support.browser import in_browser
from tests.support.web_app import assert_accessible, assert_fits, served, visitor

RUNS = ["first", "hostile", "questions", "second", "third"]


def shown(answer: httpx.Response) -> list[str]:
    """The runs in the table, in order."""
    assert answer.status_code == 200, answer.text
    return re.findall(r'<th scope="row"><a href="/runs/([^"/]+)"', answer.text)


def get(client: httpx.Client, **query: str) -> list[str]:
    return shown(client.get("/", params=query))


def edit(path: Path, **changed: Any) -> None:
    """Changes the settings in a run's run.json."""
    content = json.loads((path / "run.json").read_bytes())
    content["settings"].update(changed)
    (path / "run.json").write_text(json.dumps(content))


def test_runs_are_filtered_and_sorted_by_the_address(client: httpx.Client) -> None:
    assert sorted(get(client)) == RUNS
    assert get(client, sort="name") == RUNS
    assert get(client, sort="-name") == RUNS[::-1]
    assert get(client, bot="keeper", sort="name") == ["first", "questions", "third"]
    assert get(client, q="KEEP third") == ["third"]
    assert get(client, q="letter_typo") == ["questions"]  # a setting
    assert get(client, state="finished", sort="name") == RUNS
    assert get(client, state="stopped") == []
    assert get(client, sort="-questions")[0] == "questions"
    assert get(client, sort="probes")[-1] == "questions"
    assert sorted(get(client, sort="nonsense", page="999999999", bot="")) == RUNS
    answer = client.get("/", params={"q": "nothing has this"})
    assert "No run fits these filters." in answer.text


def test_a_row_tells_rates_and_what_differs(client: httpx.Client) -> None:
    text = unescape(client.get("/", params={"q": "questions"}).text)
    assert "single questions" not in text  # the bars say "questions" beside probes and replies
    assert all(f'<span class="rate-name">{name}</span>' in text for name in ("probes", "replies", "questions"))
    every = unescape(client.get("/").text)
    assert "<code>seed</code> 2" in every
    assert "<code>max_<wbr>runs</code> 1" in every


def test_the_rates_are_those_of_the_report(place: Project) -> None:
    for run in summarize_runs(place.reports, place.names(), Index(place.reports)):
        loaded = load_report(place.reports / run.name)
        assert infer_scopes(read_record(place.reports / run.name, (), ())) == find_scopes(loaded.results)
        rates = loaded.rates()
        assert {code: rate.passed for code, rate in run.cases.items()} == {
            code: passed for code, passed in rates["passed"].items() if code in run.cases
        }
        counted = rates[~rates["experimental"]]
        replies = counted.loc[[code for code in counted.index if code in ("ML-P1", "ML-A6", "ML-A7")]]
        assert run.rates["replies"].passed == replies["passed"].sum()  # without ML-I2 and ML-I3
        assert run.experimental == ("ML-I2", "ML-I3")
        overall = loaded.record.overall["probes"].interval
        assert overall is None or (run.rates["probes"].low, run.rates["probes"].high) == overall
        assert run.conversations == len(loaded.record.conversations)


def test_the_index_follows_the_files_and_may_be_deleted(place: Project) -> None:
    index, names = Index(place.reports), place.names()
    before = summarize_runs(place.reports, names, index)
    logs = {path: path.read_bytes() for path in place.reports.glob("*/run.log")}
    assert logs
    for path in logs:  # a run that is read again would have begun at another time
        path.write_text("2001-01-01 00:00:00  started: another run\n")
    assert summarize_runs(place.reports, names, index) == before, "read again though nothing that counts has changed"
    for path, content in logs.items():
        path.write_bytes(content)
    change_tags(place.reports / "first", ["new"])
    assert summarize_runs(place.reports, ["first"], index)[0].tags == ("new",)
    (place.reports / FILE).unlink()
    assert summarize_runs(place.reports, names[1:], Index(place.reports)) == before[1:]
    shutil.rmtree(place.reports / "third")
    assert [run.name for run in summarize_runs(place.reports, place.names(), index)] == place.names()


def test_a_damaged_index_is_made_anew(place: Project) -> None:
    index, names = Index(place.reports), place.names()
    before = summarize_runs(place.reports, names, index)
    content = bytearray((place.reports / FILE).read_bytes())
    content[4096:] = b"x" * (len(content) - 4096)  # the first page, which tells the form, is sound
    (place.reports / FILE).write_bytes(content)
    for _ in range(2):
        assert summarize_runs(place.reports, names, Index(place.reports)) == before


def test_many_look_while_a_run_is_written(client: httpx.Client, place: Project) -> None:
    folder = place.reports / "first"
    sound = (folder / "run.json").read_bytes()

    def look(number: int) -> int:
        if number % 4 == 0:  # as a program may that does not write in one go
            (folder / "run.json").write_bytes(sound[: number * 7])
        return client.get("/", params={"sort": "name"}).status_code

    with ThreadPoolExecutor(16) as pool:
        assert set(pool.map(look, range(40))) == {200}
    (folder / "run.json").write_bytes(sound)
    assert get(client, sort="name", state="finished") == RUNS


@pytest.mark.parametrize(
    ("file", "content", "says"),
    [
        ("run.json", b"{", "run.json cannot be read"),
        ("run.json", b'{"state": 3, "settings": {}}', "run.json cannot be read"),
        ("run.json", b'{"state": "finished", "settings": {"chatters": 3, "max_runs": "x"}}', "run.json cannot be read"),
        ("run.json", b'"\xff"', "run.json cannot be read"),
        ("report.json", b'{"name": "first"', "report.json is not a report"),
        ("report.json", None, "report.json cannot be read"),
        ("tags.json", b"{}", "tags.json is not a list of texts"),
    ],
)
def test_a_damaged_run_says_what_is_wrong(
    client: httpx.Client, place: Project, file: str, content: Any, says: str
) -> None:
    path = place.reports / "first" / file
    path.unlink(missing_ok=True)
    if content is not None:
        path.write_bytes(content)
    answer = client.get("/", params={"q": "first"})
    assert shown(answer) == ["first"]
    assert says in unescape(answer.text)


def test_folders_without_run_json_are_named(client: httpx.Client, place: Project) -> None:
    (place.reports / "first" / "run.json").unlink()
    (place.reports / "notes").mkdir()
    text = client.get("/").text
    assert "no run.json" in text
    assert '<b dir="auto">first</b>' in text
    assert "notes" not in text


def test_without_runs_the_page_says_how_to_make_one(tmp_path: Path) -> None:
    for reports in (tmp_path / "nowhere", tmp_path):
        with served(Project(tmp_path, reports)) as address, visitor(address) as client:
            text = client.get("/").text
            assert "python main.py" in text
            assert 'href="/start"' in text
            assert "No run has been judged yet" in client.get("/trend").text
            assert "The trash is empty" in client.get("/trash").text


def test_one_run_is_told_how_to_get_another_to_compare(client: httpx.Client, place: Project) -> None:
    told = "There is only one so far"
    assert told not in client.get("/").text
    for name in RUNS[1:]:
        shutil.rmtree(place.run(name))
    assert f'{told}: <a href="/start">' in client.get("/").text


def test_tags_are_added_found_and_removed(client: httpx.Client, place: Project) -> None:
    answer = client.post("/runs/first/tags", data={"add": "  for  the paper ", "at-q": "first", "at-sort": "name"})
    assert answer.status_code == 303
    assert answer.headers["location"].startswith("/?q=first&sort=name")
    assert read_tags(place.reports / "first") == ["for the paper"]
    assert get(client, tag="for the paper") == get(client, q="paper") == ["first"]
    removed = client.post("/runs/first/tags", data={"remove": "for the paper", "add": "left in the field"})
    assert removed.status_code == 303
    assert read_tags(place.reports / "first") == []
    answer = client.post("/runs/first/tags", data={"add": "x", "back": "/runs/first"})
    assert answer.headers["location"] == "/runs/first"
    away = client.post("/runs/first/tags", data={"add": "y", "back": "//evil.example/runs/"})
    assert away.headers["location"].startswith("/?")
    plain = client.post("/runs/first/tags", data={"remove": "y"}, headers={"Accept": "application/json"})
    assert plain.json() == {"tags": ["x"]}


@pytest.mark.parametrize("tag", ["", "   ", "x" * 41, "a\x00b"])
def test_what_is_no_tag_is_refused(client: httpx.Client, place: Project, tag: str) -> None:
    assert client.post("/runs/first/tags", data={"add": tag}).status_code == 400
    assert read_tags(place.reports / "first") == []


def test_a_run_has_so_many_tags_at_most(place: Project) -> None:
    change_tags(place.reports / "first", map(str, range(MOST)))
    with pytest.raises(InputError, match="Remove another tag first"):
        change_tags(place.reports / "first", ["one more"])


def test_a_run_goes_to_the_trash_and_comes_back(client: httpx.Client, place: Project) -> None:
    def files() -> dict[str, bytes]:
        paths = [path for path in (place.reports / "first").iterdir() if path.is_file()]
        return {path.name: path.read_bytes() for path in paths if path.suffix != ".lock"}

    before = files()
    moved = client.post("/runs/first/trash", data={"at-bot": "keeper"})
    assert moved.headers["location"] == "/?bot=keeper&moved=first"
    page = client.get(moved.headers["location"])
    assert "first" not in shown(page)
    assert "trash</a>, from where" in page.text
    assert client.post("/runs/first/trash").status_code == 404
    shutil.copytree(place.reports / "second", place.reports / "first")
    client.post("/runs/first/trash")
    assert client.get("/trash").text.count('aria-label="Restore first"') == 2
    assert client.post("/trash/1/restore").headers["location"].startswith("/?q=first")
    assert files() == before
    refused = client.post("/trash/2/restore")
    assert refused.status_code == 400
    assert "another run has this name" in refused.text
    assert client.post("/trash/77/restore").status_code == 400


def test_the_trash_is_emptied_only_when_one_is_sure(client: httpx.Client, place: Project) -> None:
    client.post("/runs/first/trash")
    assert client.post("/trash/empty").headers["location"] == "/trash?empty=yes"
    assert "Delete 1 run for good?" in client.get("/trash?empty=yes").text
    assert (place.reports / ".trash" / "1" / "first").exists()
    client.post("/trash/empty", data={"sure": "yes"})
    assert not [path for path in (place.reports / ".trash").iterdir() if path.is_dir()]
    assert "The trash is empty" in client.get("/trash").text


def test_a_run_in_use_is_not_thrown_away(client: httpx.Client, place: Project) -> None:
    known = (place.reports / "first" / "run.json").read_bytes()
    with RunFolder(place.reports / "first", known):
        answer = client.post("/runs/first/trash")
        assert answer.status_code == 400
        assert "in use" in answer.text
    assert "first" in place.names()


@pytest.mark.parametrize("name", ["..", "%2e%2e", "..%2f..%2fetc", ".trash", "a%00b", "nobody", "first%2f.."])
@pytest.mark.parametrize("action", ["tags", "trash"])
def test_no_name_leads_out_of_the_folder(client: httpx.Client, project: Path, name: str, action: str) -> None:
    before = sorted(str(path) for path in project.rglob("*"))
    assert client.post(f"/runs/{name}/{action}", data={"add": "x"}).status_code in (403, 404, 405)
    assert sorted(str(path) for path in project.rglob("*") if FILE not in path.name) == before


def test_many_runs_are_read_in_the_background(
    client: httpx.Client, place: Project, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("chattest.web.pages.runs.MOMENT", -1.0)
    monkeypatch.setattr("chattest.web.index.runs.BATCH", 0.0)
    page = client.get("/").text
    assert f"1 of {len(place.names())} runs have been read" in page
    assert all(f"/runs/{name}" in page for name in place.names())
    until = time.monotonic() + 60
    while not client.get("/reading").json()["done"]:
        assert time.monotonic() < until
    page = client.get("/").text
    assert "runs have been read" not in page
    assert page.count('class="rate-line"') >= len(place.names())
    monkeypatch.setattr("chattest.web.pages.runs.MOMENT", 60.0)
    assert client.get("/").text == page


def test_the_trend_marks_what_changed(client: httpx.Client, place: Project) -> None:
    edit(
        place.reports / "third", reply_timeout=5.0, threshold_toxicity=0.3, chatter_options={"keeper": {"key": "hush"}}
    )
    text = unescape(client.get("/trend", params={"case": "ML-I2", "bot": "keeper"}).text)
    assert re.findall(r'<th scope="row"><a href="/runs/(\w+)"', text) == ["questions", "third", "first"]
    assert text.count('class="dot"') == 3
    assert "option key of keeper" in text
    assert "hush" not in text + client.get("/").text
    assert "<b>judges</b>" in text
    assert "threshold_toxicity" in text
    assert "BJQ" in text
    assert re.search(r"ML-I2</span> \(experimental\) of", text)
    assert "ML-P1</span> of" in client.get("/trend", params={"case": "ML-P1", "bot": "keeper"}).text
    assert "No run of" in client.get("/trend", params={"case": "ML-I2", "bot": "nobody"}).text
    assert 'class="dot"' in client.get("/trend").text  # it chooses by itself
    alone = client.get("/trend", params={"case": "ML-I2", "bot": "forgetful"}).text
    assert "A trend needs two." in alone
    assert 'class="dot"' not in alone


def test_a_change_of_version_or_driver_is_told() -> None:
    before = Summary("a", "eliza", "alice", judges={"chattest": "0.1", "reader": "embedded"})
    after = Summary("b", "asker", "alice", judges={"chattest": "0.2", "reader": "embedded"})
    told = {"judges": ["chattest 0.1 → 0.2"], "questions": ["driver eliza → asker"]}
    assert find_changes(before, after) == told
    assert find_changes(after, after) == {}


def test_settings_differ_from_what_most_runs_have() -> None:
    runs = [Summary(str(number), settings={"seed": 7} if number else {}, state="finished") for number in range(3)]
    assert find_differences(runs) == {"0": [("seed", "1")], "1": [], "2": []}


@in_browser
def test_runs_are_found_tagged_and_ticked_in_a_browser(open_page: Callable[..., Page]) -> None:
    page = open_page("/")
    page.locator("select[name=bot]").select_option("keeper")
    page.wait_for_url("**/?*bot=keeper*")
    expect(page.locator("tbody tr")).to_have_count(3)
    button = page.get_by_role("button", name="Compare")
    expect(button).to_be_disabled()
    page.get_by_label("Compare first").check()
    page.get_by_label("Compare third").check()
    expect(button).to_be_enabled()
    page.get_by_text("third: Tags, trash").click()
    page.get_by_label("New tag").locator("visible=true").fill("<b>best</b>")
    page.keyboard.press("Enter")
    expect(page.get_by_role("link", name="Runs with the tag <b>best</b>")).to_be_visible()
    expect(page).to_have_url(re.compile(r"bot=keeper"))
    assert_accessible(page)
    assert_fits(page)
    page.get_by_label("Compare first").check()
    page.get_by_label("Compare third").check()
    button.click()
    expect(page).to_have_url(re.compile(r"/compare\?run=\w+&run=\w+$"))


@in_browser
def test_the_trend_and_the_table_fit_a_phone(open_page: Callable[..., Page]) -> None:
    page = open_page("/", width=390, dark=True)
    assert_accessible(page)
    assert_fits(page)
    page.get_by_role("link", name="Trend of a case over runs").click()
    page.wait_for_url("**/trend*")
    page.get_by_label("Case").select_option("ML-U3")
    expect(page).to_have_url(re.compile("case=ML-U3"))
    expect(page.locator(".dot").first).to_be_visible()
    assert_accessible(page)
    assert_fits(page)
