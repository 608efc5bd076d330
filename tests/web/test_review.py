"""A person labels a run in the browser: blind, by keyboard, beside others, without losing a label."""

import re
import shutil
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import httpx
import pytest
from playwright.sync_api import Page, expect

from chattest.records.label import Label, Opinion, keep_latest
from chattest.review.rows import load
from chattest.review.session import Session
from chattest.storage.labels import FILE, read_labels
from chattest.storage.run_folder import RunFolder
from chattest.web.project import Project
from tests.support.browser import in_browser
from tests.support.web_app import assert_accessible, assert_fits

REVIEW = "/runs/first/review"
ANNA: dict[str, Any] = {"by": "anna", "budget": 8}


def labels_in(folder: Path) -> list[Label]:
    """The last label of each person and row."""
    return keep_latest(read_labels(folder / FILE).labels)


def key_in(text: str) -> str:
    """The key of the row that a page shows; empty at the end of the queue."""
    found = re.search(r'name="key" value="(\w*)"', text)
    assert found, text
    return found[1]


def act(client: httpx.Client, key: str, action: str, note: str = "", **who: Any) -> httpx.Response:
    """What a button of the form does."""
    fields = {**ANNA, **who, "key": key, "action": action, "note": note}
    return client.post(REVIEW, data=fields, follow_redirects=True)


def test_the_name_is_asked_first(client: httpx.Client, place: Project) -> None:
    text = client.get(REVIEW).text
    assert "Your name" in text
    assert all(code in text for code in load(place.run("first")).cases)
    answer = client.post(REVIEW, data={**ANNA, "action": "start"})
    assert answer.headers["location"] == "/runs/first/review?by=anna&budget=8"


def test_labels_are_those_that_the_command_would_give(client: httpx.Client, place: Project, tmp_path: Path) -> None:
    folder = place.run("first")
    other = Path(shutil.copytree(folder, tmp_path / "other"))
    with Session(load(other), "anna", 8) as session:
        session.label(Opinion.FAIL)
        session.skip()
        session.note("odd")
        session.label(Opinion.CANNOT_TELL)
        session.back()
        session.label(Opinion.PASS)
    first = key_in(client.get(REVIEW, params=ANNA).text)
    second = key_in(act(client, first, "f").text)
    third = key_in(act(client, second, "s").text)
    fourth = key_in(act(client, third, "c", "odd").text)
    assert key_in(act(client, fourth, "b").text) == third
    act(client, third, "p", "odd")
    assert "2 labelled, 1 skipped" in act(client, fourth, "q").text

    def told(labels: list[Label]) -> set[object]:
        return {(one.key, one.verdict, one.by, one.note, one.probability, one.judge) for one in labels}

    assert told(labels_in(folder)) == told(labels_in(other))
    assert {one.note for one in labels_in(folder)} == {"", "odd"}


def test_it_says_when_labels_are_too_few_to_narrow_an_interval(client: httpx.Client) -> None:
    welcome = client.get(REVIEW).text
    assert "60 rows spread over" in welcome
    assert 'href="/runs/first/review?only=ML-I3"' in welcome
    assert 'value="ML-I3"' in client.get(REVIEW, params={"only": "ML-I3"}).text
    assert "too few labels for any rate. They are spread over" in client.get(REVIEW, params=ANNA).text
    one: dict[str, Any] = {"budget": 24, "only": "ML-I3"}
    text = client.get(REVIEW, params=ANNA | one).text
    assert "too few" not in text
    assert "0 of 10 labels" in text
    key = key_in(text)
    while key:
        key = key_in(act(client, key, "p", **one).text)
    text = client.get(REVIEW, params=ANNA | one).text
    assert "by labels" in text
    assert "of 10 labels" not in text


def test_a_look_writes_nothing(client: httpx.Client, place: Project) -> None:
    folder = place.run("first")
    act(client, key_in(client.get(REVIEW, params=ANNA).text), "p")
    before = (folder / FILE).read_bytes()
    assert client.get(REVIEW, params=ANNA | {"budget": 100}).status_code == 200
    assert client.get(REVIEW, params={"by": "ben", "budget": 1}).status_code == 200
    assert (folder / FILE).read_bytes() == before


