"""Denials and opposites: how often a text denies, and which words contradict each other.

Denials are looked for in several ways, which differ on purpose. `count_denials` reads whole sentences. `DENIES` is for
the clause before an answer, where "nobody" or "without" deny something else; `DENIES_PLAINLY` is for a reply under
pressure, where "can" may not be cut from "can't"; `asks_negatively` is for questions, where "yes" may then mean "no".
"""

import re
from collections.abc import Set
from functools import cache

from chattest.rules.tables import pattern, read_table, word_set
from chattest.text.lemmas import find_lemmas
from chattest.text.lexicon import table

DENIES = re.compile(r"\b(?:not|never|no|nor|neither|isn|wasn|aren|doesn|didn|don|cannot|can)(?:['’]?t)?\b(?<!\bcan)")
"""A word before an answer that denies it; for a text in lower case."""
DENIES_PLAINLY = re.compile(r"\b(?:no|not|never|neither|nor)\b|n['’]t\b", re.IGNORECASE)
_ANSWERS_NO = re.compile(r"\A\W*(?:no|nope|nah)\s*[,.!;:–-]\s*", re.IGNORECASE)

_PREFIXES = ("un", "in", "im", "ir", "il", "dis", "non", "non-")
_ALIKE = frozenset(("flammable", "habitable", "valuable"))
"""Adjectives that mean nearly the same with "in-"."""
_NO_PREFIX = frozenset(("side", "doors", "just", "even"))
_SHORTEST = 4
_PARTS_OF_SPEECH = frozenset(("NOUN", "VERB", "ADJ", "ADV", "AUX"))


def count_denials(text: str) -> int:
    """Return how many words of a text deny; "not only" and the like do not count."""
    straight = text.replace("’", "'")
    return len(pattern("negation", "denies").findall(pattern("negation", "denies_not").sub(" ", straight)))


def denies_clause(clause: str) -> bool:
    """Return True if a clause before an answer denies it."""
    return DENIES.search(pattern("negation", "denies_no_answer").sub("", clause.casefold())) is not None


def asks_negatively(question: str) -> bool:
    """Return True if a question has a denial, so that "yes" may mean "no"."""
    return pattern("negation", "asks_negatively").search(question) is not None


def drop_answering_no(text: str) -> str:
    """Return the text without a "no" that answers: "No, I don't." denies once."""
    return _ANSWERS_NO.sub("", text)


def denies_word(word: str) -> bool:
    """Return True if a word of an answer denies, as it is compared word by word ("is+not")."""
    return word in word_set("denies") or word.endswith("+not")


def are_opposites(only_first: Set[str], only_second: Set[str]) -> bool:
    """Return True if one text has a word whose opposite is in the other.

    Args:
        only_first: The words of the first text that the second does not have.
        only_second: The words of the second text that the first does not have.
    """
    return any(_read_opposites().get(word, frozenset()) & only_second for word in only_first)


@cache
def _read_opposites() -> dict[str, frozenset[str]]:
    """Return word -> its opposites, in both directions."""
    known: dict[str, set[str]] = {}
    rows = [(word, other) for word, others in table("adjective_antonyms").items() for other in others]
    for line in read_table("negation")["contraries"]:
        left, right = (side.split() for side in line.split(" - "))
        rows += [(word, other) for word in left for other in right]
    for word, other in rows:
        known.setdefault(word, set()).add(other)
        known.setdefault(other, set()).add(word)
    return {word: frozenset(others) for word, others in known.items()}


def is_negated_form(one: str, other: str) -> bool:
    """Return True if one word denies the other by its form: "reliable" and "unreliable", "useful" and "useless".

    Both must be in lower case.
    """
    short, long = sorted((one, other), key=len)
    if "less" in short + long:
        return short.replace("less", "ful") == long or long.replace("less", "ful") == short
    if len(short) < _SHORTEST or short in _ALIKE | _NO_PREFIX or long not in {prefix + short for prefix in _PREFIXES}:
        return False
    describes = long.startswith("non") or bool({"ADJ", "ADV"} & _find_parts_of_speech(long))
    return describes and bool(_find_parts_of_speech(short))


def _find_parts_of_speech(word: str) -> frozenset[str]:
    return _PARTS_OF_SPEECH & find_lemmas(word).keys() if word.replace("-", "").isalpha() else frozenset()
