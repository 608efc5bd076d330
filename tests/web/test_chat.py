"""Chats in the app: both seats, probes of the plan, verdicts beside the replies, and what is saved."""

import json
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import httpx
import pytest
from playwright.sync_api import Page, Route, expect

from chattest.storage.conversations import load_all
from chattest.web import chat_run, chat_session, chat_sessions
from chattest.web.project import Project
from tests.support.browser import in_browser
from tests.support.light import Light
from tests.support.web_app import assert_accessible, assert_fits

SETTINGS = {
    "conversation_length": 14,
    "reports": ["jsonl"],
    "score_cache": False,
    "p": {"ML-I1": 0.5},
}
FAILING = '''
from chattest import Chatter


class Failing(Chatter):
    """Fails at the second reply."""

    def get_response(self, conv_array):
        if len(conv_array) > 1:
            raise ValueError("<b>out of words</b>")
        return "Only this."
'''
WAITING = '''
import time
from pathlib import Path

from chattest import Chatter


class Waiting(Chatter):
    """Replies when it may."""

    def get_response(self, conv_array):
        while not Path({gate!r}).exists():
            time.sleep(0.01)
        return "At last."
'''


@pytest.fixture(autouse=True)
def light(monkeypatch: pytest.MonkeyPatch, project: Path) -> None:
    """Judges that load nothing, and a plan that is full of probes."""
    monkeypatch.setattr(chat_run, "Judges", lambda models: Light(models=models))
    (project / "config.py").write_text("".join(f"{name} = {value!r}\n" for name, value in SETTINGS.items()))
    (project / "chatters" / "failing.py").write_text(FAILING)
    (project / "chatters" / "waiting.py").write_text(WAITING.format(gate=str(project / "gate")))


def begin(client: httpx.Client, bot: str, seat: str = "user", **more: str) -> str:
    """The address of a new chat in which it is the person's turn."""
    answer = client.post("/chat", data={"bot": bot, "seat": seat, "options": "", "seed": "", **more})
    assert answer.status_code == 303, answer.text
    follow(client, answer.headers["location"])
    return str(answer.headers["location"])


def follow(client: httpx.Client, address: str) -> list[dict[str, Any]]:
    """All changes of a chat until it is the person's turn and everything is judged."""
    lines = client.get(f"{address}/events").text.splitlines()
    return [json.loads(line) for line in lines]


def say(client: httpx.Client, address: str, text: str = "", step: str = "") -> httpx.Response:
    """What the app answers to a sent text; the reply is there and judged afterwards."""
    answer = client.post(f"{address}/say", json={"text": text, "step": step}, headers={"Accept": "application/json"})
    follow(client, address)
    return answer


def steps(page: str) -> dict[str, str]:
    """Step -> its text, of those that may be said now."""
    return {
        name: text
        for name, text, rest in re.findall(
            r'data-step="([\d.]+)" data-text="([^"]*)" aria-pressed="false"([^>]*)>', page
        )
        if "disabled" not in rest
    }


def test_a_chat_is_judged_and_saved_as_a_run(client: httpx.Client, place: Project) -> None:
    address = begin(client, "keeper")
    assert not steps(client.get(address).text)  # a plan's texts begin in the second round
    assert say(client, address, "Hello!").status_code == 200
    fact, text = next(iter(steps(client.get(address).text).items()))
    assert fact.endswith(".0")
    question = fact.replace(".0", ".1")
    assert say(client, address, step=question).status_code == 400  # not before its fact
    assert say(client, address, step=fact).status_code == 200
    assert say(client, address, step=question).status_code == 200
    page = client.get(address).text
    assert "ML-I1 states" in page
    assert re.search(r"<summary>ML-I1 [a-z ]+<b>", page)  # the question's verdict
    saved = client.post(f"{address}/save", headers={"Accept": "application/json"}).json()
    assert saved == {"name": "chat-1", "address": "/runs/chat-1"}
    (conversation,) = load_all(place.reports / "chat-1")
    assert conversation.chatters == ("user", "keeper")
    assert [step.round for _, step in conversation.plan.steps()] == [1, 2]
    assert conversation.turns[2].text == text
    rows = [json.loads(row) for row in (place.reports / "chat-1" / "results.jsonl").read_text().splitlines()]
    shown = re.findall(r"<summary>(ML-\w+) [\w ()]+<b>([\w ]+)</b>", page)
    assert sorted(shown) == sorted((row["check"], row["verdict"].lower().replace("_", " ")) for row in rows)
    assert json.loads((place.reports / "chat-1" / "run.json").read_text())["state"] == "finished"
    assert client.post(f"{address}/save").headers["location"] == "/runs/chat-2"
    assert json.loads(client.get(f"{address}/run-001.json").text)["plan"]["length"] == 3


