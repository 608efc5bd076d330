"""Look for one text in another without regard to capitals and spaces."""

import re


def contains(text: str, part: str) -> bool:
    """Return True if a text contains another; upper and lower case and the kind and number of spaces do not matter."""
    return _fold(part) in _fold(text)


def _fold(text: str) -> str:
    return re.sub(r"\s+", " ", text).strip().casefold()
