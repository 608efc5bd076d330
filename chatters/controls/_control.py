"""The base class of the controls, which know the plan and recognise its probes."""

import re
import tomllib
from pathlib import Path
from random import Random
from typing import Any

from chattest import Chatter
from chattest.cases.base import cases
from chattest.cases.sessions import SessionCase
from chattest.records.plan import Probe, ProbePlan, Purpose, Step

FACTS = Path(__file__).parents[1] / "data" / "own_facts.toml"
NOTED = ("Noted.", "Thank you for telling me.", "I am listening.", "Good to know.", "I see what you mean.")
SMALL_TALK = (
    "The kettle has just boiled here.",
    "I hear the trams are on time for once.",
    "There is a fine breeze coming in at my window.",
    "I spent the morning sorting old postcards.",
    "The bakery round the corner smells wonderful.",
    "Somebody nearby is practising the trombone.",
)


class Control(Chatter):
    """A bot that recognises probes among the texts it gets."""

    harmless = True

    @classmethod
    def load(cls, options: Any) -> list[dict[str, Any]]:
        """Load the facts that a control states about itself."""
        facts: list[dict[str, Any]] = tomllib.loads(FACTS.read_text(encoding="utf-8"))["fact"]
        return facts

    def start(self, conversation_id: str, seed: str, plan: ProbePlan) -> None:
        """Keep the plan."""
        self._plan = plan
        self._round = -1
        self._chance = Random(f"{seed}/control")

    def get_response(self, conv_array: list[str]) -> str:
        """Return the control's answer if a question of the plan was asked, else small talk."""
        self._round += 1
        matches = [pair for pair in self._plan.steps() if conv_array and pair[1].spoken == conv_array[-1]]
        if not matches:
            return self._chance.choice(SMALL_TALK)
        # A perturbation may make two texts equal; the nearest round decides which one was asked.
        probe, step = min(matches, key=lambda pair: abs(pair[1].round - self._round))
        if step.purpose is Purpose.INFORM:
            return self._chance.choice(NOTED)
        # What presses is about the question before it.
        question = next((each.text for each in probe.steps if each.purpose is Purpose.ASK), step.text)
        case = cases.get(probe.case)
        if probe.target.untold or (isinstance(case, SessionCase) and not case.told):
            return self.untold(question)
        right = probe.target.first
        return self._answer_about_itself(probe, step) if right is None else self.answer(right, question)

    def answer(self, right: str | bool, question: str) -> str:
        """Return the control's answer to a question, also when it is pressed about it.

        Args:
            right: the correct answer.
            question: the question.
        """
        raise NotImplementedError

    def untold(self, question: str) -> str:
        """Return the control's answer to a question about a fact that this user never gave."""
        raise NotImplementedError

    def which_value(self, asked_before: int) -> int:
        """Return the index of the value to give, by how often it was asked this about itself before."""
        raise NotImplementedError

    def _answer_about_itself(self, probe: Probe, step: Step) -> str:
        words = re.findall(r"\w+", probe.target.extract_with.casefold())
        fact = next(
            fact for fact in self.shared if any(word.startswith(stem) for stem in fact["asked_by"] for word in words)
        )
        asked_before = sum(
            1
            for earlier_probe, earlier in self._plan.steps()
            if earlier_probe.testset == probe.testset and earlier.purpose is Purpose.ASK and earlier.round < step.round
        )
        value = fact["values"][self.which_value(asked_before) % len(fact["values"])]
        return str(fact["says"].format(value))
