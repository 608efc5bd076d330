"""Every address of the app with hostile values for everything it takes: never an error of the app's own."""

import json
from collections.abc import Iterator, Sequence
from urllib.parse import quote_from_bytes, urlencode

import httpx
import pytest
from starlette.routing import Route

from chattest.web import chat_run
from chattest.web.project import Project
from tests.support.light import Light
from tests.support.web_pages import app_routes, filled, parameters

pytestmark = pytest.mark.slow

VALUES = (
    b"9" * 4400,
    b"-" + b"9" * 4400,
    b"0" * 4400 + b"1",
    b"9" * 19,
    b"-1",
    b"1e999",
    b"nan",
    b"-inf",
    b"1" * 400 + b".5",
    b"1_000",
    "٣²".encode(),
    b"\xed\xa0\x80",  # a lone surrogate
    b"\xff\xfe",
    b"a\x00b",
    b"0.1." + b"1" * 5000,
    b"word " * 2000,
    b"[" * 3000,
    b"",
)
"""What stands in an address or a form, as bytes."""
SAME_IN_A_QUERY = (VALUES[1], VALUES[2], VALUES[14], VALUES[15])
"""Values so long that trying them for every name would take minutes; paths and forms have them."""
QUERIES = {
    "after", "at-page", "bot", "budget", "by", "case", "choose", "conversation", "doubt", "empty", "family", "first",
    "from", "judge", "kind", "page", "q", "row", "run", "run-001", "saved", "set", "sort", "state", "tag", "testset",
    "text", "threshold", "threshold_coherence_prompt", "threshold_toxicity", "threshold_sem_sim_tests", "variant",
    "verdict", "verdicts", "which", "done", "only", "moved", "token",
}  # fmt: skip
"""The names of what addresses take."""
FIELDS = QUERIES | {
    "action", "add", "answer", "at-q", "back", "chatters", "conversation_length", "doubt_band", "information", "key",
    "max_runs", "name", "note", "options", "p", "questions", "remove", "reply_timeout", "seat", "seed", "step", "sure",
    "other-1", "other-2", "chatter-1", "chatter-2", "with", "with_shipped",
}  # fmt: skip
"""The names of what forms take."""


ACTIONS = ("p", "f", "n", "b", "q", "start", "check", "plan", "pause", "")
"""What the buttons of forms say."""


@pytest.fixture(autouse=True)
def light(monkeypatch: pytest.MonkeyPatch) -> None:
    """Judges that load nothing."""
    monkeypatch.setattr(chat_run, "Judges", lambda models: Light(models=models))


def everywhere(place: Project) -> Iterator[tuple[str, Route]]:
    """Every address of the app with a method that it takes."""
    for route in app_routes(place):
        for method in sorted((route.methods or {"GET"}) - {"HEAD"}):
            yield method, route


def batched(names: Sequence[str], size: int) -> list[Sequence[str]]:
    """The names in groups."""
    return [names[start : start + size] for start in range(0, len(names), size)]


def sent(client: httpx.Client, method: str, target: str, content: bytes = b"", kind: str = "") -> httpx.Response:
    """Send an address as it is written: httpx would change it."""
    headers = {"Content-Type": kind} if kind else {}
    request = client.build_request(
        method, "/", content=content, headers=headers, extensions={"target": target.encode("ascii")}
    )
    return client.send(request)


def test_no_value_in_a_path_is_an_error_of_the_app(client: httpx.Client, place: Project) -> None:
    wrong = []
    for method, route in everywhere(place):
        for parameter in parameters(route):
            for value in VALUES:
                answer = sent(client, method, filled(route, **{parameter: quote_from_bytes(value[:5000], "")}))
                if answer.status_code >= 500:
                    wrong.append((method, route.path, value[:20], answer.text[-300:]))
    assert not wrong


