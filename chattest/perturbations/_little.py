"""The little words of a sentence, without which it still says the same."""

from functools import cache

from chattest.text.lexicon import listed
from chattest.text.words import Word, words

_ASKED_ABOUT = frozenset(["i", "you", "we", "they", "my", "your", "our", "their", "the"])
"""Words that come after a "do" which only asks."""


def little_words(text: str) -> list[Word]:
    """The words of a text that may be lost, in order; at most a quarter of all words at once.

    These are articles, forms of "be" and "do", and the like: none that names, counts, asks, denies or points a way.
    "Do" is one only where it helps another verb: "What do I do?" can lose the first.
    """
    found = words(text)
    after = [word.text.lower() for word in found[1:]] + [""]
    return [
        word
        for word, following in zip(found, after, strict=False)
        if word.text.lower() in _little() or (word.text.lower() == "do" and following in _ASKED_ABOUT)
    ]


@cache
def _little() -> frozenset[str]:
    return frozenset(listed("little_words"))
