"""Polite words that mean nothing, before or after the text."""

from dataclasses import dataclass
from random import Random

from chattest.perturbations.base import Perturbation, perturbation


@perturbation("neutral_token")
@dataclass(frozen=True)
class NeutralToken(Perturbation):
    """A word such as "please" before the text or after it.

    "What is the name of my cat?" becomes "pls What is the name of my cat?". The option `before` lists the words
    for `pre_insertion`, `after` those for `post_insertion`. (Azimuth: Neutral Token.)
    """

    before: tuple[str, ...] = ("pls", "please", "hello", "greetings")
    """Words for the beginning."""
    after: tuple[str, ...] = ("pls", "please", "thank you", "appreciated")
    """Words for the end."""

    family = "azimuth"
    kinds = ("pre_insertion", "post_insertion")
    dose_unit = "tokens"
    dose_max = 1.0

    def alter(self, text: str, kind: str, rng: Random) -> tuple[str, int] | None:
        core = text.strip()
        tokens = self.before if kind == "pre_insertion" else self.after
        if not core or not tokens:
            return None
        token = rng.choice(tokens)
        start = len(text) - len(text.lstrip())
        longer = f"{token} {core}" if kind == "pre_insertion" else f"{core} {token}"
        return text[:start] + longer + text[start + len(core) :], 1
