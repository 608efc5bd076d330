"""The unit that a question asks for, which a bare number leaves out: "How many miles is it?" - "40"."""

import re
from functools import lru_cache

from chattest.rules.values.fractions import with_shares
from chattest.rules.values.numerals import with_digits
from chattest.rules.values.plain import plain
from chattest.rules.values.units import units

_AGE = re.compile(r"\bhow old\b|\b(?:what|which) age\b|\b(?:what is|what s|whats) \w{1,20}(?: \w{1,20})? age\b")
_HOW_MANY = re.compile(r"\bhow many ((?:degrees )?[a-z]+)\b")
COUNTED = "things"
"""The unit of what is counted: two weeks are no two of them."""
_NUMBER = re.compile(r"\d+(?:\.\d+)?")


@lru_cache(maxsize=1024)
def with_unit(expected: str, question: str) -> str:
    """An expected answer with the unit that the question asks for, if it is a number without one, else as it is.

    "40" for "How many miles is it?" becomes "40 miles": forty kilometres are no right answer then. What is
    counted gets the unit "things".
    """
    if not _NUMBER.fullmatch(with_digits(with_shares(plain(expected)))):
        return expected
    asked = plain(question)
    if _AGE.search(asked):
        return f"{expected} years"
    unit = _HOW_MANY.search(asked)
    if not unit:
        return expected
    return f"{expected} {unit[1] if unit[1] in units() else COUNTED}"