def test_the_judge_is_hidden_unless_it_is_asked_for(client: httpx.Client, place: Project) -> None:
    blind = client.get(REVIEW, params=ANNA).text
    shown = client.get(REVIEW, params=ANNA | {"verdicts": "1"}).text
    key = key_in(blind)
    row = next(unit.row for unit in load(place.run("first")).units if unit.key == key)
    assert row.score.reason or row.reason
    assert "<dt>Judge</dt>" not in blind
    assert 'data-label="Rate"' not in blind
    assert "<dt>Judge</dt>" in shown
    assert 'data-label="Rate"' in shown


def test_finishing_writes_the_report(client: httpx.Client, place: Project) -> None:
    folder = place.run("first")
    before = (folder / "report.html").read_bytes()
    key = key_in(client.get(REVIEW, params=ANNA).text)
    act(client, key, "f", "not in English")
    text = act(client, "", "q").text
    assert "anna and the judge agree on" in text
    after = (folder / "report.html").read_bytes()
    assert after != before
    assert b"not in English" in after
    assert "1 labelled" in text
    again = client.get(REVIEW, params=ANNA).text
    assert "1 of 8 labelled" in again
    assert key_in(again) != key


def test_finishing_waits_for_whoever_has_the_run(client: httpx.Client, place: Project) -> None:
    folder = place.run("first")
    act(client, key_in(client.get(REVIEW, params=ANNA).text), "p")
    with RunFolder(folder, (folder / "run.json").read_bytes()):
        answer = act(client, "", "q")
    assert answer.status_code == 400
    assert "Every label is saved" in answer.text
    assert "1 labelled" in act(client, "", "q").text


def test_a_verdict_is_about_the_row_that_was_seen(client: httpx.Client, place: Project) -> None:
    seen = key_in(client.get(REVIEW, params=ANNA).text)  # in two tabs
    moved = key_in(act(client, seen, "p").text)
    act(client, seen, "f", "after all")
    assert [(one.key, one.verdict, one.note) for one in labels_in(place.run("first"))] == [
        (seen, Opinion.FAIL, "after all")
    ]
    assert key_in(client.get(REVIEW, params=ANNA).text) == moved
    answer = act(client, "0123456789abcdef", "p")
    assert answer.status_code == 400
    assert "nothing was saved" in answer.text
    assert len(labels_in(place.run("first"))) == 1
    answer = act(client, moved, "p", "x" * 2001)
    assert answer.status_code == 400
    assert len(labels_in(place.run("first"))) == 1


def test_a_note_stays_when_a_row_is_labelled_anew_elsewhere(client: httpx.Client, place: Project) -> None:
    key = key_in(client.get(REVIEW, params=ANNA).text)
    act(client, key, "p", "mine")
    wide = {**ANNA, "budget": 9}  # another session of the same person
    assert "mine" in client.get(REVIEW, params=wide | {"row": key}).text
    act(client, key, "f", "mine", budget=9)
    assert [(one.verdict, one.note) for one in labels_in(place.run("first"))] == [(Opinion.FAIL, "mine")]


def test_nothing_is_lost_when_all_label_at_once(client: httpx.Client, place: Project) -> None:
    """Four people in the app, and one in a terminal, go through the whole queue at the same time."""
    folder = place.run("first")
    people = ["anna", "ben", "cleo", "dan"]

    def label(name: str) -> None:
        who: dict[str, Any] = {"by": name, "budget": 6}
        key = key_in(client.get(REVIEW, params=who).text)
        while key:
            key = key_in(act(client, key, "p", **who).text)

    def type_keys() -> None:
        with Session(load(folder), "eve", 6) as session:
            while session.current:
                session.label(Opinion.FAIL)

    with ThreadPoolExecutor() as pool:
        waiting = [pool.submit(label, name) for name in people] + [pool.submit(type_keys)]
        for one in waiting:
            one.result()
    found = labels_in(folder)
    assert {name: sum(one.by == name for one in found) for name in [*people, "eve"]} == dict.fromkeys(
        [*people, "eve"], 6
    )
    assert not read_labels(folder / FILE).cut_off
    text = act(client, "", "q", by="anna", budget=6).text
    assert "anna and ben agree on 6 of 6 rows" in text
    assert "anna and eve agree on 0 of 6 rows" in text


