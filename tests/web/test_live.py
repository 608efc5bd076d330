"""A run in progress: what is said is seen, it is paused, resumed and stopped, and files that vanish do no harm."""

from __future__ import annotations

import json
import re
import shutil
import threading
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from threading import Event
from typing import Any

import httpx
import pytest
from playwright.sync_api import Page, expect

from chattest.runner import run
from chattest.runner.run import Outcome
from chattest.storage.journal import Listener
from chattest.storage.run_folder import Planned, RunFolder, hold_run_lock, is_in_use, read_run_state
from tests.support.browser import in_browser
from tests.support.light import Light
from tests.support.small_runs import Silent, go
from tests.support.web_app import assert_accessible, assert_fits

PATIENCE = 60.0
ROUNDS = 14


class Gate(Silent):
    """Holds the bots after each turn until the next one is allowed; the first is free."""

    def __init__(self) -> None:
        super().__init__()
        self._allowed = threading.Semaphore(0)

    def spoken(self, conversation: Any, turn: Any) -> None:
        super().spoken(conversation, turn)
        self._allowed.acquire()

    def allow(self, turns: int) -> None:
        for _ in range(turns):
            self._allowed.release()


class Running:
    """A run in another thread, whose turns are let through one by one."""

    def __init__(self, project: Path, **more: Any) -> None:
        self.folder = project / "reports" / "now"
        self.gate, self.stop = Gate(), Event()
        self.outcomes: list[Outcome] = []
        self._said = 0
        options = {"save_analysis_name": "now", "max_runs": 3, "workers": 1, **more}
        self._thread = threading.Thread(target=lambda: self._go(project, options))
        self._thread.start()

    def _go(self, project: Path, options: dict[str, Any]) -> None:
        self.outcomes.append(go(project, project / "reports", self.gate, self.stop, **options))

    def say(self, turns: int) -> None:
        """Lets so many turns through, and waits until they are said."""
        wanted = self._said + turns
        self.gate.allow(turns - (not self._said))
        self._said = wanted
        until(lambda: len(self.gate.turns) >= wanted)

    def end(self) -> None:
        """Lets it talk to its end."""
        self.gate.allow(100_000)
        self._thread.join(PATIENCE)
        assert not self._thread.is_alive()


def until(true: Callable[[], bool]) -> None:
    end = time.monotonic() + PATIENCE
    while not true():
        assert time.monotonic() < end
        time.sleep(0.02)


@pytest.fixture
def running(project: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Running]:
    monkeypatch.chdir(project)
    monkeypatch.setattr(run, "Judges", lambda models: Light(models=models))
    monkeypatch.setattr("chattest.web.live_rates.make_judges", lambda settings, reports: Light(models=settings.models))
    started = Running(project)
    try:
        until(lambda: read_run_state(started.folder) == "talking" and is_in_use(started.folder))
        yield started
    finally:
        (started.folder / ".pause").unlink(missing_ok=True)
        started.end()


def news(client: httpx.Client, **known: int) -> dict[str, Any]:
    answer = client.get("/runs/now/live.json", params=known)
    assert answer.status_code == 200, answer.text
    content: dict[str, Any] = answer.json()
    return content


def test_a_run_is_watched_to_its_end(client: httpx.Client, running: Running) -> None:
    running.say(6)
    first = client.get("/").text
    assert first.index("/runs/now/live") < first.index("/runs/first")  # it comes first, whatever the order
    page = client.get("/runs/now/live").text
    assert "It is talking." in page
    assert "3 of 42 rounds; 0 of 3 conversations over" in page
    said = running.gate.turns[5].text
    assert said[:20] in page.replace("&#39;", "'")
    running.say(2)
    new = news(client, **{"run-001": 6})
    (talk,) = new["talks"]
    assert talk["count"] == 8
    assert talk["turns"].count("<li") == 2  # only what the page does not know
    assert "talk" not in talk
    running.say(2 * ROUNDS)  # into the second conversation
    until(lambda: "of 3 conversations; the report may differ" in news(client)["status"])
    new = news(client, **{"run-001": 28})
    assert [(each["name"], each["over"]) for each in new["talks"]] == [("run-002", False), ("run-001", True)]
    assert "so-far" in new["status"]
    replies = re.search(r'"rate-name">replies</span>.*?title="\d+ of (\d+) passed', new["status"], re.DOTALL)
    assert replies is not None
    assert ROUNDS < int(replies[1]) <= 3 * ROUNDS  # ML-P1, ML-A6 and ML-A7, without the experimental cases
    assert new["actions"] == ["pause", "stop"]
    assert "Over 1 of" in new["status"]
    without = client.get("/runs/now/live", params={"judge": "no"}).text
    assert "Verdicts come at the end" in without
    running.end()
    last = news(client)
    assert last["ended"]
    assert last["actions"] == []
    assert "See its report" in last["status"]
    assert client.post("/runs/now/control", data={"action": "pause"}).status_code == 400


def test_probes_are_marked(client: httpx.Client, running: Running) -> None:
    running.say(2 * ROUNDS - 1)
    planted = {step.round for _, step in next(_conversation(running)).plan.steps()}
    assert planted
    (talk,) = news(client)["talks"]
    assert talk["turns"].count('class="probe"') == len(planted)


def _conversation(running: Running) -> Iterator[Any]:
    listener = Listener(running.folder / "conversations" / "run-001.turns")
    assert listener.look()
    yield listener.conversation


