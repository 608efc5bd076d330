"""The app is served, refuses strangers, answers and prints its own bugs, and opens in a browser."""

import logging
from collections.abc import Callable

import httpx
import pytest
from playwright.sync_api import Page

from chattest.web.log import LOGS
from chattest.web.project import Project
from tests.support.browser import in_browser
from tests.support.web_app import assert_accessible, assert_fits


def test_the_first_page_names_every_run(client: httpx.Client, place: Project) -> None:
    answer = client.get("/")
    assert answer.status_code == 200
    assert place.names()
    assert all(f"/runs/{name}" in answer.text for name in place.names())
    assert "default-src 'none'" in answer.headers["content-security-policy"]


def test_what_is_not_there_is_said(client: httpx.Client) -> None:
    answer = client.get("/nowhere")
    assert answer.status_code == 404
    assert "Not Found" in answer.text


@pytest.mark.parametrize("host", ["evil.example", "evil.example:80", "127.0.0.1.evil.example", ""])
def test_another_host_name_is_refused(client: httpx.Client, host: str) -> None:
    assert client.get("/", headers={"Host": host}).status_code in (400, 421)


@pytest.mark.parametrize("origin", ["http://evil.example", "null", "http://localhost:1", ""])
def test_another_page_changes_nothing(client: httpx.Client, origin: str) -> None:
    assert client.post("/", headers={"Origin": origin}).status_code == 403


def test_a_large_request_is_refused(client: httpx.Client) -> None:
    assert client.post("/", content=b"x" * 2_000_001).status_code == 413


def test_a_large_request_that_does_not_state_its_size_is_refused(client: httpx.Client) -> None:
    answer = client.post("/chat", content=(b"x" * 1000 for _ in range(2001)))
    assert (answer.status_code, answer.text) == (413, "The request is larger than 2,000,000 bytes.")


def test_a_bug_is_answered_each_time_and_printed_once(
    client: httpx.Client, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    """Otherwise a visitor could fill the disk that takes what `view` prints."""

    def fail(*arguments: object) -> None:
        raise RuntimeError("the key is abcdefghijklmnopqrstuvwxyz0123456789")

    for name in LOGS:
        for each in logging.getLogger(name).filters:
            monkeypatch.setattr(each, "interval", 3600.0)
            monkeypatch.setattr(each, "_last", {})
    monkeypatch.setenv("SOME_API_KEY", "abcdefghijklmnopqrstuvwxyz0123456789")
    monkeypatch.setattr("chattest.web.pages.runs.summarize_runs", fail)
    answers = [client.get("/") for _ in range(20)]
    assert {answer.status_code for answer in answers} == {500}
    assert "a bug in chattest: RuntimeError" in answers[0].text
    (message,) = [record.getMessage() for record in caplog.records]
    assert "in fail" in message
    assert "abcdefghijklm" not in message + answers[0].text


@in_browser
def test_it_opens_in_a_browser(open_page: Callable[..., Page]) -> None:
    page = open_page("/", width=390, dark=True)
    page.get_by_role("button", name="Light").click()
    assert page.evaluate("document.documentElement.dataset.theme") == "light"
    assert_accessible(page)
    assert_fits(page)
