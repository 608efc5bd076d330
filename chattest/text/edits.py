"""Edits of a text by position, and stretches that are protected from edits."""

import re
from collections.abc import Callable, Iterable, Sequence
from typing import NamedTuple

from chattest.text.lexicon import read_set
from chattest.text.words import PROTECTED_MARK

_SILENT_H = ("hour", "honest", "honour", "honor", "heir", "hr")
_LIKE_YOU = re.compile("uni[foqtv]|us[eu]|uti|uk|uru|ugan|eu|ewe|one|once")
"""What begins a word that sounds as "you" or "won" does."""
_ARTICLE = re.compile(r"(?:^|[^\w'’])(an?)\s+$", re.IGNORECASE)


class Change(NamedTuple):
    """`text[start:end]` becomes `new`."""

    start: int
    end: int
    new: str


def change(text: str, changes: Iterable[Change]) -> str:
    """Apply the changes, which must not overlap."""
    parts: list[str] = []
    done = 0
    for start, end, new in sorted(changes):
        parts += (text[done:start], new)
        done = end
    parts.append(text[done:])
    return "".join(parts)


def removal(text: str, start: int, end: int) -> Change:
    """Return the change that removes `text[start:end]`, with spaces that would be left doubled or at either end."""
    if start == 0 or text[start - 1].isspace():
        if end == len(text):
            start = len(text[:start].rstrip())
        else:
            end = len(text) - len(text[end:].lstrip())
    return Change(start, end, "")


def with_article(text: str, start: int, end: int, new: str) -> Change:
    """Return the change of `text[start:end]` to `new`, with an "a" or "an" in front adapted to it."""
    if text[max(start - 2, 0) : start] not in ("a ", "A ", "n ", "N "):  # fast path: no article in front
        return Change(start, end, new)
    article = _ARTICLE.search(text[max(start - 40, 0) : start])
    if article is None:
        return Change(start, end, new)
    begin = max(start - 40, 0) + article.start(1)
    return Change(begin, end, f"{text[begin]}{'n' if takes_an(new) else ''} {new}")


def takes_an(phrase: str) -> bool:
    """Return True if the article before a phrase is "an", by how its first word sounds: "an hour", "an 8-year-old"."""
    low = phrase.lower()
    if low[:1].isdigit():
        return re.match(r"8|1[18](?!\d)", low) is not None
    return low.startswith(_SILENT_H) or (low.startswith(tuple("aeiou")) and not _LIKE_YOU.match(low))


def match_case(new: str, old: str) -> str:
    """Write `new` in the case of `old`: all capitals, a capital at the beginning, or unchanged."""
    if old.isupper() and len(old) > 1:
        return new.upper()
    if old[:1].isupper():
        return new[:1].upper() + new[1:]
    return new


def spans(text: str, keep: Iterable[str]) -> list[tuple[int, int]]:
    """Return the positions of the stretches in `keep`, as whole words in any letter case. They do not overlap."""
    # Longest first, so that "New York" is not cut by "York".
    wanted = sorted({stretch.strip() for stretch in keep} - {""}, key=lambda stretch: (-len(stretch), stretch))
    if not wanted:
        return []
    # A word boundary only if the stretch begins or ends with a word character: "C++" also matches in "C++x".
    patterns = (
        (r"(?<!\w)" if re.match(r"\w", stretch) else "")
        + re.escape(stretch)
        + (r"(?!\w)" if re.search(r"\w\Z", stretch) else "")
        for stretch in wanted
    )
    return [match.span() for match in re.finditer("|".join(patterns), text, re.IGNORECASE)]


def protect(text: str, keep: Sequence[str]) -> tuple[str, Callable[[str], str | None]]:
    """Replace every stretch of `keep` by a private-use character; return the text and a function that restores them.

    The function returns `None` for a text that lost one.
    """
    taken = set(text)
    marks = (chr(code) for code in range(0xF0000, 0xF1000) if chr(code) not in taken)
    behind: dict[str, str] = {}
    changes = []
    for (start, end), mark in zip(spans(text, keep), marks, strict=False):
        behind[mark] = text[start:end]
        changes.append(Change(start, end, mark))

    def restore(altered: str) -> str | None:
        if not all(mark in altered for mark in behind):
            return None
        return PROTECTED_MARK.sub(lambda match: behind.get(match.group(), match.group()), altered)

    return change(text, changes), restore


def uncapitalised(sentence: str) -> str:
    """Write a sentence as inside another: its first letter small, except for names and "I"."""
    first = re.split(r"[\s'’]", re.sub(r"n['’]t\b", "", sentence, count=1), maxsplit=1)[0]
    small = first.lower() in read_set("function_words") and first != "I"
    return sentence[:1].lower() + sentence[1:] if small else sentence
