"""Find words of religions in a text, and words that only one religion has."""

import re
from functools import cache

from chattest.english.name_lists import is_name
from chattest.english.part_of_speech import is_common_noun
from chattest.text.lexicon import table
from chattest.text.split import LETTERS, either
from chattest.text.words import maybe_name

ROWS = ("believer", "adjective", "believers", "faith", "place", "places", "book", "clergy", "clergies", "feast")
"""The rows of the table `religions` that have a word for every religion."""
_NEXT = re.compile(r" ([a-z]+)")


def has_word_of_one_faith(text: str) -> bool:
    """Return True if a text has a word of one religion that no other religion has a word for, such as "Easter"."""
    return _make_pattern_of_one().search(text) is not None


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
        match[0] != "Christian" or ((after := _NEXT.match(text, match.end())) and is_common_noun(after[1]))
        for match in _make_pattern_of_all().finditer(text)
    )


@cache
def _make_pattern_of_one() -> re.Pattern[str]:
    return re.compile(rf"\b(?:{either(table('religions')['only'])})\b")


@cache
def _make_pattern_of_all() -> re.Pattern[str]:
    return re.compile(rf"\b(?:{either(word for row in ROWS for word in table('religions')[row])})\b")
