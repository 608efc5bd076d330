"""Test sets in the app: found, shown with how they fared, written, checked and saved."""

import shutil
from collections.abc import Callable
from pathlib import Path

import httpx
import pytest
from playwright.sync_api import Page, expect

from chattest.datasets.testsets import read_testsets
from tests.support.browser import in_browser
from tests.support.web_app import assert_accessible, assert_fits

CAFE = {
    "kind": "qa",
    "name": "cafe-name",
    "about": "cafe",
    "information": "My café is called Lunaria.\nI run a café named Lunaria.\nThe name of my café is Lunaria.",
    "questions": "What is my café called?\nWhat is the name of my café?\nWhich name does my café have?",
    "answer": "Lunaria",
    "extract_with": "What is the name of the café?",
}


def test_test_sets_are_found_by_family_and_text(client: httpx.Client) -> None:
    everything = client.get("/testsets").text
    assert "page 1 of" in everything
    assert "/testsets/qa/birthday-month" in everything
    later = client.get("/testsets?page=3").text
    assert "/testsets/qa/birthday-month" not in later
    assert 'href="/testsets/' in later
    found = client.get("/testsets?family=qa&text=IN+WHICH+MONTH").text
    assert "/testsets/qa/birthday-month" in found
    assert "/testsets/qa/cat-name" not in found
    assert "No test set holds that" in client.get("/testsets?text=zzzzzz").text
    assert client.get("/testsets?family=nothing").status_code == 404
    assert client.get("/testsets?page=-7").status_code == client.get("/testsets?page=99999999999999").status_code == 200


def test_a_test_set_tells_which_wordings_failed(client: httpx.Client) -> None:
    page = client.get("/testsets/qa/favourite-sport").text
    assert "Which sport do I love most?" in page
    assert "There is no sport I like more than football." in page
    assert "ML-U3" in page
    assert "/runs/first/results?testset=favourite-sport" in page
    assert "/runs/second/conversations/3#round-2" in page
    only = client.get("/testsets/qa/favourite-sport?bot=keeper").text
    assert "/runs/first/conversations/3#round-2" in only
    assert "/runs/second/conversations/3#round-2" not in only
    assert "No run in" in client.get("/testsets/qa/afraid-of-heights").text


def test_what_is_not_there_or_broken_is_said(client: httpx.Client, project: Path) -> None:
    assert client.get("/testsets/qa/nothing").status_code == 404
    assert client.get("/testsets/nothing/cat-name").status_code == 404
    (project / "testsets" / "qa" / "cat-name.toml").write_text("about = 1\n", "utf-8")
    broken = client.get("/testsets/qa/cat-name")
    assert broken.status_code == 400
    assert "cat-name.toml" in broken.text
    assert "questions: is missing" in broken.text
    assert "Files that cannot be used" in client.get("/testsets").text
    assert client.get("/testsets/qa/birthday-month").status_code == 200


def test_damaged_results_are_said(client: httpx.Client, project: Path) -> None:
    with (project / "reports" / "first" / "results.jsonl").open("a", encoding="utf-8") as file:
        file.write('{"testset": "favourite-sport"}\n')
    page = client.get("/testsets/qa/favourite-sport")
    assert page.status_code == 200
    assert "its results cannot be read" in page.text
    assert "judge" in page.text


def test_a_draft_is_checked_with_the_readers_messages(client: httpx.Client, project: Path) -> None:
    answer = client.post("/testsets/check", json=CAFE).json()
    assert answer["problems"] == {}
    assert answer["text"].startswith('about = "cafe"\n')
    leaking = {**CAFE, "questions": CAFE["questions"] + "\nIs it Lunaria?", "name": "Cafe"}
    assert list(client.post("/testsets/check", json=leaking).json()["problems"]) == ["name"]
    found = client.post("/testsets/check", json={**leaking, "name": "cafe"}).json()["problems"]
    assert found["questions"][0]["what"] == 'the answer "Lunaria" is in the question "Is it Lunaria?"'
    assert not (project / "testsets" / "qa" / "cafe-name.toml").exists()


@pytest.mark.parametrize(
    "content",
    [
        b"",
        b"[]",
        b"nothing",
        b'{"kind": 1}',
        b'{"kind": "qa", "name": null}',
        b'{"kind":"qa","name":"a","about":"\\ud800"}',
    ],
)
def test_what_is_no_draft_is_refused(client: httpx.Client, content: bytes) -> None:
    answer = client.post("/testsets/check", content=content, headers={"Accept": "application/json"})
    assert answer.status_code in (200, 400)
    assert answer.json()["problems"]


