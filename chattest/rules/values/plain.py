"""A text as values are read from it."""

import re
import unicodedata
from functools import lru_cache

_VULGAR = re.compile(r"(\d?) ?([¼½¾⅐-⅞])")
_ABBREVIATED = re.compile(r"\b([a-z])\.(?=[a-z]\b)")
_THOUSANDS = re.compile(r"(?<=\d),(?=\d{3}\b)")
_SENTENCE_MARK = re.compile(r"[.,:](?!\d)|(?<!\d)[.,:](?=\s|$)")
_MARK = re.compile(r"[^\w\s.,:%°$€£¥₹/+-]|\+(?!\s|$)|(?<=[a-z])-(?=[a-z])")
_TIMES = re.compile(r"(?<=\d)x(?=\d)")
_SPACES = re.compile(r"\s+")


@lru_cache(maxsize=4096)  # every reply is compared by several features
def plain(text: str) -> str:
    """The text in lower case, without accents, and only with the punctuation of numbers, times and prices."""
    if not text.isascii():
        text = unicodedata.normalize("NFKD", _VULGAR.sub(r"\1 \2", text.replace("’", "'"))).replace("⁄", "/")
        text = "".join(letter for letter in text if not unicodedata.combining(letter))
    text = _TIMES.sub(" x ", _ABBREVIATED.sub(r"\1", text.lower()))  # u.s.a., p.m.; 45x60
    text = _SENTENCE_MARK.sub(" ", _THOUSANDS.sub("", text))
    return _SPACES.sub(" ", _MARK.sub(" ", text)).strip()
