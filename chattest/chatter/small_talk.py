"""Small talk in which every reply fits: a driver that speaks for the user, and the bot that answers it.

Where the bot fails, a judge of coherence is wrong. Both read `data/small_talk.txt`; nobody's verdict chose its replies.
"""

import re
from functools import cache
from pathlib import Path

from chattest.chatter.base import Chatter
from chattest.records.plan import ProbePlan

FILE = Path(__file__).parent / "data" / "small_talk.txt"
UNKNOWN = "Oh, tell me more about that."
"""What the bot replies to a text that is in no talk, such as a probe."""

Exchange = tuple[str, str]
"""What the user says, and a reply that fits."""


@cache
def small_talks() -> tuple[tuple[Exchange, ...], ...]:
    """The talks, each a sequence of exchanges. No two exchanges have the same first text."""
    text = FILE.read_text(encoding="utf-8")
    talks = [
        [line for line in block.splitlines() if not line.startswith("#")] for block in re.split(r"\n{2,}", text.strip())
    ]
    return tuple(tuple(zip(talk[::2], talk[1::2], strict=True)) for talk in talks if talk)


@cache
def _fitting() -> dict[str, str]:
    return {prompt: reply for talk in small_talks() for prompt, reply in talk}


class SmallTalkDriver(Chatter):
    """Says the user's part of a small talk, whatever the bot replies, and goes on with the next one.

    The first conversation begins with the first talk, the second with the second. A line that a probe replaces is said
    in the next round.
    """

    def start(self, conversation_id: str, seed: str, plan: ProbePlan) -> None:
        """Finds the talk to begin with. conversation_id: ends in the conversation's number, as `run-001` does."""
        talks = small_talks()
        number = re.search(r"\d+", conversation_id)
        first = (int(number[0]) - 1 if number else 0) % len(talks)
        self._lines = [prompt for talk in (*talks[first:], *talks[:first]) for prompt, _ in talk]
        self._said = 0

    def get_response(self, conv_array: list[str]) -> str:
        """The next line."""
        line = self._lines[self._said % len(self._lines)]
        self._said += 1
        return line


class SmallTalkOracle(Chatter):
    """Gives the fitting reply to every line of the driver."""

    remembers = False

    def get_response(self, conv_array: list[str]) -> str:
        """The fitting reply; `UNKNOWN` to anything else."""
        return _fitting().get(conv_array[-1], UNKNOWN) if conv_array else UNKNOWN