def test_a_person_takes_the_bots_seat(client: httpx.Client, place: Project) -> None:
    address = begin(client, "asker", "bot")
    page = client.get(address).text
    assert "On day" in page
    answer = client.post(f"{address}/say", data={"text": "I was at home."})  # as without scripts
    assert answer.status_code == 303
    for _ in range(3):
        say(client, address, "I do not know.")
    page = client.get(address).text
    assert "I was at home." in page
    assert re.search(r"ML-I1 (states|asks about)", page)  # the driver plants the probes of the plan
    client.post(f"{address}/save")
    (conversation,) = load_all(place.reports / "chat-1")
    assert conversation.chatters == ("asker", "user")
    assert conversation.plan.length == 14


def test_a_failing_bot_is_shown_and_kept(client: httpx.Client) -> None:
    address = begin(client, "failing")
    assert client.post(f"{address}/save").status_code == 400  # nothing was replied yet
    say(client, address, "One.")
    assert follow(client, address)[-1]["yours"]
    say(client, address, "Two.")
    last = follow(client, address)[-1]
    assert last["over"]
    assert last["state"] == "failing failed."
    page = client.get(address).text
    assert "failed: ValueError: &lt;b&gt;out of words&lt;/b&gt;" in page
    answer = say(client, address, "Three.")
    assert answer.status_code == 400
    assert "failing failed." in answer.text
    assert client.post(f"{address}/save").status_code == 303


@pytest.mark.parametrize(
    ("given", "told"),
    [
        ({"bot": "keper"}, "Did you mean &#34;keeper&#34;?"),
        ({"bot": "user"}, "Choose a bot."),
        ({"seed": "x"}, "is not a whole number"),
        ({"options": "url ="}, "not TOML"),
        ({"options": "colour = 1"}, "colour"),
        ({"seat": "roof"}, "Choose one of the two."),
        (
            {
                "bot": "http",
                "options": 'url = "http://localhost:1"\nheaders = {Authorization = "Bearer abcdefghijklmnop"}',
            },
            "${NAME}",
        ),
    ],
)
def test_what_cannot_begin_is_told_in_the_form(client: httpx.Client, given: dict[str, str], told: str) -> None:
    answer = client.post("/chat", data={"seat": "user", "bot": "keeper", "options": "", "seed": "", **given})
    assert answer.status_code == 400
    assert told in answer.text
    assert "Begin" in answer.text


