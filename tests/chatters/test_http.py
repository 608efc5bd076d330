"""The `http`, `emely`, `rasa` and `openai` chatters against a real server that speaks their protocols."""

from typing import Any

import pytest

from chattest import Reply
from chattest.errors import ChatterError, InputError

HISTORY = ["Hi {last}", 'He said "${HOME}" {history}', "And you?"]


def test_http_fills_url_headers_and_body(make, server, monkeypatch):
    monkeypatch.setenv("BOT_KEY", "k3y")
    server.answer = lambda asked: (200, {}, {"text": "hello"})
    bot = make(
        "http",
        url=server.url + "/talk/{conversation_id}?q={last}",
        method="PUT",
        headers={"X-Key": "${BOT_KEY}", "X-Id": "id {conversation_id}"},
        body={
            "all": "{history}",
            "one": ["so: {last}", 3],
            "turns": "{messages}",
            "joined": "[{history}]",
            "x": "{x}",
        },
    )
    assert bot.get_response(HISTORY) == Reply(("hello",))
    (asked,) = server.asked
    name = asked.headers["X-Id"].removeprefix("id ")
    assert (asked.method, asked.path) == ("PUT", f"/talk/{name}?q=And%20you%3F")
    assert name.startswith("c1-")
    assert asked.headers["X-Key"] == "k3y"
    assert asked.body == {
        "all": HISTORY,
        "one": ["so: And you?", 3],
        "turns": [
            {"role": role, "content": text} for role, text in zip(["user", "assistant", "user"], HISTORY, strict=True)
        ],
        "joined": "[" + "\n".join(HISTORY) + "]",
        "x": "{x}",
    }


@pytest.mark.parametrize(
    ("path", "answer", "texts"),
    [
        ("$.text", {"text": "a"}, ("a",)),
        ("$.out[*].say", {"out": [{"say": "a"}, {"say": "b"}]}, ("a", "b")),
        ("$.out", {"out": ["a", "b"]}, ("a", "b")),
        ("$[0]", ["a"], ("a",)),
        ("$", "a", ("a",)),
        ("$.text", {"text": ""}, ("",)),
    ],
)
def test_http_finds_the_reply(make, server, path, answer, texts):
    server.answer = lambda asked: (200, {}, answer)
    assert make("http", url=server.url, reply=path).get_response(["x"]).texts == texts


@pytest.mark.parametrize("answer", [{}, {"text": None}, {"text": 3}, {"text": []}, {"text": {"a": "b"}}, b""])
def test_http_without_a_reply_says_so(make, server, answer):
    server.answer = lambda asked: (200, {}, answer)
    with pytest.raises(ChatterError, match=r"no text at \$\.text in the answer"):
        make("http", url=server.url).get_response(["x"])


def test_http_tells_intent_and_confidence(make, server):
    server.answer = lambda asked: (200, {}, {"text": "a", "nlu": {"name": "greet", "p": 0.75}})
    bot = make("http", url=server.url, intent="$.nlu.name", confidence="$.nlu.p")
    assert bot.get_response(["x"]) == Reply(("a",), "greet", 0.75)


def test_http_opens_and_closes_a_session(make, server):
    server.answer = lambda asked: (200, {}, {"session": {"id": "s 1"}} if asked.path == "/new" else {"text": "a"})
    bot = make(
        "http",
        url=server.url + "/say/{session}",
        start={"url": server.url + "/new", "take": {"session": "$.session.id"}},
        reset={"url": server.url + "/end/{session}", "method": "DELETE"},
    )
    bot.get_response([])
    bot.close()
    assert [(asked.method, asked.path, asked.body) for asked in server.asked] == [
        ("POST", "/new", None),
        ("POST", "/say/s%201", {"text": "Hello"}),
        ("DELETE", "/end/s%201", None),
    ]


