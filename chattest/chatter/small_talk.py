"""Small talk in which every reply fits: a driver that speaks for the user, and the bot that answers it.

If the bot fails, a judge of coherence is wrong. Both read `data/small_talk.txt`; nobody's verdict chose its replies.
"""

import re
from functools import cache
from pathlib import Path

from chattest.chatter.base import Chatter
from chattest.records.plan import ProbePlan

FILE = Path(__file__).parent / "data" / "small_talk.txt"
UNKNOWN = "Oh, tell me more about that."
"""The bot's reply to a text that is in no talk, such as a probe."""

Exchange = tuple[str, str]
"""A text of the user, and a fitting reply."""


@cache
def small_talks() -> tuple[tuple[Exchange, ...], ...]:
    """Return the talks, each a sequence of exchanges. No two exchanges have the same first text."""
    text = FILE.read_text(encoding="utf-8")
    talks = [
        [line for line in block.splitlines() if not line.startswith("#")] for block in re.split(r"\n{2,}", text.strip())
    ]
    return tuple(tuple(zip(talk[::2], talk[1::2], strict=True)) for talk in talks if talk)


@cache
def _find_replies() -> dict[str, str]:
    return {prompt: reply for talk in small_talks() for prompt, reply in talk}


class SmallTalkDriver(Chatter):
    """Speaks the user's part of a small talk, whatever the bot replies, and then the next one.

    The first conversation begins with the first talk, the second with the second. A line that a probe replaces is sent
    in the next round.
    """

    def start(self, conversation_id: str, seed: str, plan: ProbePlan) -> None:
        """Find the first talk by the number at the end of the conversation's id, as in `run-001`."""
        talks = small_talks()
        number = re.search(r"\d+", conversation_id)
        first = (int(number[0]) - 1 if number else 0) % len(talks)
        self._lines = [prompt for talk in (*talks[first:], *talks[:first]) for prompt, _ in talk]
        self._said = 0

    def get_response(self, conv_array: list[str]) -> str:
        """Return the next line."""
        line = self._lines[self._said % len(self._lines)]
        self._said += 1
        return line


class SmallTalkOracle(Chatter):
    """Gives the fitting reply to every line of the driver."""

    remembers = False

    def get_response(self, conv_array: list[str]) -> str:
        """Return the fitting reply; `UNKNOWN` to anything else."""
        return _find_replies().get(conv_array[-1], UNKNOWN) if conv_array else UNKNOWN
