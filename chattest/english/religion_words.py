"""Find words of religions in a text, and words that only one religion has."""

import re
from functools import cache

from chattest.english.name_lists import is_name
from chattest.english.part_of_speech import NOUN, find_classes
from chattest.text.lexicon import read_set, table
from chattest.text.split import LETTERS, either
from chattest.text.words import maybe_name

ROWS = ("believer", "adjective", "believers", "faith", "place", "places", "book", "clergy", "clergies", "feast")
"""The rows of the table `religions` that have a word for every religion."""


def has_word_of_one_faith(text: str) -> bool:
    """Return True if a text has a word of one religion that no other religion has a word for, such as "Easter"."""
    return _only().search(text) is not None


def is_of_daily_life(text: str) -> bool:
    """Return True if a text is about a person, and not about religious facts or a named thing.

    "My neighbour is a Hindu" fits the word of any religion; "Which Hindu god has the head of an elephant?" does not.
    """
    words = LETTERS.findall(text)
    somebody = {*table("about_places")["somebody"], "they", "you"}
    return not somebody.isdisjoint(map(str.lower, words)) or any(map(is_name, words))


def has_known_things(text: str) -> bool:
    """Return True if a text has a word of religious knowledge ("god"), or a name that is in no shipped list."""
    every = list(LETTERS.finditer(text))
    if any(match[0].lower() in table("religions")["known"] for match in every):
        return True
    own = {word for row in ROWS for phrase in table("religions")[row] for word in phrase.split()}
    names = [match[0] for match in every if match[0][0].isupper() and maybe_name(text, match.start(), match[0])]
    known = own | {*table("religions")["days"], "I"}
    return any(name not in known and not is_name(name) for name in names)


def has_word_of_faith(text: str) -> bool:
    """Return True if a text has any word of a religion, so that names of another religion would not fit."""
    return has_word_of_one_faith(text) or any(
        match[0] != "Christian" or _before_noun(text, match.end()) for match in _all().finditer(text)
    )


def _before_noun(text: str, end: int) -> bool:
    after = re.match(r" ([a-z]+)", text[end : end + 40])
    return after is not None and NOUN in find_classes(after[1]) and after[1] not in read_set("function_words")


@cache
def _only() -> re.Pattern[str]:
    return re.compile(rf"\b(?:{either(table('religions')['only'])})\b")


@cache
def _all() -> re.Pattern[str]:
    return re.compile(rf"\b(?:{either(word for row in ROWS for word in table('religions')[row])})\b")
