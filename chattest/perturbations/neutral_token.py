"""Polite words without meaning, before or after the text."""

from dataclasses import dataclass
from random import Random

from chattest.perturbations._around import with_phrase
from chattest.perturbations.base import Perturbation, perturbation
from chattest.text.grammar.speech_act import asks

_ASKING = frozenset(("pls", "please", "appreciated"))


@perturbation("neutral_token")
@dataclass(frozen=True)
class NeutralToken(Perturbation):
    """Adds a word such as "please" before or after the text.

    "What is the name of my cat?" becomes "pls What is the name of my cat?". "Please" and "appreciated" are only added
    to questions and requests. The option `before` lists the words for `pre_insertion`, `after` those for
    `post_insertion`. (Azimuth: Neutral Token.)
    """

    before: tuple[str, ...] = ("pls", "please", "hello", "greetings")
    """Words to put before the text."""
    after: tuple[str, ...] = ("pls", "please", "thank you", "appreciated")
    """Words to put after the text."""

    family = "azimuth"
    kinds = ("pre_insertion", "post_insertion")
    dose_unit = "tokens"
    dose_max = 1.0

    def alter(self, text: str, kind: str, rng: Random) -> tuple[str, int] | None:
        tokens = self.before if kind == "pre_insertion" else self.after
        if not asks(text):
            tokens = tuple(token for token in tokens if token not in _ASKING)
        said = text.lower()
        tokens = tuple(token for token in tokens if token.partition(" ")[0] not in said)
        return with_phrase(text, tokens, kind == "pre_insertion", rng, closed=False)