def test_it_is_paused_resumed_and_stopped(client: httpx.Client, running: Running) -> None:
    running.say(3)
    assert client.post("/runs/now/control", data={"action": "pause"}).status_code == 303
    assert news(client)["state"] == "pausing"  # the bot has not answered yet
    running.gate.allow(2)  # to the end of the round; with more, the run could be over before it is told to stop
    until(lambda: news(client)["state"] == "paused")
    assert len(running.gate.turns) == 4
    assert news(client)["actions"] == ["resume", "stop"]
    assert "paused: watch it" in client.get("/").text
    answer = client.post("/runs/now/control", json={"action": "resume"}, headers={"Accept": "application/json"})
    assert answer.status_code == 200
    until(lambda: len(running.gate.turns) > 4)
    client.post("/runs/now/control", data={"action": "stop"})
    running.end()
    assert running.outcomes[0].stopped
    assert "The same command resumes it." in client.get("/runs/now/live").text


def test_what_cannot_be_told_to_a_run(client: httpx.Client, place: Any) -> None:
    for action, status in (("pause", 400), ("explode", 400), ("", 400)):
        assert client.post("/runs/first/control", data={"action": action}).status_code == status
    assert client.post("/runs/nobody/control", data={"action": "pause"}).status_code == 404
    assert client.post("/runs/..%2f..%2fetc/control", data={"action": "pause"}).status_code == 404
    assert client.get("/runs/nobody/live").status_code == 404
    assert "See its report" in client.get("/runs/first/live").text


def test_what_a_run_leaves_half_written_does_no_harm(client: httpx.Client, place: Any) -> None:
    folder = place.reports / "half"
    with RunFolder(folder) as held:
        held.mark("talking", {"conversation_length": ROUNDS}, Planned(2, 2, 5))
        assert "0 of 28 rounds" in client.get("/runs/half/live").text
        conversations = folder / "conversations"
        conversations.mkdir()
        (conversations / "run-001.turns").write_bytes(b'{"run": 1')  # not a whole line yet
        (conversations / "run-002.turns").write_bytes(b"no journal\n")
        (conversations / "run-003.json").write_bytes(b"{")
        (folder / "answers.jsonl").write_bytes(b"{}\n{}\n{")
        page = client.get("/runs/half/live")
        assert page.status_code == 200
        assert "2 of 5 single questions answered" in page.text
        (folder / "run.json").write_bytes(b"{")
        assert client.get("/runs/half/live").status_code == 200
        assert client.get("/").status_code == 200
        shutil.rmtree(folder)
        assert client.get("/runs/half/live.json").status_code == 404
        assert client.get("/").status_code == 200


def test_a_killed_run_is_told_from_one_that_talks(client: httpx.Client, place: Any) -> None:
    with RunFolder(place.reports / "killed") as held:
        held.mark("talking", {}, Planned(2, 2))
    assert "interrupted" in client.get("/runs/killed/live").text
    assert "interrupted" in client.get("/?q=killed").text


def test_a_run_that_is_judged_is_not_judged_here_as_well(
    client: httpx.Client, place: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    judged: list[int] = []
    monkeypatch.setattr(
        "chattest.judging.verdicts.analyze",
        lambda talks, settings, judges: judged.extend(talk.run for talk in talks) or [],
    )
    folder = place.run("first")
    content = json.loads((folder / "run.json").read_text())
    with hold_run_lock(folder):
        for state, count in (("judging", 0), ("talking", 3)):
            (folder / "run.json").write_text(json.dumps(content | {"state": state}))
            status = client.get("/runs/first/live.json").json()["status"]
            assert ("Rates so far" in status) == (state == "talking")
            if count:
                until(lambda: len(judged) == 3)
            assert len(judged) == count


@in_browser
def test_a_run_is_watched_and_paused_in_a_browser(open_page: Callable[..., Page], running: Running) -> None:
    running.say(4)
    page = open_page("/runs/now/live", width=390)
    expect(page.locator(".said")).to_have_count(4)
    running.say(3)
    expect(page.locator(".said")).to_have_count(7)
    page.get_by_role("button", name="Pause after this round").click()
    expect(page.get_by_text("It pauses after this round.").first).to_be_visible()
    running.gate.allow(50)
    expect(page.get_by_role("button", name="Resume")).to_be_enabled()
    expect(page.locator("#status")).to_contain_text("It is paused.")
    expect(page.locator(".said")).to_have_count(8)
    assert_accessible(page)
    assert_fits(page)
    page.get_by_role("button", name="Resume").click()
    until(lambda: len(running.gate.turns) > 8)
    running.gate.allow(100_000)
    page.get_by_role("link", name="See its report").wait_for()


@in_browser
def test_those_under_way_stand_first(open_page: Callable[..., Page], running: Running) -> None:
    running.say(4)
    talks = open_page("/runs/now/live").locator("#talks h3")
    expect(talks).to_have_count(1)
    running.say(2 * ROUNDS)  # into the second conversation
    expect(talks.nth(1)).to_contain_text("run-001 over")
    expect(talks.nth(0)).to_contain_text("run-002 under way")


@in_browser
def test_the_table_of_runs_shows_by_itself_that_a_run_is_over(open_page: Callable[..., Page], running: Running) -> None:
    page = open_page("/")
    row = page.locator("tr", has=page.get_by_role("link", name=running.folder.name, exact=True))
    expect(row).to_contain_text("watch it")
    page.get_by_label("Compare first").check()
    running.end()
    expect(row).to_contain_text("finished")
    row.get_by_role("checkbox").check()
    expect(page.locator("#ticked")).to_have_text("2 runs are ticked.")
