"""Read contracted verbs in their context: "she's" as "she is" or "she has", and "I'd" as "I had" or "I would"."""

import re

from chattest.english.clause import inflect, lemmas
from chattest.english.word_lists import word_list

ADVERBS = word_list("contracted", "adverbs")
_HAS = word_list("contracted", "has")
_STATES = word_list("contracted", "states")
_OBJECTS = word_list("contracted", "objects")
_SAME = word_list("contracted", "same")
_PLURAL = word_list("contracted", "plural")
_WORD = re.compile(r"[^\W_]+(?:['’][^\W_]+)*")
_MARK = re.compile(r"[.,;:!?()\"“”\n]")
_MAYBE = frozenset(
    ("almost", "nearly", "even", "since", "long", "now", "then", "all", "both", "twice", "once", "yet", "far",
     "perhaps", "maybe", "again", "later", "apparently", "soon", "somehow", "neither", "either", "first")
)  # fmt: skip
"""Adverbs that stand between "has" and its participle as well as after "is"."""
_REACH = 80
"""How many characters before and after a contraction are read."""


def following(text: str, end: int) -> list[str]:
    """Return at most four words after `end`, in lower case, up to the next punctuation mark."""
    reach = min(end + _REACH, len(text))
    mark = _MARK.search(text, end, reach)
    stretch = text[end : mark.start() if mark else reach].lower().replace("’", "'")
    return _WORD.findall(stretch)[:4]


def preceding(text: str, start: int) -> list[str]:
    """Return the words of the clause before `start`, in lower case."""
    return _MARK.split(text[max(start - _REACH, 0) : start])[-1].lower().split()


def participle(word: str) -> bool:
    """Return True if a lower-case word is a past participle: "seen", "lived", "been", but not the ambiguous "put"."""
    return word == "been" or any(base != word and inflect(base, "VBN") == word for base in lemmas(word))


def is_or_has(after: list[str]) -> str:
    """Return what "'s" before these words means: "is", "has", or empty if it may be either."""
    words = _without_adverbs(after)
    if not words:
        return "is" if not after else ""
    first, second = words[0], words[1] if len(words) > 1 else ""
    if first in _HAS:
        return "has"
    if first in _STATES:
        return "" if second in _OBJECTS else "is"
    if not participle(first):
        hidden = (first in _MAYBE or first.endswith("ly")) and any(map(_done, words[1:3]))  # "he's simply forgotten"
        return "" if first in _SAME or first in _PLURAL or hidden else "is"
    return "has" if second in _OBJECTS or second.isdigit() else ""


def _done(word: str) -> bool:
    """Return True if a word may be the participle of something that somebody has done: "forgotten", "gone", "put"."""
    return word not in _STATES and (word in _HAS or word in _SAME or participle(word))


def had_or_would(after: list[str]) -> str:
    """Return what "'d" before these words means: "had", "would", or empty if it may be either."""
    words = _without_adverbs(after)
    first = words[0] if words else ""
    if first in ("better", "best", "been"):
        return "had"
    if first in ("rather", "sooner"):
        return "would"
    if not first or first in _SAME:
        return ""
    if first in lemmas(first):
        return "would"
    return "had" if participle(first) else "would" if first == "be" else ""


def _without_adverbs(words: list[str]) -> list[str]:
    at = next((index for index, word in enumerate(words) if word not in ADVERBS and word != "not"), len(words))
    return words[at:]
