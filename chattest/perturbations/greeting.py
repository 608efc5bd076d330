"""A greeting before the text, or a farewell after it."""

from dataclasses import dataclass
from random import Random

from chattest.perturbations._around import with_phrase
from chattest.perturbations.base import Perturbation, perturbation


@perturbation("greeting")
@dataclass(frozen=True)
class Greeting(Perturbation):
    """Adds a greeting before the text or a farewell after it: "Hi there! What is the name of my cat?".

    The options `greetings` and `farewells` list the phrases, with their punctuation.
    """

    greetings: tuple[str, ...] = ("Hi!", "Hello!", "Hey!", "Hi there!", "Good morning!", "Good evening!", "Hey you!")
    """Phrases to put before the text."""
    farewells: tuple[str, ...] = ("Bye!", "See you!", "Have a nice day!", "Talk to you later.", "Take care!", "Cheers!")
    """Phrases to put after the text."""

    family = "noise"
    kinds = ("greeting", "farewell")
    dose_unit = "phrases"
    dose_max = 1.0

    def alter(self, text: str, kind: str, rng: Random) -> tuple[str, int] | None:
        phrases = self.greetings if kind == "greeting" else self.farewells
        return with_phrase(text, phrases, kind == "greeting", rng)
