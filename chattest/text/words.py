"""Words of a text, changes at their places, stretches held back from change, and the lists that ship.

A *word* is what stands between blanks without the punctuation around it (`cat` in `cat?"`), in any script;
combining marks stay with their letters because only blanks and listed punctuation part words.
"""

import re
from collections.abc import Callable
from functools import cache, partial
from random import Random
from typing import NamedTuple
from unicodedata import category

PUNCTUATION = "!\"#$%&'()*+,-./:;<=>?@[\\]^_`{|}~‘’“”„«»‹›…–—¡¿。、，！？：；（）「」؟،؛।"
"""What is not part of a word at its beginning or end."""
ENDING = ".?!…。？！؟।"
"""What can end a sentence."""

_HELD = "\U000f0000-\U000f0fff"
HELD_MARK = re.compile(f"[{_HELD}]")
_CHUNK = re.compile(r"\S+")
_GRAPHEME = r"\X"
_SENTENCE_START = re.compile(rf"(?:^|[{re.escape(ENDING)}\n])[\W_]*$")


class Word(NamedTuple):
    """A word and where it stands: `text[start:end]`."""

    start: int
    end: int
    text: str


_word: Callable[[tuple[int, int, str]], Word] = partial(tuple.__new__, Word)  # half the time of Word(...)


def words(text: str) -> list[Word]:
    """All words that may be changed, in order; those with a held-back stretch in them are left out."""
    found = movable(text)
    if text.isascii() or not HELD_MARK.search(text):
        return found
    return [word for word in found if not HELD_MARK.search(word.text)]


def movable(text: str) -> list[Word]:
    """All words in order, those with a held-back stretch included: fit to be moved, not to be changed."""
    movable_words = []
    for match in _CHUNK.finditer(text):
        chunk = match[0]
        if chunk.isalnum():
            movable_words.append(_word((match.start(), match.end(), chunk)))
        elif left := chunk.lstrip(PUNCTUATION):
            start, core = match.end() - len(left), left.rstrip(PUNCTUATION)
            movable_words.append(_word((start, start + len(core), core)))
    return movable_words


def count_words(text: str) -> int:
    """How many words a text has."""
    return sum(1 for chunk in text.split() if chunk.isalnum() or chunk.strip(PUNCTUATION))


def letters(word: str) -> list[str]:
    """What a reader sees as single letters: a letter with its combining marks, a joined emoji."""
    if word.isascii():
        return list(word)
    import regex

    graphemes: list[str] = regex.findall(_GRAPHEME, word)
    return graphemes


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


def maybe_name(text: str, start: int, word: str) -> bool:
    """Whether the word at `start` may be a name: it is capitalised, though it begins no sentence."""
    if not word[0].isupper() or word.isupper():
        return False
    return not _SENTENCE_START.search(text[max(start - 40, 0) : start])
