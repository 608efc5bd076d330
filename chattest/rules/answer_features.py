"""Features of a pair of answers, from their words alone, that show whether both say the same."""

from __future__ import annotations

import re
from difflib import SequenceMatcher
from functools import lru_cache
from math import log

from chattest.rules.answer_values import join_spoken_numbers
from chattest.rules.negation import are_opposites
from chattest.rules.reading import read
from chattest.rules.sentiment import polarity
from chattest.rules.values.common import function_words, plain
from chattest.rules.values.compare import Value, agree_plainly, read_values
from chattest.rules.values.numerals import with_digits
from chattest.text.split import HYPHENATED_WORD

_SUM = re.compile(r"\b(?:plus|minus|times|take away)\b", re.IGNORECASE)

FEATURES = {
    "value": "1 where every value of one answer is in the other, -1 where one has another value, else 0",
    "value_missing": "1 where only one of them has a value",
    "name": "1 where one names what the other does, -1 where they name others, else 0; of words with capitals",
    "denied": "1 where only one of them denies",
    "denied_apart": "the same times the share of words that they have in common",
    "contrary": "1 where one says a word whose contrary is in the other",
    "declined": "1 where both refuse, or both do not know",
    "declined_otherwise": "1 where one refuses and the other does not know",
    "declined_one": "1 where one answers and the other refuses or does not know",
    "asked_back": "1 where one answers and the other only asks back",
    "overlap": "share, 0 to 1, of their words with a meaning that both have",
    "contained": "share of those of the shorter one that the longer one has",
    "turned": "how far their common words are in another order, 0 to 1",
    "feeling": "how far the polarity of one is from that of the other, 0 to 2",
    "length": "how much longer the longer one is: logarithm of the ratio of their words, cut to 2",
}
"""Feature -> what it measures."""


def equal(first: str, second: str) -> bool:
    """Return True if both have the same words, in any spelling of numbers."""
    return _read_plain_words(first) == _read_plain_words(second)


def _read_plain_words(text: str) -> list[str]:
    return with_digits(plain(join_spoken_numbers(text))).split()


def word_features(question: str, first: str, second: str) -> dict[str, float]:
    """Return the features of a pair of answers, by the names of `FEATURES`."""
    one, other = _read_meaning(first), _read_meaning(second)
    common, either, least = len(one & other), len(one | other), min(len(one), len(other))
    overlap = common / either if either else 1.0
    denied = float((read(first).denials % 2) != (read(second).denials % 2))
    lengths = sorted(max(1, len(HYPHENATED_WORD.findall(text))) for text in (first, second))
    return {
        **_compare_values(question, first, second),
        "name": _compare_names(question, first, second),
        "denied": denied,
        "denied_apart": denied * overlap,
        "contrary": float(are_opposites(one - other, other - one)),
        **_compare_acts(first, second),
        "overlap": overlap,
        "contained": common / least if least else 1.0,
        "turned": _measure_turned_order(first, second, one & other),
        "feeling": abs(polarity(first) - polarity(second)),
        "length": min(2.0, log(lengths[1] / lengths[0])),
    }


def word_apart(first: str, second: str) -> bool:
    """Return True if the answers differ in one word each."""
    one, other = _read_meaning(first), _read_meaning(second)
    return len(one - other) == len(other - one) == 1


def _measure_turned_order(first: str, second: str, common: frozenset[str]) -> float:
    """Return how far the words that both texts have differ in order, 0 to 1."""
    one, other = ([word for word in _read_plain_words(text) if word in common] for text in (first, second))
    return 1 - SequenceMatcher(None, one, other, autojunk=False).ratio() if one and other else 0.0


def _read_meaning(text: str) -> frozenset[str]:
    return read(with_digits(text)).content_words


def _compare_acts(first: str, second: str) -> dict[str, float]:
    both = {read(first).act, read(second).act}
    declining = both & {"refuses", "does not know"}
    return {
        "declined": float(bool(declining) and len(both) == 1),
        "declined_otherwise": float(len(declining) == 2),
        "declined_one": float(bool(declining) and "answers" in both),
        "asked_back": float("asks back" in both and len(both) == 2),
    }


def _compare_values(question: str, first: str, second: str) -> dict[str, float]:
    """Compare the values of the answers; values that the question names do not count."""
    one, other = (
        tuple(read_values(join_spoken_numbers(text), like=list(_read(back)))[0])
        for text, back in ((first, second), (second, first))
    )
    # What a sum in the question makes is its answer, and not a value that the question tells.
    parts = _SUM.split(join_spoken_numbers(question))
    in_question = tuple(value for part in parts for value in read_values(part, like=[*one, *other])[0])
    one, other = _drop_known(one, in_question), _drop_known(other, in_question)
    if not one or not other:
        return {"value": 0.0, "value_missing": float(bool(one) != bool(other))}
    sorts = {value.sort for value in one} & {value.sort for value in other}
    if not sorts:
        return {"value": 0.0, "value_missing": 1.0}
    agreed = all(_do_values_agree(_pick_sort(one, sort), _pick_sort(other, sort)) for sort in sorts)
    return {"value": 1.0 if agreed else -1.0, "value_missing": 0.0}


def _pick_sort(values: tuple[Value, ...], sort: str) -> tuple[Value, ...]:
    return tuple(value for value in values if value.sort == sort)


def _drop_known(values: tuple[Value, ...], known: tuple[Value, ...]) -> tuple[Value, ...]:
    return tuple(
        value for value in values if not any(value.sort == other.sort and _may_be_same(value, other) for other in known)
    )


def _do_values_agree(one: tuple[Value, ...], other: tuple[Value, ...]) -> bool:
    """Return True if every value of one side is on the other side too."""
    sides = (one, other), (other, one)
    return any(all(any(_may_be_same(a, b) for b in theirs) for a in ours) for ours, theirs in sides)


def _may_be_same(a: Value, b: Value) -> bool:
    """Return True if two values of a sort may be the same; one may lack a part that the other has."""
    return agree_plainly(a, b) is not False or agree_plainly(b, a) is not False


@lru_cache(maxsize=1024)
def _read(text: str) -> tuple[Value, ...]:
    return tuple(read_values(join_spoken_numbers(text))[0])


def _compare_names(question: str, first: str, second: str) -> float:
    """Compare the words with capitals that the question does not have."""
    in_question = {word.casefold() for word in HYPHENATED_WORD.findall(question)}
    one, other = (_find_names(text) - in_question for text in (first, second))
    if not one or not other:
        return 0.0
    return 1.0 if one <= other or other <= one else -1.0 if not one & other else 0.0


_NEAR = 64
"""Characters before a word that tell whether it begins a sentence."""


def _find_names(text: str) -> set[str]:
    """Return the names in a text, in lower case.

    A name is a word with a capital that does not begin a sentence, or begins it and is no usual word.
    """
    names = set()
    for match in HYPHENATED_WORD.finditer(text):
        before = text[max(match.start() - _NEAR, 0) : match.start()].rstrip(" \"'(*-")
        begins = not before or before[-1] in ".!?:\n"
        if match[0][0].isupper() and not begins and match[0].casefold() not in function_words() and match[0][0] != "I":
            names.add(re.sub(r"['’]s$", "", match[0].casefold()))
    return names