def test_every_conversation_has_a_name_of_its_own(make, server):
    server.answer = lambda asked: (200, {}, {"text": "a"})
    for _ in range(2):
        make("http", url=server.url, body="{conversation_id}").get_response(["x"])
    assert len({asked.body for asked in server.asked}) == 2


@pytest.mark.parametrize(
    ("options", "named"),
    [
        ({}, "url"),
        ({"url": ""}, "url"),
        ({"url": "http://a", "reply": "$["}, "JSONPath"),
        ({"url": "http://a", "replay": "$"}, "reply"),
        ({"url": "http://a", "headers": {"X-Api-Key": "s3cret"}}, "header X-Api-Key looks like a key"),
        ({"url": "http://a", "start": {"url": "http://a", "headers": {"Authorization": "s3cret"}}}, "looks like a key"),
        ({"url": "http://me:s3cret@a/"}, "looks like a key"),
        ({"url": "http://a/bot?x=1&api_key=s3cret"}, "looks like a key"),
    ],
)
def test_wrong_options_are_named(make, options, named):
    with pytest.raises(InputError, match=named) as refused:
        make("http", **options)
    assert "s3cret" not in str(refused.value)


def test_keys_from_the_environment_are_allowed_everywhere(make):
    key = "${BOT_KEY}"
    url = f"http://me:{key}@a/bot?key={key}"
    headers = {"Authorization": f"Bearer {key}", "X-Id": "7"}
    options = make("http", url=url, headers=headers).options
    assert (options.url, options.headers) == (url, headers)


def test_emely(make, server):
    server.answer = lambda asked: (200, {}, {"text": "Nice to meet you"})
    assert make("emely", url=server.url).get_response(["Hey", "Hi", "I am Sam"]) == Reply(("Nice to meet you",))
    assert server.asked[0].body == {"text": ["Hey", "Hi", "I am Sam"]}
    assert server.asked[0].method == "POST"


class RasaServer:
    """Speaks Rasa's REST channel: one tracker a sender."""

    def __init__(self):
        self.heard = {}

    def __call__(self, asked):
        if asked.path == "/model/parse":
            return 200, {}, {"text": asked.body["text"], "intent": {"name": "tell_name", "confidence": 0.9}}
        assert asked.path == "/webhooks/rest/webhook"
        sender, text = asked.body["sender"], asked.body["message"]
        self.heard.setdefault(sender, []).append(text)
        if text == "silence":
            return 200, {}, []
        buttons = [{"title": "Yes", "payload": "/yes"}, {"title": "No", "payload": "/no"}]
        said: list[dict[str, Any]] = [
            {"text": f"Message {len(self.heard[sender])}"},
            {"text": "More?", "buttons": buttons},
        ]
        return 200, {}, [{"recipient_id": sender, **one} for one in [*said, {"image": "http://x/cat.png"}]]


def test_rasa(make, server):
    server.answer = RasaServer()
    bot = make("rasa", url=server.url + "/")
    messages = ("Message 1", "More? [Yes] [No]", "http://x/cat.png")
    assert bot.get_response(["Hi"]) == Reply(messages)
    assert bot.get_response([]).texts[0] == "Message 2"
    assert bot.get_response(["silence"]) == Reply(("",))
    assert make("rasa", url=server.url).get_response(["Hi"]).texts[0] == "Message 1"
    assert make("rasa", url=server.url, parse=True).get_response(["I am Sam"]) == Reply(messages, "tell_name", 0.9)
    server.answer = lambda asked: (200, {}, {"error": "no such channel"})
    with pytest.raises(ChatterError, match="no such channel"):
        bot.get_response(["Hi"])


def completion(**message):
    return 200, {}, {"choices": [{"index": 0, "message": {"role": "assistant", **message}}]}