def test_no_value_in_a_query_is_an_error_of_the_app(client: httpx.Client, place: Project) -> None:
    wrong = []
    for method, route in everywhere(place):
        if method != "GET":
            continue
        for value in VALUES:
            text = quote_from_bytes(value, "[")  # three times as long, if quoted, and so three times the requests
            size = max(1, min(len(QUERIES), 14_000 // (len(text) + 20)))  # an address has 16 kB at most
            for names in batched(sorted(QUERIES) if value not in SAME_IN_A_QUERY else [], size):
                answer = sent(client, method, f"{filled(route)}?" + "&".join(f"{name}={text}" for name in names))
                if answer.status_code >= 500:
                    wrong.append((route.path, names[0], value[:20], answer.text[-300:]))
    assert not wrong


def test_no_value_in_a_form_is_an_error_of_the_app(client: httpx.Client, place: Project) -> None:
    wrong = []
    for method, route in everywhere(place):
        if method == "GET":
            continue
        for value in VALUES:
            chosen = ACTIONS if value == VALUES[0] and route.path.endswith(("/review", "/control", "/start")) else ("",)
            for action in chosen:
                given = dict.fromkeys(FIELDS, value) | ({"action": action.encode()} if action else {})
                content = urlencode(given).encode()
                answer = sent(client, method, filled(route), content, "application/x-www-form-urlencoded")
                if answer.status_code >= 500:
                    wrong.append((route.path, action, value[:20], answer.text[-300:]))
    assert not wrong


@pytest.mark.parametrize(
    "content",
    [
        b"9" * 5000,
        b"[]",
        b'{"text": ' + b"9" * 5000 + b"}",
        b'{"text": NaN, "step": Infinity, "seed": 1e999}',
        b'{"text": "\\ud800", "step": "\\u0000"}',
        b'{"text": {"a": []}, "step": null, "key": [], "note": {}, "by": 1, "budget": 1e400}',
        b"[" * 100_000,
        b'{"a":' * 50_000,
        b"\xff\xfe\x00",
    ],
)
def test_no_json_is_an_error_of_the_app(client: httpx.Client, place: Project, content: bytes) -> None:
    chat = client.post("/chat", data={"bot": "keeper", "seat": "user"}).headers["location"]
    wrong = []
    for path in [f"{chat}/say", *(filled(route) for method, route in everywhere(place) if method == "POST")]:
        answer = sent(client, "POST", path, content, "application/json")
        if answer.status_code >= 500:
            wrong.append((path, answer.text[-300:]))
    assert not wrong


def test_every_field_of_the_form_of_settings_takes_anything(client: httpx.Client) -> None:
    from chattest.settings.declaration import Settings

    wrong = []
    for name in Settings.model_fields:
        for value in (b"9" * 5000, b"{a = [" + b"9" * 5000 + b"]}", b"1e999"):
            answer = sent(
                client, "POST", "/start", urlencode({name: value}).encode(), "application/x-www-form-urlencoded"
            )
            if answer.status_code >= 500:
                wrong.append((name, value[:20], answer.text[-300:]))
    assert not wrong


def test_a_long_number_is_told(client: httpx.Client) -> None:
    long = "9" * 5000
    answer = client.post(
        "/chat", data={"bot": "keeper", "seat": "user", "seed": long}, headers={"Accept": "application/json"}
    )
    assert answer.status_code == 400
    assert "is not a whole number" in answer.text
    for address in (f"/runs/first/conversations/{long}", f"/runs/first/results?page={long}", f"/?page={long}"):
        assert client.get(address).status_code in (200, 404)
    chat = client.post("/chat", data={"bot": "keeper", "seat": "user"}).headers["location"]
    assert client.get(f"{chat}/events", params={"after": long}).status_code == 200
    assert client.post(f"{chat}/say", data={"step": f"{long}.{long}"}).status_code == 400
    checked = client.post("/start", data={"seed": long}, headers={"Accept": "application/json"})
    assert "seed" in json.loads(checked.text)["problems"]
