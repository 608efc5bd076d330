"""The little words of a sentence, without which it still says the same."""

from collections.abc import Sequence
from functools import cache

from chattest.text.lexicon import listed

_ASKED_ABOUT = frozenset(["i", "you", "we", "they", "my", "your", "our", "their", "the"])
"""Words that come after a "do" which only asks."""


def little_at(lows: Sequence[str]) -> list[int]:
    """The indexes of the words that may be lost, among the words of a text in lower case; at most a quarter at once.

    These are articles, forms of "be" and "do", and the like: none that names, counts, asks, denies or points a way.
    "Do" is one only where it helps another verb: "What do I do?" can lose the first.
    """
    little = _little()
    return [
        index
        for index, low in enumerate(lows)
        if low in little or (low == "do" and index + 1 < len(lows) and lows[index + 1] in _ASKED_ABOUT)
    ]


@cache
def _little() -> frozenset[str]:
    return frozenset(listed("little_words"))
