"""Check that a setting's value can be written into the files of a run, and shown."""

from collections.abc import Mapping
from itertools import chain
from typing import Any

MOST_BITS = 10_000
"""Bits of the largest whole number; Python refuses to write one of more than 4,300 digits."""
DEEPEST = 50
"""Most lists and tables within one another."""


def unwritable(value: Any, depth: int = 0) -> str:
    """Return what in a value cannot be written, as words that follow the setting's name; empty if all can."""
    if isinstance(value, str):
        return _unwritable_text(value)
    if isinstance(value, int):
        return "holds a number of thousands of digits" if value.bit_length() > MOST_BITS else ""
    if not isinstance(value, Mapping | list | tuple | set | frozenset):
        return ""
    if depth == DEEPEST:
        return f"has more than {DEEPEST} lists or tables within one another"
    inside = chain(value, value.values()) if isinstance(value, Mapping) else value
    return next((what for inner in inside if (what := unwritable(inner, depth + 1))), "")


def _unwritable_text(text: str) -> str:
    if "\0" in text:
        return "holds a NUL character"
    try:
        text.encode()
    except UnicodeEncodeError:
        return "holds half a character"
    return ""