def test_openai(make, server, monkeypatch):
    monkeypatch.setenv("BOT_KEY", "k3y")
    server.answer = lambda asked: completion(content="hello")
    options = {"base_url": server.url + "/v1/", "model": "m", "key_env": "BOT_KEY", "system": "Be kind."}
    bot = make("openai", **options, temperature=0.5, max_tokens=9, send_seed=True, extra={"stop": ["x"]})
    assert bot.get_response(["a", "b", "c"]) == "hello"
    (asked,) = server.asked
    assert (asked.path, asked.headers["Authorization"]) == ("/v1/chat/completions", "Bearer k3y")
    roles = ["system", "user", "assistant", "user"]
    assert asked.body.pop("messages") == [
        {"role": role, "content": text} for role, text in zip(roles, ["Be kind.", "a", "b", "c"], strict=True)
    ]
    seed = asked.body.pop("seed")
    assert asked.body == {"model": "m", "stream": False, "temperature": 0.5, "max_tokens": 9, "stop": ["x"]}
    make("openai", seed="2", base_url=server.url, model="m", send_seed=True).get_response([])
    assert server.asked[1].body["seed"] != seed
    opener = {"role": "user", "content": "Please begin the conversation."}
    assert server.asked[1].body["messages"] == [opener]
    assert "Authorization" not in server.asked[1].headers
    make("openai", base_url=server.url, model="m").get_response(["mine", "yours"])
    mine, yours = {"role": "assistant", "content": "mine"}, {"role": "user", "content": "yours"}
    assert server.asked[2].body["messages"] == [opener, mine, yours]


def test_openai_sends_a_key_from_the_environment_in_further_fields(make, server, monkeypatch):
    monkeypatch.setenv("BOT_KEY", "k3y")
    server.answer = lambda asked: completion(content="hello")
    make("openai", base_url=server.url, model="m", extra={"user": {"token": "${BOT_KEY}"}, "n": 1}).get_response(["a"])
    assert (server.asked[0].body["user"], server.asked[0].body["n"]) == ({"token": "k3y"}, 1)


@pytest.mark.parametrize(
    ("message", "said"), [({"content": None}, ""), ({"content": None, "refusal": "I won't."}, "I won't.")]
)
def test_openai_may_say_nothing_or_refuse(make, server, message, said):
    server.answer = lambda asked: completion(**message)
    assert make("openai", base_url=server.url, model="m").get_response(["x"]) == said


@pytest.mark.parametrize("answer", [{}, {"choices": []}, [], b"", {"choices": [{"message": "x"}]}])
def test_openai_without_a_choice_says_so(make, server, answer):
    server.answer = lambda asked: (200, {}, answer)
    with pytest.raises(ChatterError, match="without a choice"):
        make("openai", base_url=server.url, model="m").get_response(["x"])


USERS = {
    "http": ({"url": "{url}/say/{user}", "headers": {"X-User": "{user}"}, "body": {"s": "{session}"}}, {"text": "a"}),
    "rasa": ({"url": "{url}", "sender": "{user}", "metadata": {"s": "{session}"}, "headers": {"X-User": "{user}"}}, []),
    "openai": (
        {
            "base_url": "{url}",
            "model": "m",
            "extra": {"user": "{user}", "s": "{session}"},
            "headers": {"X-User": "{user}"},
        },
        {"choices": [{"message": {"content": "a"}}]},
    ),
}


@pytest.mark.parametrize("name", USERS)
def test_services_are_told_who_is_talking_and_in_which_session(make, server, name):
    options, answer = USERS[name]
    server.answer = lambda asked: (200, {}, answer)
    filled = {
        key: value.replace("{url}", server.url) if type(value) is str else value for key, value in options.items()
    }
    bot = make(name, **filled)
    sessions = set()
    for user in ("anna", "anna", "ben"):
        bot.start("c1", "1", None, user_id=user)
        bot.get_response(["Hi"])
        asked = server.asked[-1]
        assert asked.headers["X-User"] == user
        assert user in (asked.body.get("user", ""), asked.body.get("sender", ""), asked.path.rpartition("/")[2])
        sessions.add(asked.body.get("s") or asked.body["metadata"]["s"])
    assert len(sessions) == 3
    assert all(session.startswith("c1-") for session in sessions)
