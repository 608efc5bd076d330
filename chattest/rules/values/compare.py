"""Compares names, numbers, dates, times, prices and places by value, not as strings or embeddings.

For a sentence embedding, "Tuesday" and "Thursday", or "13" and "12", are almost the same. For a string comparison,
"twelve" and "12" have nothing in common. `compare` parses both sides into values ("half past six" is 6:30 or 18:30,
"ten bucks" is 10 dollars, "NYC" is New York) and says whether they agree. Everything that it cannot decide is `UNKNOWN`
and left to the models. Its vocabulary is in `values.toml`.

It only compares values and ignores what is said about them, but for bounds: "not Tuesday" contains the value Tuesday,
"less than 300" is another value than 300. Pass it the answer that a reading model extracted from a reply, not a reply
that may deny or quote the value.
"""

from __future__ import annotations

import math
import re
from dataclasses import replace
from functools import lru_cache

from chattest.rules.values.common import Agreement, plain
from chattest.rules.values.names import compare_names
from chattest.rules.values.numerals import NUMBER_WORDS
from chattest.rules.values.parse import AMOUNTS, Value, in_order, prepare, read_values
from chattest.rules.values.spelling import is_mistyped
from chattest.rules.values.sums import is_unfinished
from chattest.rules.values.units import agree_measures, base_of, is_converted, units

__all__ = ["Agreement", "Value", "agree_plainly", "compare", "in_order", "only_bounded", "read_values"]

_ONE_UNIT = re.compile(r"^\W*an? ", re.IGNORECASE)
_ROUNDED_SHARE = 0.006
"""How far a share said in per cent may be from one said as a fraction: 33 % is a third."""
_COUNTED = {"number", "digits", "price", "time", "date"}
"""Sorts that are told by numbers."""
_SHORTEST_MISSPELT = 4
_NAMED = {"place", "language"}
"""Sorts of which not every name is known."""
_SHORT = 8
"""Words of a reply that tells one thing; in a longer one the names of other things stand too."""


def compare(expected: str, text: str, only_same: bool = False) -> Agreement:
    """Return whether a text gives the expected value.

    A value with an open part agrees with every value that fits it ("6:30" with "18:30", "10" with "$10"). If the text
    leaves out a part that the expected value has ("May" for "May 3"), the result is `UNKNOWN`.

    Args:
        expected: The right answer, such as "12", "May 3", "half past six", "New York" or "red and white".
        text: What was answered, preferably the answer alone and not a whole reply.
        only_same: Whether only `SAME` matters; then `DIFFERENT` may come as `UNKNOWN`, and no large word list is
            loaded.
    """
    if plain(expected).split() == plain(text).split() != []:
        return Agreement.SAME
    wanted, rest = _read_expected(expected)
    if not wanted:
        return compare_names(expected, text, only_same)
    given = _read_like(text, wanted)
    wanted = _as_weights(wanted, given)
    if is_unfinished(plain(text)) and is_unfinished(prepare(text, list(wanted))):
        return Agreement.UNKNOWN
    agreement = _compare_values(wanted, rest, given, expected, text)
    if only_same:
        return agreement
    # A number that is misspelt is not read, so that what is read is not all that is told.
    is_misread = agreement is Agreement.DIFFERENT and any(value.sort in _COUNTED for value in wanted)
    return Agreement.UNKNOWN if is_misread and any(map(_is_misspelt_number, plain(text).split())) else agreement


def _compare_values(
    wanted: tuple[Value, ...], rest: frozenset[str], given: tuple[Value, ...], expected: str, text: str
) -> Agreement:
    """Compare the values of a text with those of the expected answer, whose other words are `rest`."""
    verdicts = [[_agree(value, other) for other in given if other.sort == value.sort] for value in wanted]
    if not any(verdicts) and _of_another_kind(wanted, given):
        return Agreement.DIFFERENT
    if any(not row for row in verdicts) and not any(True in row for row in verdicts):
        comparable = any(False in row for row in verdicts)
        if not comparable and all(value.sort in _NAMED for value in wanted) and len(text.split()) <= _SHORT:
            return compare_names(expected, text)
        return Agreement.DIFFERENT if comparable else Agreement.UNKNOWN
    if any(None in row and True not in row for row in verdicts):
        return Agreement.UNKNOWN
    if not all(True in row for row in verdicts):
        return Agreement.DIFFERENT
    sorts = {value.sort for value in wanted}
    others = any(
        other.sort in sorts and not any(_agree(value, other) for value in wanted if value.sort == other.sort)
        for other in given
    )
    return Agreement.UNKNOWN if others or not rest <= set(plain(text).split()) else Agreement.SAME


