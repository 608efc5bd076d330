"""The base class of the controls, which know the plan and recognise its probes."""

import re
import tomllib
from functools import cache
from pathlib import Path
from random import Random
from typing import Any

from chattest import Chatter
from chattest.cases.base import cases
from chattest.cases.sessions import SessionCase
from chattest.records.plan import Probe, ProbePlan, Purpose, Step
from chattest.rules.reading import read

FACTS = Path(__file__).parents[1] / "data" / "own_facts.toml"
NOTED = ("Noted.", "Thank you for telling me.", "I am listening.", "Good to know.", "I see what you mean.")
SMALL_TALK = Path(__file__).parent / "data" / "small_talk.toml"


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
        self._left: dict[str, list[str]] = {}

    def get_response(self, conv_array: list[str]) -> str:
        """Return the control's answer if a question of the plan was asked, else small talk."""
        self._round += 1
        matches = [pair for pair in self._plan.steps() if conv_array and pair[1].spoken == conv_array[-1]]
        if not matches:
            return self._talk(conv_array[-1] if conv_array else "")
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

    def _talk(self, heard: str) -> str:
        """Reply to a text that is no probe, by the form of its last sentence.

        A line comes again when all lines of its form have come.
        """
        sentence = read(heard).last_sentence
        kind = "questions" if sentence.rstrip(" \"'").endswith("?") else "others"
        form, lines = next(
            (form, lines) for form, pattern, lines in read_small_talk()[kind] if pattern.search(sentence)
        )
        if not self._left.get(form):
            self._left[form] = self._chance.sample(lines, len(lines))
        return self._left[form].pop()

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


@cache
def read_small_talk() -> dict[str, list[tuple[str, re.Pattern[str], list[str]]]]:
    """Return the forms of questions and of other texts, what each is known by, and the replies to it."""
    tables = tomllib.loads(SMALL_TALK.read_text(encoding="utf-8"))
    return {
        kind: [(form["form"], re.compile(form["heard"], re.IGNORECASE), form["lines"]) for form in forms]
        for kind, forms in tables.items()
    }
