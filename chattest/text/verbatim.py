"""Finds what a text says word for word: quotations, and phrases that nobody puts into other words."""

import re
from collections.abc import Iterable
from functools import cache

from chattest.text.edits import Change
from chattest.text.lexicon import listed

# The last one is in single marks: an apostrophe inside has a letter behind it.
_QUOTED = re.compile(
    r"\"[^\"]*\"|“[^“”]*”|„[^„“”]*[“”]|«[^«»]*»|(?<!\w)['‘](?=\w)(?:[^'’\n]|['’](?=\w)){1,200}['’](?!\w)"
)


def verbatim(text: str) -> list[tuple[int, int]]:
    """The positions of the quotations and of the shipped set phrases ("kick the bucket") of a text."""
    quotations = [match.span() for match in _QUOTED.finditer(text)] if any(mark in text for mark in "\"'“‘„«") else []
    return quotations + [match.span() for match in _set_phrases().finditer(text)]


def free(text: str, changes: Iterable[Change]) -> list[Change]:
    """Those of the changes that touch no quotation and no set phrase."""
    changes = list(changes)
    fixed = verbatim(text) if changes else []
    if not fixed:
        return changes
    return [new for new in changes if not any(new.start < end and start < new.end for start, end in fixed)]


@cache
def _set_phrases() -> re.Pattern[str]:
    phrases = sorted(listed("set_phrases"), key=lambda phrase: (-len(phrase), phrase))
    either = "|".join(re.escape(phrase).replace("'", "['’]") for phrase in phrases)
    return re.compile(rf"\b(?:{either})\b", re.IGNORECASE)
