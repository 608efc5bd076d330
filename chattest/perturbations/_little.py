"""Find the little words of a sentence, which it can lose without a change of meaning."""

from collections.abc import Sequence
from functools import cache

from chattest.text.lexicon import read_list

_ASKED_ABOUT = frozenset(["i", "you", "we", "they", "my", "your", "our", "their", "the"])
"""Words that come after a "do" which only asks."""


def find_little_words(lows: Sequence[str]) -> list[int]:
    """Return the indexes of the words that a text can lose, a quarter of them at most at once.

    These are articles, forms of "be" and "do", and the like: no word that names, counts, asks, denies or gives a
    direction. "Do" is one only if it helps another verb: "What do I do?" can lose the first. The words must be in lower
    case.
    """
    little = _read_little()
    return [
        index
        for index, low in enumerate(lows)
        if low in little or (low == "do" and index + 1 < len(lows) and lows[index + 1] in _ASKED_ABOUT)
    ]


@cache
def _read_little() -> frozenset[str]:
    return frozenset(read_list("little_words"))
