"""Prepares texts and numbers for display, and finds which words of a prompt were perturbed."""

import re
from difflib import SequenceMatcher
from enum import StrEnum
from math import isfinite

from chattest.text.escape import visible as visible


def shortened(text: str, most: int) -> str:
    """The text on one line, escaped and cut to at most `most` characters, with an ellipsis if it was cut."""
    line = " ".join(visible(text).split())
    return line if len(line) <= most else line[: most - 1].rstrip() + "…"


def finite(number: float | None) -> float | None:
    """The number, or `None` for one that JSON cannot hold."""
    return number if number is not None and isfinite(number) else None


class Change(StrEnum):
    """What a perturbation did to a piece of a prompt."""

    SAME = "same"
    ADDED = "added"
    """Only in the perturbed text."""
    REMOVED = "removed"
    """Only in the original."""


def changes(original: str, text: str) -> list[tuple[Change, str]]:
    """Both texts in pieces of whole words and spaces, marked as added, removed or the same.

    The pieces that are not REMOVED make up `text`; the pieces that are not ADDED make up `original`.
    """
    before, after = re.findall(r"\s+|\S+", original), re.findall(r"\s+|\S+", text)
    pieces = []
    for kind, low, high, start, end in SequenceMatcher(None, before, after, autojunk=False).get_opcodes():
        if kind == "equal":
            pieces.append((Change.SAME, "".join(after[start:end])))
            continue
        if high > low:
            pieces.append((Change.REMOVED, "".join(before[low:high])))
        if end > start:
            pieces.append((Change.ADDED, "".join(after[start:end])))
    return pieces