def test_a_draft_is_saved_without_scripts(client: httpx.Client, project: Path) -> None:
    refused = client.post("/testsets/new", data={**CAFE, "answer": "yes"})
    assert refused.status_code == 400
    assert "a yes or no needs no extract_with" in refused.text
    assert "My café is called Lunaria." in refused.text
    saved = client.post("/testsets/new", data=CAFE)
    assert (saved.status_code, saved.headers["location"]) == (303, "/testsets/qa/cafe-name?saved=yes")
    assert "Saved as" in client.get(saved.headers["location"]).text
    assert "cafe-name" in [testset.name for testset in read_testsets(project / "testsets")["qa"]]
    again = client.post("/testsets/new", data=CAFE)
    assert again.status_code == 400
    assert "has the same name as" in again.text


def test_one_is_copied_and_changed(client: httpx.Client) -> None:
    page = client.get("/testsets/new?from=update/baby-named").text
    assert 'value="baby-named-2"' in page
    assert "stale = Matilda" in page
    assert client.get("/testsets/new?from=update/nothing").status_code == 404
    assert client.get("/testsets/new?from=../config").status_code == 404
    assert client.get("/testsets/new?kind=nothing").status_code == 400


def test_a_project_without_test_sets_is_told_what_saving_does(client: httpx.Client, project: Path) -> None:
    shutil.rmtree(project / "testsets")
    assert "takes these families from chattest" in client.get("/testsets").text
    assert "Copy the 42 test sets of chattest" in client.get("/testsets/new").text
    assert client.post("/testsets/new", data={**CAFE, "with_shipped": "yes"}).status_code == 303
    assert len(read_testsets(project / "testsets")["qa"]) == 43


def test_a_link_in_the_place_of_the_folder_is_told(client: httpx.Client, project: Path, tmp_path: Path) -> None:
    (project / "testsets").rename(tmp_path / "elsewhere")
    (project / "testsets").symlink_to(tmp_path / "elsewhere")
    assert "is a link to" in client.get("/testsets/new").text
    refused = client.post("/testsets/new", data=CAFE)
    assert refused.status_code == 400
    assert "Put a folder in place of the link" in refused.text
    assert not (tmp_path / "elsewhere" / "qa" / "cafe-name.toml").exists()


def test_a_file_in_the_place_of_the_folder_is_told(client: httpx.Client, project: Path) -> None:
    shutil.rmtree(project / "testsets")
    (project / "testsets").write_text("a file", "utf-8")
    assert client.get("/testsets").status_code == 200
    refused = client.post("/testsets/new", data=CAFE)
    assert refused.status_code == 400
    assert "cannot be" in refused.text


@in_browser
def test_one_is_written_in_a_browser(open_page: Callable[..., Page], project: Path) -> None:
    page = open_page("/testsets/new", width=390, dark=True)
    page.get_by_label("Name", exact=True).fill("cafe-name")
    page.get_by_label("About", exact=True).fill("cafe")
    page.get_by_label("The fact, in several wordings").fill(CAFE["information"])
    page.get_by_label("The right answer").fill("Lunaria")
    page.get_by_label("The question for the reader").fill(CAFE["extract_with"])
    questions = page.get_by_label("The question, in several wordings")
    questions.fill(CAFE["questions"] + "\nIs it <b>Lunaria</b>?")
    page.keyboard.press("Tab")
    expect(page.locator("#wrong-questions")).to_contain_text('is in the question "Is it <b>Lunaria</b>?"')
    expect(questions).to_have_attribute("aria-invalid", "true")
    assert_accessible(page)
    assert_fits(page)
    questions.fill(CAFE["questions"])
    expect(page.locator("#summary")).to_have_text("Nothing is wrong. You can save it.")
    expect(page.locator("#preview")).to_contain_text('answer = "Lunaria"')
    page.get_by_role("button", name="Save").click()
    expect(page.get_by_text("Saved as")).to_be_visible()
    assert "cafe-name" in [testset.name for testset in read_testsets(project / "testsets")["qa"]]
    page.get_by_role("link", name="Copy and change").click()
    expect(page.get_by_label("Name", exact=True)).to_have_value("cafe-name-2")
