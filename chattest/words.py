"""Words of a text, changes at their places, stretches held back from change, and the lists that ship.

A *word* is what stands between blanks without the punctuation around it (`cat` in `cat?"`), in any script;
combining marks stay with their letters because only blanks and listed punctuation part words.
"""

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import cache, partial
from pathlib import Path
from random import Random
from typing import NamedTuple
from unicodedata import category

PUNCTUATION = "!\"#$%&'()*+,-./:;<=>?@[\\]^_`{|}~‘’“”„«»‹›…–—¡¿。、，！？：；（）「」؟،؛।"
"""What is not part of a word at its beginning or end."""
ENDING = ".?!…。？！؟।"
"""What can end a sentence."""

_HELD = "\U000f0000-\U000f0fff"
_HELD_MARK = re.compile(f"[{_HELD}]")
_CHUNK = re.compile(r"\S+")
_GRAPHEME = r"\X"
_SENTENCE_START = re.compile(rf"(?:^|[{re.escape(ENDING)}\n])[\W_]*$")
_ARTICLE = re.compile(r"(?:^|[^\w'’])(an?)\s+$", re.IGNORECASE)
_DATA = Path(__file__).parent / "perturbations" / "data"


class Word(NamedTuple):
    """A word and where it stands: `text[start:end]`."""

    start: int
    end: int
    text: str


_word: Callable[[tuple[int, int, str]], Word] = partial(tuple.__new__, Word)  # half the time of Word(...)


def words(text: str) -> list[Word]:
    """All words that may be changed, in order; those with a held-back stretch in them are left out."""
    found = movable(text)
    if text.isascii() or not _HELD_MARK.search(text):
        return found
    return [word for word in found if not _HELD_MARK.search(word.text)]


def movable(text: str) -> list[Word]:
    """All words in order, those with a held-back stretch included: fit to be moved, not to be changed."""
    found = []
    for match in _CHUNK.finditer(text):
        chunk = match[0]
        if chunk.isalnum():
            found.append(_word((match.start(), match.end(), chunk)))
        elif left := chunk.lstrip(PUNCTUATION):
            start, core = match.end() - len(left), left.rstrip(PUNCTUATION)
            found.append(_word((start, start + len(core), core)))
    return found


def count_words(text: str) -> int:
    """How many words a text has."""
    return sum(1 for chunk in text.split() if chunk.isalnum() or chunk.strip(PUNCTUATION))


def letters(word: str) -> list[str]:
    """What a reader sees as single letters: a letter with its combining marks, a joined emoji."""
    if word.isascii():
        return list(word)
    import regex

    found: list[str] = regex.findall(_GRAPHEME, word)
    return found


def has_letter(word: str) -> bool:
    """Whether any character is a letter, of any script."""
    return word.isalpha() or any(character.isalpha() for character in word)


def below(rng: Random, size: int) -> int:
    """A whole number from 0 to size - 1, the one that `rng.randrange(size)` would draw, in half the time."""
    bits = size.bit_length()
    drawn = rng.getrandbits(bits)
    while drawn >= size:
        drawn = rng.getrandbits(bits)
    return drawn


class Change(NamedTuple):
    """`text[start:end]` becomes `new`."""

    start: int
    end: int
    new: str


def change(text: str, changes: Iterable[Change]) -> str:
    """The text with all changes made; they must not overlap."""
    parts: list[str] = []
    done = 0
    for start, end, new in sorted(changes):
        parts += (text[done:start], new)
        done = end
    parts.append(text[done:])
    return "".join(parts)


def removal(text: str, start: int, end: int) -> Change:
    """Takes `text[start:end]` out, with the blanks that would be left double, leading or trailing."""
    if start == 0 or text[start - 1].isspace():
        if end == len(text):
            start = len(text[:start].rstrip())
        else:
            end = len(text) - len(text[end:].lstrip())
    return Change(start, end, "")


def placed(text: str, start: int, end: int, new: str) -> Change:
    """`text[start:end]` becomes `new`, with an "a" or "an" in front made to suit it."""
    if text[max(start - 2, 0) : start] not in ("a ", "A ", "n ", "N "):  # nearly always, and quickly seen
        return Change(start, end, new)
    article = _ARTICLE.search(text[max(start - 40, 0) : start])
    if article is None:
        return Change(start, end, new)
    begin = max(start - 40, 0) + article.start(1)
    return Change(begin, end, f"{text[begin]}{'n' if new[0].lower() in 'aeiou' else ''} {new}")


def single_letter(text: str, at: int) -> bool:
    """Whether `text[at]` is a letter by itself, so that it can go or change without cutting what a reader sees.

    No combining mark, joiner or conjoining Hangul stands at its sides.
    """
    letter = text[at]
    if not letter.isalpha():
        return False
    return text.isascii() or not any(map(_joins, text[max(at - 1, 0) : at + 2]))


@cache
def _joins(character: str) -> bool:
    if character.isascii():
        return False
    # Thai and Lao "am" are letters to Unicode, but drawn on the letter before them.
    return category(character) in ("Mn", "Mc", "Me", "Cf") or "\u1100" <= character <= "\u11ff" or character in "ำຳ"


def like(new: str, old: str) -> str:
    """`new` with the capitals of `old`: all of them, the first, or as it is."""
    if old.isupper() and len(old) > 1:
        return new.upper()
    if old[:1].isupper():
        return new[:1].upper() + new[1:]
    return new


def maybe_name(text: str, start: int, word: str) -> bool:
    """Whether the word at `start` may be a name: it is capitalised, though it begins no sentence."""
    if not word[0].isupper() or word.isupper():
        return False
    return not _SENTENCE_START.search(text[max(start - 40, 0) : start])


def spans(text: str, keep: Iterable[str]) -> list[tuple[int, int]]:
    """Where the stretches in `keep` stand in the text as whole words, whatever their case; none overlap."""
    # Longest first, so that "New York" is not cut by "York".
    wanted = sorted({stretch.strip() for stretch in keep} - {""}, key=lambda stretch: (-len(stretch), stretch))
    if not wanted:
        return []
    # (?!\w) only where the stretch itself begins or ends with a word character: "C++" stands before "x" too.
    patterns = (
        (r"(?<!\w)" if re.match(r"\w", stretch) else "")
        + re.escape(stretch)
        + (r"(?!\w)" if re.search(r"\w\Z", stretch) else "")
        for stretch in wanted
    )
    return [match.span() for match in re.finditer("|".join(patterns), text, re.IGNORECASE)]


def hold(text: str, keep: Sequence[str]) -> tuple[str, Callable[[str], str | None]]:
    """The text with every stretch of `keep` behind a private-use character, and the way back.

    The way back puts the stretches in their places again; it gives `None` for a text that lost one.
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
        return _HELD_MARK.sub(lambda match: behind.get(match.group(), match.group()), altered)

    return change(text, changes), restore


def _lines(name: str) -> Iterator[str]:
    for line in (_DATA / f"{name}.txt").read_text("utf-8").splitlines():
        if line and not line.startswith("#"):
            yield line


@cache
def listed(name: str) -> tuple[str, ...]:
    """A shipped list: the entries of `data/<name>.txt`, one a line or parted by commas; `#` begins a remark."""
    return tuple(entry for line in _lines(name) for entry in line.split(", "))


@cache
def table(name: str) -> dict[str, tuple[str, ...]]:
    """A shipped table: lines `key: value, value` of `data/<name>.txt`, in their order."""
    rows = (line.split(": ", 1) for line in _lines(name))
    return {key: tuple(values.split(", ")) for key, values in rows}
