"""What a question asks for: the unit that a bare number leaves out, and the type of the answer."""

import re
from functools import lru_cache

from chattest.rules.values.common import knowledge, plain
from chattest.rules.values.numerals import with_digits, with_shares
from chattest.rules.values.parse import read_values
from chattest.rules.values.units import units

_AGE = re.compile(r"\bhow old\b|\b(?:what|which) age\b|\b(?:what is|what s|whats) \w{1,20}(?: \w{1,20})? age\b")
_HOW_MANY = re.compile(r"\bhow many ((?:degrees )?[a-z]+)\b")
COUNTED = "things"
"""The unit of what is counted: two weeks are no two of them."""
_NUMBER = re.compile(r"\d+(?:\.\d+)?")


@lru_cache(maxsize=1024)
def with_unit(expected: str, question: str) -> str:
    """Add the unit that the question asks for to an expected number without one; return others as they are.

    "40" for "How many miles is it?" becomes "40 miles": forty kilometres are no right answer then. What is counted gets
    the unit "things".
    """
    if not _NUMBER.fullmatch(with_digits(with_shares(plain(expected)))):
        return expected
    plain_question = plain(question)
    if _AGE.search(plain_question):
        return f"{expected} years"
    unit = _HOW_MANY.search(plain_question)
    if not unit:
        return expected
    return f"{expected} {unit[1] if unit[1] in units() else COUNTED}"


def answer_sort(question: str, answer: str) -> str:
    """Guess the type of an answer: `price`, `weekday`, `colour`, `name`, ...; empty where nothing shows it.

    The value that the answer is decides, else what the question asks for.
    """
    values, _ = read_values(answer)
    if values:
        return values[0].sort
    asked = knowledge()["asked"].items()
    fitting = (sort for sort, words in asked if re.search(rf"\b(?:{words})\b", question, re.IGNORECASE))
    return next(fitting, "")