def test_chats_are_bounded(client: httpx.Client, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(chat_sessions, "MOST", 2)
    monkeypatch.setattr(chat_sessions, "IDLE", -1.0)
    monkeypatch.setattr(chat_session, "LONGEST", 10)
    first, second = begin(client, "keeper"), begin(client, "keeper")
    assert first != second
    assert say(client, first, "x" * 11).status_code == 400
    assert say(client, first, "  ").status_code == 400
    full = client.post("/chat", data={"seat": "user", "bot": "keeper"})
    assert full.status_code == 400
    assert "2 chats are open" in full.text
    assert client.post(f"{first}/close").status_code == 303
    assert client.get(first).status_code == 404
    assert begin(client, "keeper") not in (first, second)


def test_an_idle_chat_ends(client: httpx.Client, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(chat_session, "IDLE", 0.01)
    address = begin(client, "keeper")
    while not follow(client, address)[-1]["over"]:
        pass
    assert "is over" in client.get(address).text


@in_browser
def test_a_chat_in_a_browser(open_page: Callable[..., Page]) -> None:
    page = open_page("/chat", width=390)
    page.get_by_label("Who is at the other end?").select_option("keeper")
    assert_accessible(page)
    assert_fits(page)
    page.get_by_role("button", name="Begin").click()
    page.wait_for_url("**/chat/*")
    box = page.get_by_label("Your message")
    expect(page.locator("#state")).to_have_text("Your turn.")
    box.press("Enter")  # "Hello!" stands there
    chips = page.locator("#round-0 .chips .chip")
    expect(chips.first).to_be_visible()
    page.locator(".step:enabled").first.click()
    expect(page.locator("#hint")).to_contain_text("probe of the plan")
    fact = box.input_value()
    box.press("Enter")
    expect(page.locator("#round-1 .planted")).to_contain_text("states")
    expect(page.locator("#round-1 .said.driver > p")).to_have_text(fact)
    page.locator(".step:enabled").first.click()
    box.press("End")
    box.type("!")
    expect(page.locator("#hint")).to_contain_text("your own words")
    page.get_by_role("button", name="Send").click()
    expect(page.locator("#round-2 .chips")).to_be_visible()
    expect(page.locator("#round-2 .planted")).to_have_count(0)
    page.get_by_role("button", name="Save as a run").click()
    expect(page.get_by_role("link", name="chat-1")).to_have_attribute("href", "/runs/chat-1")
    assert_accessible(page)
    assert_fits(page)


@in_browser
def test_an_enter_that_comes_too_early_is_kept(
    open_page: Callable[..., Page], client: httpx.Client, project: Path
) -> None:
    page = open_page("/chat")
    held: list[Route] = []

    def hold(route: Route) -> None:
        held.append(route)

    page.route("**/static/view.js", hold)  # the page's scripts cannot begin meanwhile
    page.goto(str(client.base_url) + begin(client, "waiting"), wait_until="commit")
    box = page.get_by_label("Your message")
    box.press("Enter")  # "Hello!" stands there
    while not held:
        page.wait_for_timeout(20)
    held[0].continue_()
    expect(page.locator("#state")).to_have_text("waiting is typing …")
    box.fill("And now?")
    box.press("Enter")
    expect(page.locator("#hint")).to_have_text("It is sent as soon as it is your turn.")
    box.press("End")
    box.type("?")
    expect(page.locator("#hint")).to_be_empty()  # who goes on writing is not done yet
    box.press("Enter")
    (project / "gate").touch()
    expect(page.locator("#round-0 .said.driver > p")).to_have_text("Hello!")
    expect(page.locator("#round-1 .said.driver > p")).to_have_text("And now??")
    expect(page.locator("#round-1 .judging")).to_contain_text("after the reply")
    expect(page.locator("#state")).to_have_text("Your turn.")
    expect(box).to_have_value("")


@in_browser
def test_a_hostile_bot_stays_text(open_page: Callable[..., Page]) -> None:
    page = open_page("/chat", dark=True)
    page.get_by_label("Who is at the other end?").select_option("hostile")
    page.get_by_role("button", name="Begin").click()
    page.wait_for_url("**/chat/*")
    box = page.get_by_label("Your message")
    for number in range(4):
        expect(page.locator("#state")).to_have_text("Your turn.")
        box.fill(f"<img src=x onerror=alert({number})>")
        box.press("Enter")
        expect(page.locator(f"#round-{number} .judging")).to_contain_text("after the reply")
    assert page.locator("#rounds img, #rounds script").count() == 0
    assert_accessible(page)
    assert_fits(page)
