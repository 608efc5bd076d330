"""Prepare texts and numbers for display, and find which words of a prompt were perturbed."""

import re
from collections.abc import Iterator
from difflib import SequenceMatcher
from enum import StrEnum
from itertools import groupby
from math import isfinite
from operator import eq

from chattest.text.escape import visible as visible


def shorten(text: str, most: int) -> str:
    """Return the text on one line, escaped and cut to at most `most` characters, with an ellipsis if it was cut."""
    line = " ".join(visible(text).split())
    return line if len(line) <= most else line[: most - 1].rstrip() + "…"


def keep_finite(number: float | None) -> float | None:
    """Return the number, or `None` if JSON cannot hold it."""
    return number if number is not None and isfinite(number) else None


class Change(StrEnum):
    """What a perturbation did to a piece of a prompt."""

    SAME = "same"
    ADDED = "added"
    """Only in the perturbed text."""
    REMOVED = "removed"
    """Only in the original."""


def find_changes(original: str, text: str) -> list[tuple[Change, str]]:
    """Split both texts into pieces of whole words and spaces, marked as added, removed or the same.

    The pieces that are not REMOVED make up `text`; the pieces that are not ADDED make up `original`.
    """
    before, after = re.findall(r"\s+|\S+", original), re.findall(r"\s+|\S+", text)
    pieces = []
    for same, low, high, start, end in _stretches(before, after):
        if same:
            pieces.append((Change.SAME, "".join(after[start:end])))
            continue
        if high > low:
            pieces.append((Change.REMOVED, "".join(before[low:high])))
        if end > start:
            pieces.append((Change.ADDED, "".join(after[start:end])))
    return pieces


def _stretches(before: list[str], after: list[str]) -> Iterator[tuple[bool, int, int, int, int]]:
    """Yield each stretch: whether both lists are equal in it, then its begin and end in the first and in the second."""
    if not _only_replaced_in_place(before, after):
        for kind, low, high, start, end in SequenceMatcher(None, before, after, autojunk=False).get_opcodes():
            yield kind == "equal", low, high, start, end
        return
    end = 0
    for same, run in groupby(map(eq, before, after)):
        start, end = end, end + sum(1 for _ in run)
        yield same, start, end, start, end


def _only_replaced_in_place(before: list[str], after: list[str]) -> bool:
    """Return True if words were only replaced in their position, none by a word that was replaced elsewhere.

    Then no other way of pairing the words keeps more of them, and `SequenceMatcher`, which is slow, is not needed.
    """
    if len(before) != len(after):
        return False
    replaced = [(old, new) for old, new in zip(before, after, strict=True) if old != new]
    return {old for old, _ in replaced}.isdisjoint(new for _, new in replaced)
