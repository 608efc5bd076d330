"""A driver played by a language model."""

import inspect
from collections.abc import Awaitable
from pathlib import Path
from typing import Any, ClassVar

from pydantic import BaseModel, ConfigDict, Field

from chattest import Chatter
from chattest.chatter.base import CHATTERS_FOLDER, EndOfConversation, as_reply
from chattest.chatter.loader import chatter_options, find_chatter
from chattest.chatter.starting import start_arguments
from chattest.errors import InputError, Problem
from chattest.records.plan import ProbePlan, Purpose

REACHED = "[GOAL REACHED]"
ROLE = """You are taking part in a conversation as a human user who talks to a chatbot. Stay in this role.
Who you are: {persona}
What you want: {goal}
Write only what you say next, in one or two short sentences. Never write the chatbot's part.
As soon as you have what you want, write {reached} after your last words."""
MEMORY = """

All of this is true of you. You say it in the course of the conversation, each thing once, without being asked to.
Do not bring it up in between, and never contradict it:
{facts}"""


class PersonaOptions(BaseModel):
    """Settings of a driver played by a language model."""

    model_config = ConfigDict(extra="forbid")

    persona: str = Field("a friendly person who likes to chat", min_length=1, description="who the driver is")
    goal: str = Field(min_length=1, description="what the driver wants from the conversation")
    played_by: str = Field("openai", description='the chatter that plays it: "openai", "huggingface" or one of yours')
    options: dict[str, Any] = Field({}, description="that chatter's own options; it must have one called system")
    folder: Path = Field(Path("chatters"), description="the project's chatters folder")


class Persona(Chatter):
    """A driver with a persona and a goal, played by a chatter with a language model; ends when the goal is reached."""

    Options = PersonaOptions
    from_settings: ClassVar[dict[str, str]] = {"folder": CHATTERS_FOLDER}
    remembers = False
    _player: Chatter | None = None
    _reached = False

    @classmethod
    def load(cls, options: PersonaOptions) -> tuple[type[Chatter], Any, Any]:
        """Return the class that plays the persona, its options with the role as system prompt, and its shared state."""
        player = find_chatter(options.played_by, options.folder, "chatter_options.persona.played_by")
        if "system" not in player.Options.model_fields:
            what = f'"{options.played_by}" takes no system prompt, so it cannot play a persona'
            raise InputError([Problem("chatter_options.persona.played_by", what, 'Name "openai" or "huggingface".')])
        role = ROLE.format(persona=options.persona, goal=options.goal, reached=REACHED)
        checked = chatter_options(player, options.options | {"system": role}, "chatter_options.persona.options")
        return player, checked, player.load(checked)

    def start(self, conversation_id: str, seed: str, plan: ProbePlan, user_id: str = "") -> Awaitable[None] | None:
        """Start the player, which is told what the plan lets it say about itself. Its methods may be async."""
        cls, options, shared = self.shared
        self._player = player = cls()
        if facts := find_planted_facts(plan):
            memory = MEMORY.format(facts="\n".join(f"- {fact}" for fact in facts))
            options = options.model_copy(update={"system": options.system + memory})
        player.name, player.options, player.shared = self.options.played_by, options, shared
        given, named = start_arguments(player.start, conversation_id, seed, plan, user_id)
        return player.start(*given, **named)

    def get_response(self, conv_array: list[str]) -> str | Awaitable[str]:
        """Return the player's text; end the conversation once the goal is reached."""
        if self._reached:
            raise EndOfConversation("the persona's goal is reached")
        assert self._player is not None
        reply = self._player.get_response(conv_array)
        return self._wait_for_text(reply) if inspect.isawaitable(reply) else self._end_if_reached(reply)

    async def _wait_for_text(self, reply: Awaitable[object]) -> str:
        return self._end_if_reached(await reply)

    def _end_if_reached(self, reply: object) -> str:
        text = "\n".join(as_reply(reply).texts)
        self._reached = REACHED in text
        text = text.replace(REACHED, "").strip()
        if self._reached and not text:
            raise EndOfConversation("the persona's goal is reached")
        return text

    def close(self) -> Awaitable[None] | None:
        """Close the player."""
        return self._player.close() if self._player is not None else None


def find_planted_facts(plan: ProbePlan) -> list[str]:
    """Return what the plan lets the driver state about itself, in order; what an earlier session told comes first."""
    earlier = [probe.told.text for probe in plan.probes if probe.told is not None]
    steps = sorted((step.round, step.text) for _, step in plan.steps() if step.purpose is Purpose.INFORM)
    return list(dict.fromkeys([*earlier, *(text for _, text in steps)]))