@lru_cache(maxsize=16384)  # most words come again and again
def _is_misspelt_number(word: str) -> bool:
    return len(word) > _SHORTEST_MISSPELT and word not in NUMBER_WORDS and is_mistyped(word, NUMBER_WORDS)


def _of_another_kind(wanted: tuple[Value, ...], given: tuple[Value, ...]) -> bool:
    """Return True if the wanted amount is given of something else: 213 litres for 213 euros, 20 cents for 20 %."""
    amounts = {value.content[value.sort == "price"]: value.sort for value in wanted if value.sort in AMOUNTS}
    return any(
        value.sort in AMOUNTS
        and (value.sort == "price" or value.content[1] is not None)
        and amounts.get(_face(value), value.sort) != value.sort
        for value in given
    )


def _face(value: Value) -> float:
    """Return the number of an amount, whatever it is of."""
    amount: float = value.content[value.sort == "price"]
    return amount


def _as_weights(wanted: tuple[Value, ...], given: tuple[Value, ...]) -> tuple[Value, ...]:
    """Return the wanted pounds as weights, where the text gives a weight and no price."""
    sorts = {base_of(value.content[1]) if value.sort == "number" else value.sort for value in given}
    if "gram" not in sorts or "price" in sorts or any(value.sort != "price" for value in wanted):
        return wanted
    if any(value.content[0] != "pound" for value in wanted):
        return wanted
    return tuple(replace(value, sort="number", content=(value.content[1], "lb")) for value in wanted)


def only_bounded(expected: str, text: str) -> bool:
    """Return True if a text has an expected value, and only as the bound of another: "less than 300 euros" for 300."""
    wanted, _ = _read_expected(expected)
    if not wanted or any(value.bound for value in wanted):
        return False
    given = _read_like(text, wanted)
    named = [other for value in wanted for other in given if other.sort == value.sort and agree_plainly(value, other)]
    return bool(named) and all(other.bound and not other.bound.endswith("=") for other in named)


@lru_cache(maxsize=1024)  # one answer is expected of many replies
def _read_expected(expected: str) -> tuple[tuple[Value, ...], frozenset[str]]:
    values, rest = read_values(_ONE_UNIT.sub("1 ", expected) if _one_of_a_unit(expected) else expected)
    return tuple(values), frozenset(rest)


def _one_of_a_unit(expected: str) -> bool:
    """Return True if an answer is "a week" or "an hour"; a longer text may use it as a rate ("60 km an hour")."""
    words = plain(expected).split()
    return len(words) == 2 and words[0] in ("a", "an") and words[1] in units()


@lru_cache(maxsize=256)  # one reply is compared in several ways, one after the other
def _read_like(text: str, wanted: tuple[Value, ...]) -> tuple[Value, ...]:
    return tuple(read_values(text, like=list(wanted))[0])


def _agree(value: Value, other_value: Value) -> bool | None:
    """Return whether the other value is the expected one; `None` if it leaves out a part that decides."""
    agreement = agree_plainly(value, other_value)
    if agreement is None or value.bound[:1] == other_value.bound[:1]:
        return agreement
    if agreement:
        # "at least 300" may be 300; "more than 300" is not.
        return None if (other_value.bound or value.bound).endswith("=") else False
    if value.sort == "number" and is_converted(value.content[1], other_value.content[1]):
        return None  # "just under five kilometres" are three miles
    # "two hours before six" may be four, and 250 may be what "under 300" meant.
    return None if value.bound or other_value.bound == "from" else False


def agree_plainly(value: Value, other_value: Value) -> bool | None:
    """Return whether the other value, of the same sort, is the expected one, without regard to bounds.

    `None` if it leaves out a part that decides.
    """
    a, b = value.content, other_value.content
    if value.sort == "time":
        return bool(a.agrees(b))
    if value.sort == "date":
        if any(x is not None and y is not None and x != y for x, y in zip(a, b, strict=True)):
            return False
        return None if any(x is not None and y is None for x, y in zip(a[1:], b[1:], strict=True)) else True
    if value.sort == "price":
        return math.isclose(a[1], b[1]) and (a[0] is None or b[0] is None or a[0] == b[0])
    if value.sort == "number":
        return agree_measures(a, b)
    if value.sort == "share":
        return math.isclose(a, b, abs_tol=_ROUNDED_SHARE)
    return bool(a == b)
