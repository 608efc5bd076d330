"""What all modules of this package share: how values compare, plain text, and the words of `values.toml`."""

import re
import unicodedata
from enum import Enum
from functools import cache, lru_cache
from typing import Any

from chattest.rules.tables import read_table


class Agreement(Enum):
    """How a text's value compares with the expected one."""

    SAME = "same"
    """The text gives the expected value."""
    DIFFERENT = "different"
    """The text gives another value of the same sort, or only a part of the expected one."""
    UNKNOWN = "unknown"
    """A side has no known value, or the text gives both the expected value and another."""


_VULGAR = re.compile(r"(\d?) ?([¼½¾⅐-⅞])")
_ABBREVIATED = re.compile(r"\b([a-z])\.(?=[a-z]\b)")
_THOUSANDS = re.compile(r"(?<=\d),(?=\d{3}\b)")
_SENTENCE_MARK = re.compile(r"[.,:](?!\d)|(?<!\d)[.,:](?=\s|$)")
_MARK = re.compile(r"[^\w\s.,:%°$€£¥₹/+-]|\+(?!\s|$)|(?<=[a-z])-(?=[a-z])")
_TIMES = re.compile(r"(?<=\d)x(?=\d)")
_SPACES = re.compile(r"\s+")


@lru_cache(maxsize=4096)  # every reply is compared by several features
def plain(text: str) -> str:
    """Return the text in lower case, without accents, and only with the punctuation of numbers, times and prices."""
    if not text.isascii():
        text = unicodedata.normalize("NFKD", _VULGAR.sub(r"\1 \2", text.replace("’", "'"))).replace("⁄", "/")
        text = "".join(letter for letter in text if not unicodedata.combining(letter))
    text = _TIMES.sub(" x ", _ABBREVIATED.sub(r"\1", text.lower()))  # u.s.a., p.m.; 45x60
    text = _SENTENCE_MARK.sub(" ", _THOUSANDS.sub("", text))
    return _SPACES.sub(" ", _MARK.sub(" ", text)).strip()


@cache
def knowledge() -> dict[str, Any]:
    """Return the tables of `values.toml`."""
    return read_table("values/values")


@cache
def function_words() -> frozenset[str]:
    """Return the words that are no name and no part of an answer."""
    return frozenset(word for line in knowledge()["words"]["function"] for word in line.split())