@pytest.mark.parametrize(
    ("query", "status", "said"),
    [
        ({"by": "anna", "budget": "-1"}, 400, "is not a whole number from 1"),
        ({"by": "anna", "budget": "ten"}, 400, "is not a whole number from 1"),
        ({"by": "a" * 61}, 400, "is no name of 1 to 60 characters"),
        ({"by": "anna", "only": "ML-X9"}, 400, "no verdict of ML-X9 can be reviewed"),
        ({"by": "anna", "row": "nothing"}, 200, "Row 1 of"),
    ],
)
def test_what_cannot_be_is_said(client: httpx.Client, query: dict[str, str], status: int, said: str) -> None:
    answer = client.get(REVIEW, params=query)
    assert answer.status_code == status
    assert said in answer.text


def test_a_run_that_goes_away_or_breaks_is_told(client: httpx.Client, place: Project) -> None:
    folder = place.run("first")
    key = key_in(client.get(REVIEW, params=ANNA).text)
    act(client, key, "p")
    (folder / FILE).write_text('{"key": 1}\n')
    assert "is not a label" in client.get(REVIEW, params=ANNA).text
    (folder / FILE).unlink()
    (folder / "results.jsonl").write_text("{")
    assert client.get(REVIEW, params=ANNA).status_code == 400
    shutil.rmtree(folder)
    assert act(client, key, "p").status_code == 404
    assert not folder.exists()


@in_browser
def test_a_whole_session_by_keyboard(open_page: Callable[..., Page], place: Project, tmp_path: Path) -> None:
    folder = place.run("first")
    page = open_page(REVIEW)
    assert_accessible(page)
    page.get_by_label("Your name").focus()
    page.keyboard.type("anna")
    page.get_by_label("Rows to label").fill("6")
    page.keyboard.press("Enter")
    standing, title = page.locator(".standing"), page.locator("#row-title")
    expect(standing).to_contain_text("Row 1 of 6 · 0 of 6 labelled")
    page.wait_for_load_state()  # until the page's script listens

    def press(key: str, then: str) -> None:
        page.keyboard.press(key)
        expect(standing).to_contain_text(then)

    press("p", "Row 2 of 6 · 1 of 6 labelled")
    expect(page.locator("tr.current")).to_have_count(1)
    press("f", "Row 3 of 6 · 2 of 6 labelled")
    press("b", "Row 2 of 6 · 2 of 6 labelled")
    expect(page.locator(".asked")).to_contain_text("fail")
    page.keyboard.press("n")
    page.keyboard.type("perfectly clear")  # p and f are letters here
    page.keyboard.press("Enter")
    expect(page.locator(".asked")).to_contain_text("fail (perfectly clear)")
    press("c", "Row 3 of 6 · 2 of 6 labelled")
    press("s", "Row 4 of 6 · 2 of 6 labelled · 1 skipped")
    seen = title.text_content()
    page.reload()
    assert title.text_content() == seen
    assert_accessible(page)
    press("P", "Row 5 of 6 · 3 of 6 labelled")
    press("f", "Row 6 of 6 · 4 of 6 labelled")
    press("p", "5 of 6 labelled")
    expect(title).to_have_text("That was the last row")
    page.keyboard.press("q")
    expect(page.locator(".headline")).to_have_text("5 labelled, 1 skipped, 1 left.")
    assert_accessible(page)
    said = {one.verdict: one.note for one in labels_in(folder)}
    assert len(labels_in(folder)) == 5
    assert said[Opinion.CANNOT_TELL] == "perfectly clear"
    assert b"perfectly clear" in (folder / "report.html").read_bytes()


@in_browser
def test_hostile_replies_are_labelled_on_a_phone(open_page: Callable[..., Page], place: Project) -> None:
    page = open_page("/runs/hostile/review?by=ben&budget=4&verdicts=1", width=390, dark=True)
    for number in range(1, 5):
        expect(page.locator(".standing")).to_contain_text(f"Row {number} of 4")
        assert_fits(page)
        page.get_by_role("button", name="cannot tell").click()
    expect(page.locator("#row-title")).to_have_text("That was the last row")
    assert_fits(page)
    assert_accessible(page)
    assert len(labels_in(place.run("hostile"))) == 4
