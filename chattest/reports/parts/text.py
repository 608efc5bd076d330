"""Making what a bot said and scored safe to show, and finding which words of a prompt were perturbed."""

import re
from difflib import SequenceMatcher
from enum import StrEnum
from math import isfinite

# Shown as escapes: control characters but tab and line feed, halves of surrogate pairs and U+FFFE and U+FFFF (XML
# carries none of them), line separators, and the marks that reverse the reading order of what follows.
_UNSEEN = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f\u2028-\u202e\u2066-\u2069\ud800-\udfff\ufffe\uffff]")


def _escape(match: re.Match[str]) -> str:
    code = ord(match.group())
    return f"\\x{code:02x}" if code < 0x100 else f"\\u{code:04x}"


def visible(text: str) -> str:
    """The text with every character that cannot be seen or printed as a Python escape, such as `\\x1b`.

    Tabs and line breaks stay; a carriage return before a line feed is part of the break.
    """
    return _UNSEEN.sub(_escape, text.replace("\r\n", "\n"))


def shortened(text: str, most: int) -> str:
    """The text on one line, visible, at most `most` characters with an ellipsis where it was cut."""
    line = " ".join(visible(text).split())
    return line if len(line) <= most else line[: most - 1].rstrip() + "…"


def finite(number: float | None) -> float | None:
    """The number, or `None` for one that JSON cannot hold."""
    return number if number is not None and isfinite(number) else None


class Change(StrEnum):
    """What a perturbation did to a piece of a prompt."""

    SAME = "same"
    ADDED = "added"
    """Stands in the perturbed text only."""
    REMOVED = "removed"
    """Stands in the original only."""


def changes(original: str, text: str) -> list[tuple[Change, str]]:
    """`text` in pieces of whole words and gaps, told apart by whether they stand in `original` too.

    Joined, the pieces that are not REMOVED give `text`; those that are not ADDED give `original`.
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
