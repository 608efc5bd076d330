"""The embedded answer match: MiniLM reads question, expected answer and reply together.

A word in front of them states how much of the expected answer the reply contains literally. Six narrow attention layers
compare strings poorly, and a string comparison judges poorly ("not Mittens" contains "Mittens"), so each does what it
is good at. Training, data and accuracy: `weights/match/CARD.md`.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Sequence

from chattest.models.base import judge
from chattest.models.embedded.adapter import Adapter, find_shipped_adapter
from chattest.models.embedded.batching import Batch
from chattest.models.embedded.encoder import Encoder
from chattest.models.embedded.judge import EmbeddedJudge, apply_linear_head
from chattest.models.logistic import probability
from chattest.text.format import ALTERNATIVES

ADAPTER = find_shipped_adapter("match")
MAX_TOKENS = 192
"""Tokens of all three texts together; a longer reply is truncated at its end."""

_WORD = re.compile(r"\w+")
_ARTICLES = {"a", "an", "the"}
_ENDING = re.compile(r"(e?s)?\d*")
"""What may follow the expected word: a plural ending, or the number of a footnote."""


@judge("match", "embedded")
class EmbeddedMatch(EmbeddedJudge):
    """Decides whether a reply gives the expected answer, with the adapter that ships."""

    name = "embedded/match"
    shipped = ADAPTER

    def match(self, questions: Sequence[str], expected: Sequence[str], replies: Sequence[str]) -> list[float]:
        """Return the probability, 0 to 1, that each reply gives its expected answer.

        Several correct answers can be joined by `ALTERNATIVES`. Raises `ValueError` if the three sequences differ in
        length.
        """
        return read_matches(self._encoder, self._adapter, questions, expected, replies)


def measure_containment(expected: str, reply: str) -> float:
    """Return the largest share, 0 to 1, of an alternative's words that the reply contains.

    The share is 1 only if the words are next to each other; an alternative with all its words in the reply, but apart,
    gives 0.9. Case, accents, punctuation, articles and plurals are ignored.
    """
    reply_words = _words(reply)

    def same(start: int, words: list[str]) -> bool:
        return all(_is_form_of(reply_words[start + offset], word) for offset, word in enumerate(words))

    best = 0.0
    for alternative in expected.split(ALTERNATIVES):
        words = _words(alternative)
        if not words:
            continue
        if any(same(start, words) for start in range(len(reply_words) - len(words) + 1)):
            return 1.0
        contained = sum(any(_is_form_of(reply_word, word) for reply_word in reply_words) for word in words)
        best = max(best, min(0.9, contained / len(words)))
    return best


def make_pair(question: str, expected: str, reply: str) -> tuple[str, str]:
    """Return the pair of texts that the encoder reads."""
    share = measure_containment(expected, reply)
    amount = "all" if share == 1.0 else "most" if share >= 0.5 else "some" if share > 0.0 else "none"
    return f"{amount} | {expected} | {question}", reply


def read_matches(
    encoder: Encoder, adapter: Adapter, questions: Sequence[str], expected: Sequence[str], replies: Sequence[str]
) -> list[float]:
    """Return the probability, 0 to 1, that each reply gives its expected answer."""
    pairs = [make_pair(*three) for three in zip(questions, expected, replies, strict=True)]

    def read(batch: Batch) -> list[float]:
        return list(map(probability, apply_linear_head(adapter.head, batch).squeeze(-1).tolist()))

    return encoder.each(adapter, [a for a, _ in pairs], [b for _, b in pairs], read, MAX_TOKENS)


def _words(text: str) -> list[str]:
    plain = "".join(c for c in unicodedata.normalize("NFKD", text.casefold()) if not unicodedata.combining(c))
    return [word for word in _WORD.findall(plain) if word not in _ARTICLES]


def _is_form_of(text: str, word: str) -> bool:
    if text == word:
        return True
    return word[-1].isalpha() and text.startswith(word) and _ENDING.fullmatch(text, len(word)) is not None
