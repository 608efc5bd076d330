"""Bots that understand nothing. If they pass, the judge is wrong, or the check is one that anybody can pass.

They are chatters like any other, but are part of the library, so that they work without a `chatters/` folder.
"""

from collections.abc import Sequence
from functools import cache
from pathlib import Path
from random import Random

from chattest.chatter.base import Chatter
from chattest.records.plan import ProbePlan
from chattest.text.lexicon import read_list

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
    """Repeats the last text."""

    remembers = False

    def get_response(self, conv_array: list[str]) -> str:
        """Return the prompt; a greeting if there is none."""
        return conv_array[-1] if conv_array else "Hello."


class RandomWords(Chatter):
    """Says everyday words drawn at random."""

    def start(self, conversation_id: str, seed: str, plan: ProbePlan) -> None:
        """Seed the draws."""
        self._chance = Random(f"{seed}/random words")

    def get_response(self, conv_array: list[str]) -> str:
        """Return 5 to 12 words."""
        return " ".join(self._chance.sample(read_list("random_words"), self._chance.randint(FEWEST_WORDS, MOST_WORDS)))


class ConstantYes(Chatter):
    """Says yes to everything."""

    remembers = False

    def get_response(self, conv_array: list[str]) -> str:
        """Return a yes."""
        return "Yes."


class _Rotation(Chatter):
    """Says its texts one after another, in an order drawn from the seed, and then again from the first."""

    def texts(self) -> Sequence[str]:
        """Return the bot's texts."""
        raise NotImplementedError

    def start(self, conversation_id: str, seed: str, plan: ProbePlan) -> None:
        """Draw the order."""
        texts = self.texts()
        self._order = Random(f"{seed}/rotation").sample(texts, len(texts))
        self._said = 0

    def get_response(self, conv_array: list[str]) -> str:
        """Return the next text."""
        text = self._order[self._said % len(self._order)]
        self._said += 1
        return text


class DoNotKnow(_Rotation):
    """Says that it does not know, in several wordings."""

    def texts(self) -> Sequence[str]:
        """Return the wordings."""
        return NOT_KNOWN


class Unrelated(_Rotation):
    """Says whole sentences about everyday things that nobody mentioned."""

    def texts(self) -> Sequence[str]:
        """Return 120 sentences."""
        return _read_unrelated()


@cache
def _read_unrelated() -> tuple[str, ...]:
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
