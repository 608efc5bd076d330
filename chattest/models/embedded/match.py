"""The embedded answer match: question, expected answer and reply go through MiniLM together; the head judges.

The encoder is also told, in a word in front, how much of the expected answer stands in the reply letter for letter:
attention over six narrow layers is a poor string comparison, and a plain one is a poor judge ("not Mittens" holds
"Mittens"), so each does what it is good at. How it was trained, on what, and how good it is: `embedded/match/CARD.md`.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Sequence
from pathlib import Path

from chattest.models.base import judge
from chattest.models.embedded.adapter import Adapter, read_adapter
from chattest.models.embedded.batching import Batch
from chattest.models.embedded.device import Precision
from chattest.models.embedded.encoder import Encoder, load_encoder

ADAPTER = Path(__file__).parent.parent / "weights" / "match" / "match.safetensors"
MAX_TOKENS = 192
"""Tokens of all three together; a longer reply is cut at its end."""
ALTERNATIVES = " / "
"""What stands between several right answers in an expected answer."""

_WORD = re.compile(r"\w+")
_ARTICLES = {"a", "an", "the"}
_ENDING = re.compile(r"(e?s)?\d*")
"""What a word may end in beyond the expected one: a plural, or the number of a footnote."""


@judge("match", "embedded")
class EmbeddedMatch:
    """Says with the adapter that ships whether a reply gives the expected answer."""

    name = "embedded/match"

    def __init__(self, adapter: Path = ADAPTER, device: str = "auto", precision: Precision = "float32") -> None:
        """Loads the adapter onto the process's encoder.

        Args:
            adapter: The adapter's file.
            device: "cpu", "cuda" or "auto".
            precision: What the encoder computes in.
        """
        self._encoder = load_encoder(device, precision)
        self._adapter = read_adapter(adapter)

    def match(self, questions: Sequence[str], expected: Sequence[str], replies: Sequence[str]) -> list[float]:
        """The probability, 0 to 1, that each reply gives its expected answer.

        Several right answers may be given as one text with `ALTERNATIVES` between them. Raises `ValueError` where the
        three differ in length.
        """
        return match_probabilities(self._encoder, self._adapter, questions, expected, replies)


def containment(expected: str, reply: str) -> float:
    """The largest share, 0 to 1, of an alternative's words that the reply holds; 1 only where they stand together.

    Case, accents, punctuation, articles and plurals do not count. An alternative whose words are all there but apart
    gives 0.9.
    """
    said = _words(reply)

    def same(at: int, words: list[str]) -> bool:
        return all(_is_form_of(said[at + place], word) for place, word in enumerate(words))

    best = 0.0
    for alternative in expected.split(ALTERNATIVES):
        words = _words(alternative)
        if not words:
            continue
        if any(same(at, words) for at in range(len(said) - len(words) + 1)):
            return 1.0
        found = sum(any(_is_form_of(one, word) for one in said) for word in words)
        best = max(best, min(0.9, found / len(words)))
    return best


def as_pair(question: str, expected: str, reply: str) -> tuple[str, str]:
    """The two texts that the encoder gets."""
    share = containment(expected, reply)
    held = "all" if share == 1.0 else "most" if share >= 0.5 else "some" if share > 0.0 else "none"
    return f"{held} | {expected} | {question}", reply


def match_probabilities(
    encoder: Encoder, adapter: Adapter, questions: Sequence[str], expected: Sequence[str], replies: Sequence[str]
) -> list[float]:
    """The probability that each reply is right."""
    import torch

    pairs = [as_pair(*three) for three in zip(questions, expected, replies, strict=True)]
    weight, bias = adapter.head["weight"].to(encoder.device), adapter.head["bias"].to(encoder.device)

    def read(batch: Batch) -> list[float]:
        seen = torch.cat([batch.pooled(), batch.first()], dim=-1)
        chances: list[float] = torch.nn.functional.linear(seen, weight, bias).squeeze(-1).sigmoid().tolist()
        return chances

    return encoder.each(adapter, [a for a, _ in pairs], [b for _, b in pairs], read, MAX_TOKENS)


def _words(text: str) -> list[str]:
    plain = "".join(c for c in unicodedata.normalize("NFKD", text.casefold()) if not unicodedata.combining(c))
    return [word for word in _WORD.findall(plain) if word not in _ARTICLES]


def _is_form_of(said: str, word: str) -> bool:
    if said == word:
        return True
    return word[-1].isalpha() and said.startswith(word) and _ENDING.fullmatch(said, len(word)) is not None
