"""Find gradable adjectives in a text, and form their comparatives and superlatives."""

import re
from functools import cache
from typing import NamedTuple

from chattest.english.tagged import find_token, read_tokens
from chattest.english.word_lists import read_word_list
from chattest.text.lexicon import read_set
from chattest.text.words import Word, words

_IRREGULAR = {"good": ("better", "best"), "bad": ("worse", "worst"), "far": ("farther", "farthest")}
_TWO = read_word_list("degrees", "two_syllables")
_DEGREE = read_word_list("degrees", "before")
_PAIRS = (["CC", "PRP"], ["CC", "NNP"])


class Adjective(NamedTuple):
    """A gradable adjective in a text: `text[start:end]`."""

    start: int
    end: int
    text: str
    before: str
    """The word in front, in lower case."""


def find_adjectives(text: str) -> list[Adjective]:
    """Return the gradable adjectives without a degree, in order."""
    gradable = read_set("gradable")
    matches = []
    before = ""
    for word in words(text):
        low = word.text.lower()
        if low in gradable and before not in _DEGREE and not _is_name(text, word):
            matches.append(Adjective(word.start, word.end, word.text, before))
        before = low
    return matches


def _is_name(text: str, word: Word) -> bool:
    """Return True if the word is somebody's name at the beginning of a sentence: "Sunny says", "Sunny and I"."""
    if not word.text[0].isupper():
        return False
    tokens = read_tokens(text)
    index = find_token(tokens, word.start)
    after = [token.tag for token in tokens[index + 1 : index + 3]]
    return text[word.end :][:1] == " " and (after[:1] in (["VBZ"], ["VBD"], ["MD"]) or after in _PAIRS)


def make_comparative(adjective: str) -> str:
    """Return the comparative of an adjective: "bigger", "more beautiful"."""
    return _form_degree(adjective, 0, "er", "more")


def make_superlative(adjective: str) -> str:
    """Return the superlative of an adjective: "biggest", "most beautiful"."""
    return _form_degree(adjective, 1, "est", "most")


def fits_degree(text: str, start: int, new: str) -> bool:
    """Return True if an adjective can follow at `start`: after "more" only one that takes it, not "more dull"."""
    before = re.search(r"\b(?:more|most|less|least) $", text[max(start - 6, 0) : start], re.IGNORECASE)
    return before is None or make_comparative(new).startswith("more ")


@cache
def read_bases() -> dict[str, str]:
    """Map every comparative and superlative of the shipped list to its adjective."""
    return {
        degree(word): word for word in sorted(read_set("gradable")) for degree in (make_comparative, make_superlative)
    }


def is_gradable(word: str) -> bool:
    """Return True if a lower-case word is one of the shipped gradable adjectives."""
    return word in read_set("gradable")


def _form_degree(adjective: str, column: int, ending: str, word: str) -> str:
    if adjective in _IRREGULAR:
        return _IRREGULAR[adjective][column]
    syllables = len(re.findall(r"[aeiouy]+", re.sub(r"ely$", "ly", adjective)))
    syllables -= adjective.endswith("e") and not adjective.endswith("le")
    if syllables > 2 or (syllables == 2 and not adjective.endswith("y") and adjective not in _TWO):
        return f"{word} {adjective}"
    if adjective.endswith("y") and adjective[-2] not in "aeiou":
        return adjective[:-1] + "i" + ending
    if adjective.endswith("e"):
        return adjective + ending[1:]
    if re.search(r"^[^aeiou]*[aeiou][^aeiouwxy]$", adjective):
        return adjective + adjective[-1] + ending
    return adjective + ending
