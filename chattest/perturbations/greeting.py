"""Add a greeting before the text, or a farewell after it."""

import re
from dataclasses import dataclass
from random import Random

from chattest.perturbations._around import add_phrase
from chattest.perturbations.base import Perturbation, perturbation

_GREETS = re.compile(r"\A\s*(?:hi|hello|hey|good (?:morning|afternoon|evening|day)|greetings|dear)\b", re.IGNORECASE)
_PARTS = re.compile(
    r"\b(?:bye|goodbye|see you(?: \w+){0,2}|good night|cheers|take care|have a \w+ \w+|thanks|thank you|regards)"
    r"[.!]*\s*$",
    re.IGNORECASE,
)


@perturbation("greeting")
@dataclass(frozen=True)
class Greeting(Perturbation):
    """Adds a greeting before the text or a farewell after it: "Hi there! What is the name of my cat?".

    With a context, the greeting is said once, before the context, and the farewell after the question.
    A text that greets already gets no second greeting, and one that ends with a farewell or thanks no second farewell.
    A text without a mark at its end gets one before the farewell. The options `greetings` and `farewells` list the
    phrases, with their punctuation.
    """

    greetings: tuple[str, ...] = ("Hi!", "Hello!", "Hey!", "Hi there!", "Good morning!", "Good evening!", "Hey you!")
    """Phrases to put before the text."""
    farewells: tuple[str, ...] = ("Bye!", "See you!", "Have a nice day!", "Talk to you later.", "Take care!", "Cheers!")
    """Phrases to put after the text."""

    family = "noise"
    kinds = ("greeting", "farewell")
    dose_unit = "phrases"
    dose_max = 1.0
    whole = True

    def alter(self, text: str, kind: str, rng: Random) -> tuple[str, int] | None:
        if kind == "greeting":
            return None if _GREETS.match(text) else add_phrase(text, self.greetings, True, rng)
        return None if _PARTS.search(text) else add_phrase(text, self.farewells, False, rng)
