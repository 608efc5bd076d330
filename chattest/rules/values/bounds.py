"""Finds the words that make a value a bound: "less than 300", "after nine", "300 or more".

"About 300" and "around 300" stand for the value itself. "Almost 300" does not: who says so knows that it is less.
"""

import re
from collections.abc import Iterator
from typing import Literal

from chattest.rules.values.common import knowledge

Bound = Literal["", "<", "<=", ">", ">=", "from"]
"""Empty for the value itself; "<=" and ">=" include it ("at most", "at least"); "from" where another value is counted
from it: "two hours before six", "the day after Monday"."""

_FAR = 40
"""Number of characters beside a value in which the words of its bound stand."""


def _read_leading_words() -> Iterator[tuple[Bound, str]]:
    for bound, words in knowledge()["bounds"].items():
        for name, either in knowledge()["bound_words"].items():
            words = words.replace(name, either)
        yield bound, words


_LEADING_WORDS = list(_read_leading_words())
_LEADING = re.compile(
    rf"\b(?:{'|'.join(f'(?P<b{place}>{words})' for place, (_, words) in enumerate(_LEADING_WORDS))})"
    r"(?: (?:the|an?|my|your|on|at|that))?[ $€£¥₹]{0,2}$"
)
_TRAILING = re.compile(
    r" ?(?:[a-z]{1,9} )?(?:(?P<below>or (?:less|fewer|under|below|earlier)\b|at (?:the )?most$|tops$|max(?:imum)?$)"
    r"|\+|plus$|or (?:more|over|above|later|older)\b|and (?:up|over|above|more)\b|at (?:the )?least$)"
)
_COUNTED = re.compile(
    r"(?:\b(?:\d+(?:\.\d+)?|an?|the)(?: (?!bit|little|lot|tad|touch)[a-z]+)?|~) +(?:more |earlier |later )?$"
)
"""What stands before "before" in "two hours before"."""
_OF_AMOUNTS = re.compile(r"\b(?:over|under|above|below|up to)\b")
_OF_MOMENTS = re.compile(r"\b(?:before|after|past)\b")


def bound_of(plain: str, start: int, end: int, *, amount: bool, moment: bool) -> Bound:
    """Return the bound that the words around `plain[start:end]` make of the value there.

    Args:
        plain: A text in lower case.
        start: The value's first character.
        end: The character after its last.
        amount: Whether the value can be "over" another; a time cannot.
        moment: Whether it can be "after" another; nine months cannot, as "after nine months" is how long something
            took.
    """
    near = plain[max(start - _FAR, 0) : start]
    leading = _LEADING.search(near)
    if leading and plain[start:end].split()[0] == "0" and _OF_AMOUNTS.search(leading[0]):
        return ""  # "seven below zero"
    if leading and (amount or not _OF_AMOUNTS.search(leading[0])) and (moment or not _OF_MOMENTS.search(leading[0])):
        if _COUNTED.search(near[: leading.start()]):
            return "from"
        return next(bound for place, (bound, _) in enumerate(_LEADING_WORDS) if leading[f"b{place}"])
    trailing = _TRAILING.match(plain[end : end + _FAR]) if amount else None
    if trailing:
        return "<=" if trailing["below"] else ">="
    return ""


def with_bound(part: str, text: str) -> str:
    """Return a part of a text with the words before it that make it a bound: "300 euros" of "Less than 300 euros."."""
    index = text.find(part)
    leading = _LEADING.search(text[max(index - _FAR, 0) : index].lower()) if index > 0 else None
    return leading[0] + part if leading else part
