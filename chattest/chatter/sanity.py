"""Bots that understand nothing. What they pass, a judge passes by mistake, or a check that anybody can pass.

They are chatters like any other, but lie in the library, so that they can be asked where there is no `chatters/`
folder.
"""

from collections.abc import Sequence
from functools import cache
from pathlib import Path
from random import Random

from chattest.chatter.base import Chatter
from chattest.records.plan import ProbePlan
from chattest.text.lexicon import listed

DATA = Path(__file__).parent / "data"

FEWEST_WORDS, MOST_WORDS = 5, 12
"""Words of a reply of the bot that says random words."""

NOT_KNOWN = (
    "I do not know.",
    "I don't know, sorry.",
    "No idea.",
    "I have no idea, to be honest.",
    "Sorry, that I do not know.",
    "I am not sure.",
    "I really could not say.",
)


class Echo(Chatter):
    """Says again what it was told."""

    remembers = False

    def get_response(self, conv_array: list[str]) -> str:
        """The prompt; a greeting where there is none."""
        return conv_array[-1] if conv_array else "Hello."


class RandomWords(Chatter):
    """Says everyday words drawn at random."""

    def start(self, conversation_id: str, seed: str, plan: ProbePlan) -> None:
        """Seeds the draws."""
        self._chance = Random(f"{seed}/random words")

    def get_response(self, conv_array: list[str]) -> str:
        """5 to 12 words."""
        return " ".join(self._chance.sample(listed("random_words"), self._chance.randint(FEWEST_WORDS, MOST_WORDS)))


class ConstantYes(Chatter):
    """Says yes to everything."""

    remembers = False

    def get_response(self, conv_array: list[str]) -> str:
        """Yes."""
        return "Yes."


class _Rotation(Chatter):
    """Says its texts one after another, in an order drawn from the seed, and then again from the first."""

    def texts(self) -> Sequence[str]:
        """What it can say."""
        raise NotImplementedError

    def start(self, conversation_id: str, seed: str, plan: ProbePlan) -> None:
        """Draws the order."""
        texts = self.texts()
        self._order = Random(f"{seed}/rotation").sample(texts, len(texts))
        self._said = 0

    def get_response(self, conv_array: list[str]) -> str:
        """The next text."""
        text = self._order[self._said % len(self._order)]
        self._said += 1
        return text


class DoNotKnow(_Rotation):
    """Says that it does not know, in several wordings."""

    def texts(self) -> Sequence[str]:
        """The wordings."""
        return NOT_KNOWN


class Unrelated(_Rotation):
    """Says whole sentences about everyday things that nobody talked of."""

    def texts(self) -> Sequence[str]:
        """120 sentences."""
        return _unrelated()


@cache
def _unrelated() -> tuple[str, ...]:
    lines = (DATA / "unrelated.txt").read_text(encoding="utf-8").splitlines()
    return tuple(line for line in lines if line and not line.startswith("#"))


SANITY_BOTS: dict[str, type[Chatter]] = {
    "echo": Echo,
    "random words": RandomWords,
    "constant yes": ConstantYes,
    "I do not know": DoNotKnow,
    "unrelated sentences": Unrelated,
}
"""Name -> bot, in the order in which tables show them."""
