"""A persona played by a language model behind a real server."""

from pathlib import Path

import httpx
import pytest
from pydantic import BaseModel

from chattest import Chatter
from chattest.chatter.base import EndOfConversation
from chattest.chatter.instance import ChatterSpec
from chattest.chatter.loader import chatter_options, find_chatter
from chattest.dialogue.loop import Callbacks, Limits, hold
from chattest.dialogue.participants import find_participants
from chattest.errors import InputError
from chattest.records.plan import Probe, ProbePlan, Purpose, Step, Target
from chattest.settings.declaration import Settings
from tests.support.paths import CHATTERS
from tests.support.stand_ins import Scripted, spec

ACTOR = """
from pydantic import BaseModel

from chattest import Chatter


class ActorOptions(BaseModel):
    system: str


class Actor(Chatter):
    Options = ActorOptions

    def get_response(self, conv_array):
        goal = self.options.system.partition("What you want: ")[2].partition(chr(10))[0]
        return f"I want to {goal}."
"""


def played(server, *texts):
    rest = iter(texts)
    server.answer = lambda asked: (200, {}, {"choices": [{"message": {"content": next(rest)}}]})
    return {"base_url": server.url, "model": "m"}


def test_it_plays_its_role_until_the_goal_is_reached(make, server):
    player = played(server, "Hi, I need a table.", "Thanks, bye! [GOAL REACHED]")
    persona = make("persona", persona="a hungry man", goal="book a table", played_by="openai", options=player)
    assert persona.get_response([]) == "Hi, I need a table."
    assert persona.get_response(["Hi, I need a table.", "Booked."]) == "Thanks, bye!"
    with pytest.raises(EndOfConversation, match="goal"):
        persona.get_response(["...", "Bye"])
    messages = server.asked[1].body["messages"]
    assert [message["role"] for message in messages] == ["system", "user", "assistant", "user"]
    assert "a hungry man" in messages[0]["content"]
    assert "book a table" in messages[0]["content"]


def test_the_goal_mark_alone_ends_it(make, server):
    persona = make("persona", goal="g", options=played(server, "[GOAL REACHED]"))
    with pytest.raises(EndOfConversation, match="goal"):
        persona.get_response(["Booked."])


class AsyncPlayerOptions(BaseModel):
    system: str = ""
    url: str


class AsyncPlayer(Chatter):
    """A language model's client that is async in all it does."""

    Options = AsyncPlayerOptions
    closed = 0

    async def start(self, conversation_id, seed, plan):
        self.client = httpx.AsyncClient()

    async def get_response(self, conv_array):
        answer = await self.client.post(self.options.url, json={"system": self.options.system})
        return answer.json()["choices"][0]["message"]["content"]

    async def close(self):
        await self.client.aclose()
        AsyncPlayer.closed += 1


def test_it_can_be_played_by_a_bot_that_is_async(server):
    url = played(server, "Hi, I need a table.", "Thanks, bye! [GOAL REACHED]")["base_url"]
    cls = find_chatter("persona", CHATTERS)
    player = {"goal": "book a table", "played_by": f"{__name__}:AsyncPlayer", "options": {"url": url}}
    persona = ChatterSpec("persona", cls, chatter_options(cls, player))
    persona.load()
    talk = hold(spec(5), persona.make(), Scripted(["Booked.", "Bye."]), Limits(timeout=60), Callbacks())
    assert [turn.text for turn in talk.turns] == ["Hi, I need a table.", "Booked.", "Thanks, bye!", "Bye."]
    assert "book a table" in server.asked[0].body["system"]
    assert AsyncPlayer.closed == 1


@pytest.mark.parametrize(
    ("options", "named"),
    [
        ({"played_by": "eliza"}, "no system prompt"),
        ({"played_by": "opennai"}, 'Did you mean "openai"'),
        ({"options": {"model": "m", "temperture": 1}}, "temperture"),
    ],
)
def test_players_that_cannot_play(make, options, named):
    with pytest.raises(InputError, match=named):
        make("persona", goal="g", **options)


def test_a_chatter_of_the_project_can_play_the_shipped_persona(tmp_path: Path) -> None:
    (tmp_path / "chatters").mkdir()
    (tmp_path / "chatters" / "actor.py").write_text(ACTOR)
    options = {"persona": {"goal": "find the station", "played_by": "actor"}}
    settings = Settings.model_validate({"chatters": ["persona", "eliza"], "chatter_options": options})
    persona, _ = find_participants(settings, tmp_path / "chatters")
    persona.load()
    chatter = persona.make()
    chatter.start("c1", "1", ProbePlan(length=1))
    assert chatter.get_response([]) == "I want to find the station."


class Told(Chatter):
    """A player that says its system prompt."""

    class Options(BaseModel):
        system: str = ""

    def get_response(self, conv_array):
        return self.options.system


def test_it_is_told_what_the_plan_lets_it_say(make):
    target = Target("Juniper", "What is the cat called?")
    steps = (
        Step(2, Purpose.INFORM, "My cat is called Juniper.", "My cat is called Juniper."),
        Step(5, Purpose.ASK, "What is my cat called?", "What is my cat called?"),
    )
    plan = ProbePlan(8, (Probe("ML-U3", "cat", target, steps),))
    options = {"goal": "talk", "played_by": f"{Told.__module__}:Told"}
    with_plan = make("persona", plan=plan, **options).get_response([])
    assert "- My cat is called Juniper." in with_plan
    assert "What is my cat called?" not in with_plan  # the question's answer is no secret, but its round is
    assert "Juniper" not in make("persona", **options).get_response([])
