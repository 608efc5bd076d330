"""Split a sentence into words with their tags."""

import warnings
from bisect import bisect_left
from functools import cache, lru_cache
from typing import NamedTuple

from chattest.text.textblob_tagger import english
from chattest.text.words import movable


class Token(NamedTuple):
    """A word of the sentence: `text[start:end]`, in lower case, and its Penn tag."""

    start: int
    end: int
    low: str
    tag: str


@lru_cache(maxsize=512)
def read_tokens(text: str) -> tuple[Token, ...]:
    """Return the words of a text with their tags."""
    movable_words = movable(text)
    tags = _load_tagger().find_tags([word.text for word in movable_words])
    return tuple(
        Token(word.start, word.end, word.text.lower(), tag) for word, (_, tag) in zip(movable_words, tags, strict=True)
    )


def find_token(tokens: tuple[Token, ...], start: int) -> int:
    """Return the number of the first token that begins at or after a position of the text."""
    return bisect_left(tokens, start, key=lambda token: token.start)


@cache
def _load_tagger():  # type: ignore[no-untyped-def]
    parser = english().parser
    with warnings.catch_warnings():
        # TextBlob leaves its word list open after reading it at the first word.
        warnings.simplefilter("ignore", ResourceWarning)
        parser.find_tags(["word"])
    return parser
