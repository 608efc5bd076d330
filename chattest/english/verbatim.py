"""Find text that has to stay word for word: quotations and set phrases."""

import re
from collections.abc import Iterable, Iterator
from functools import cache

from chattest.text.edits import Change
from chattest.text.lexicon import read_list

# The last one is in single marks: an apostrophe inside has a letter behind it.
_QUOTED = re.compile(
    r"\"[^\"]*\"|“[^“”]*”|„[^„“”]*[“”]|«[^«»]*»|(?<!\w)['‘](?=\w)(?:[^'’\n]|['’](?=\w)){1,200}['’](?!\w)"
)
_OPENS = re.compile("[\"'“‘„«]")
_WORD = re.compile(r"\w+")


def find_verbatim(text: str) -> list[tuple[int, int]]:
    """Return the positions of the quotations and of the shipped set phrases ("kick the bucket") of a text."""
    quotations = [match.span() for match in _QUOTED.finditer(text)] if _OPENS.search(text) else []
    return quotations + list(_find_phrases(text))


def keep_free(text: str, changes: Iterable[Change]) -> list[Change]:
    """Return the changes that touch no quotation and no set phrase."""
    changes = list(changes)
    fixed = find_verbatim(text) if changes else []
    if not fixed:
        return changes
    return [new for new in changes if not any(new.start < end and start < new.end for start, end in fixed)]


def _find_phrases(text: str) -> Iterator[tuple[int, int]]:
    """Return the positions of the set phrases, the longest at each position; they do not overlap."""
    beginning, done = _read_set_phrases(), 0
    if text.isascii() and beginning.keys().isdisjoint(_WORD.findall(text.lower())):
        return
    for word in _WORD.finditer(text):
        phrases = beginning.get(word[0].casefold())
        if phrases and word.start() >= done and (match := phrases.match(text, word.start())):
            yield match.span()
            done = match.end()


@cache
def _read_set_phrases() -> dict[str, re.Pattern[str]]:
    """Map each first word to the phrases that begin with it.

    Trying all phrases one after another everywhere takes far longer.
    """
    beginning: dict[str, list[str]] = {}
    for phrase in sorted(read_list("set_phrases"), key=lambda phrase: (-len(phrase), phrase)):
        first = re.split(r"\W", phrase)[0].casefold()
        beginning.setdefault(first, []).append(re.escape(phrase).replace("'", "['’]"))
    return {word: re.compile(rf"(?:{'|'.join(phrases)})\b", re.IGNORECASE) for word, phrases in beginning.items()}
