"""Every conversation in chatters/README.md is held again, as its config says, and must come out as it stands there.

To renew what stands there, run these tests with RENEW=1 in the environment, and read what changed.
"""

import os
import re
from typing import Any

import pytest

from chattest.chatter.loader import chatter_names
from chattest.dialogue.loop import Callbacks, Limits, hold
from chattest.dialogue.participants import find_participants
from chattest.records.conversation import Conversation, Speaker
from chattest.records.plan import ProbePlan
from chattest.settings.declaration import Settings
from tests.support.paths import CHATTERS
from tests.support.tiny_models import causal

pytestmark = pytest.mark.slow

PAGE = CHATTERS / "README.md"
SECTIONS = dict(
    re.findall(r"^## ([^\n]+)\n(.*?)(?=^## |\Z)", PAGE.read_text(encoding="utf-8"), re.DOTALL | re.MULTILINE)
)
BLOCK = re.compile(r"```(\w+)\n(.*?)```", re.DOTALL)
KEY = "a-key-for-the-tests"


heard: list[str] = []
"""The messages of the session, until now."""


def service(asked):
    """Speaks the protocols of all sections with a URL."""
    if asked.path == "/sessions":
        return 200, {}, {"id": "s1"}
    if asked.path == "/sessions/s1/messages":
        assert asked.headers["X-Api-Key"] == KEY
        heard.append(asked.body["message"])
        texts = [f"Message {len(heard)}.", f"It says {asked.body['message']!r}."]
        return 200, {}, {"messages": [{"text": text} for text in texts]}
    if asked.path == "/inference":
        return 200, {}, {"text": f"I have heard {len(asked.body['text'])} texts."}
    if asked.path == "/webhooks/rest/webhook":
        texts = ["Good to hear from you.", "What can I do?"]
        return 200, {}, [{"recipient_id": asked.body["sender"], "text": text} for text in texts]
    if asked.path == "/model/parse":
        return 200, {}, {"intent": {"name": "greet", "confidence": 0.98}}
    assert asked.path == "/v1/chat/completions"
    messages = asked.body["messages"]
    said = ["I need to see a doctor tomorrow.", "At nine is fine. [GOAL REACHED]"]
    if "human user" in messages[0]["content"]:
        return completion(said[min(len(messages) // 2 - 1, 1)])
    assert asked.headers["Authorization"] == f"Bearer {KEY}"
    return completion(f"You are my customer and have said {len(messages) // 2} things.")


def completion(text):
    return 200, {}, {"choices": [{"message": {"role": "assistant", "content": text}}]}


def held(config):
    """The conversation's beginning, as the page shows it."""
    named: dict[str, Any] = {}
    exec(config, named)
    settings = Settings(**{name: value for name, value in named.items() if not name.startswith("__")})
    participants = find_participants(settings, CHATTERS)
    for member in participants:
        member.load()
    spec = Conversation(1, "1", settings.chatters, (), ProbePlan(length=4))
    turns = hold(spec, participants[0].make(), participants[1].make(), Limits(), Callbacks()).turns
    for member in participants:
        if hasattr(member.shared, "close"):
            member.shared.close()
        if isinstance(member.shared, tuple) and hasattr(member.shared[-1], "close"):
            member.shared[-1].close()
    assert not turns[-1].error, turns[-1].error
    names = {Speaker.DRIVER: settings.chatters[0], Speaker.SUBJECT: settings.chatters[1]}
    lines = [f"{names[turn.speaker]}: {line}" for turn in turns for line in turn.text.splitlines()]
    return "\n".join(lines) + "\n"


@pytest.mark.parametrize("name", [name for name, text in SECTIONS.items() if "```text" in text])
def test_the_page_says_what_comes_out(name, server, tmp_path, monkeypatch):
    heard.clear()
    server.answer = service
    monkeypatch.chdir(tmp_path)
    monkeypatch.syspath_prepend(tmp_path)
    monkeypatch.setenv("BOT_KEY", KEY)
    if "models/tiny" in SECTIONS[name]:
        causal(tmp_path / "models" / "tiny")
    config, shown = "", ""
    for kind, text in BLOCK.findall(SECTIONS[name]):
        title = re.match(r"# (\S+\.\w+)\n", text)
        if title:
            (tmp_path / title[1]).write_text(text, encoding="utf-8")
        elif kind == "python":
            config = re.sub(r"http://localhost:\d+", server.url, text)
        else:
            shown = text
    came_out = held(config)
    if os.environ.get("RENEW"):
        section = SECTIONS[name]
        renewed = section.replace(f"```text\n{shown}", f"```text\n{came_out}")
        PAGE.write_text(PAGE.read_text(encoding="utf-8").replace(section, renewed), encoding="utf-8")
    assert shown == came_out


def test_every_chatter_has_its_section():
    assert sorted(", ".join(SECTIONS).split(", ")) == chatter_names(CHATTERS)
