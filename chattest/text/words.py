"""Splits a text into words and letters.

A *word* is the text between whitespace without the punctuation around it (`cat` in `cat?"`), in any script. Combining
marks stay with their letters, because only whitespace and the listed punctuation separate words.
"""

import re
from collections.abc import Sequence
from functools import cache, lru_cache
from typing import NamedTuple
from unicodedata import category

PUNCTUATION = "!\"#$%&'()*+,-./:;<=>?@[\\]^_`{|}~‘’“”„«»‹›…–—¡¿。、，！？：；（）「」؟،؛।"
"""Characters that are not part of a word at its beginning or end."""
ENDING = ".?!…。？！؟।"
"""Characters that can end a sentence."""

_PROTECTED = "\U000f0000-\U000f0fff"
PROTECTED_MARK = re.compile(f"[{_PROTECTED}]")
_GRAPHEME = r"\X"
_CORE = re.compile(rf"([^\s{re.escape(PUNCTUATION)}](?:\S*[^\s{re.escape(PUNCTUATION)}])?)")
_SENTENCE_START = re.compile(rf"(?:^|[{re.escape(ENDING)}\n])[\W_]*$")


class Word(NamedTuple):
    """A word and its position: `text[start:end]`."""

    start: int
    end: int
    text: str


def words(text: str) -> list[Word]:
    """Return all words that may be changed, in order; words with a protected stretch are left out."""
    return [word for word in movable(text) if word.text.isascii() or not PROTECTED_MARK.search(word.text)]


@lru_cache(maxsize=4)  # a perturbation asks several times for the words of the text that it alters
def movable(text: str) -> tuple[Word, ...]:
    """Return all words that may be moved, in order: also words with a protected stretch, which must not be changed."""
    movable_words = []
    end = 0
    chunks = text.split()
    single = chunks == text.split(" ")  # one space between all: no need to look for where a chunk begins
    for chunk in chunks:
        start = end if single else text.index(chunk, end)
        end = start + len(chunk)
        if chunk.isalnum():
            movable_words.append(Word(start, end, chunk))
        elif left := chunk.lstrip(PUNCTUATION):
            start, core = end - len(left), left.rstrip(PUNCTUATION)
            movable_words.append(Word(start, start + len(core), core))
        end += single
    return tuple(movable_words)


def around_words(text: str) -> list[str]:
    """Split a text into its words, at odd indexes, and what is before, between and after them, at even ones."""
    return list(_split_around(text))


def changeable(text: str, parts: Sequence[str]) -> list[int]:
    """Return the indexes of the words in what `around_words` returns, without those with a protected stretch."""
    is_plain = text.isascii()
    return [index for index in range(1, len(parts), 2) if is_plain or not PROTECTED_MARK.search(parts[index])]


@lru_cache(maxsize=4)
def _split_around(text: str) -> tuple[str, ...]:
    return tuple(_CORE.split(text))


def count_words(text: str) -> int:
    """Return the number of words in a text."""
    return len(_split_around(text)) // 2


def letters(word: str) -> list[str]:
    """Return the grapheme clusters of a word: a letter with its combining marks, or a joined emoji, is one."""
    if word.isascii():
        return list(word)
    import regex

    graphemes: list[str] = regex.findall(_GRAPHEME, word)
    return graphemes


def has_letter(word: str) -> bool:
    """Return True if any character is a letter, in any script."""
    return word.isalpha() or any(character.isalpha() for character in word)


def single_letter(text: str, at: int) -> bool:
    """Return True if `text[at]` is a letter that can change without breaking a grapheme cluster.

    There must be no combining mark, joiner or conjoining Hangul next to it.
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
    """Return True if the word at `start` may be a name: it is capitalised and does not begin a sentence."""
    if not word[0].isupper() or word.isupper():
        return False
    if text[max(start - 1, 0) : start] == " " and text[max(start - 2, 0) : max(start - 1, 0)].isalnum():
        return True  # right behind another word; the pattern takes far longer to see it
    return not _SENTENCE_START.search(text[max(start - 40, 0) : start])
