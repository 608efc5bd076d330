"""The embedded yes/no judge: MiniLM reads a question and a reply together, and the head decides yes, no or neither.

Training, data and accuracy: `weights/yes_no/CARD.md`.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from chattest.models.base import judge
from chattest.models.embedded.adapter import Adapter, shipped_adapter
from chattest.models.embedded.batching import Batch
from chattest.models.embedded.encoder import Encoder
from chattest.models.embedded.judge import EmbeddedJudge, linear_head
from chattest.models.protocols import YesNoReading

ADAPTER = shipped_adapter("yes_no")
SENTENCE = re.compile(r"[^.!?\n]++[.!?]*+")
MAX_TOKENS = 96
"""Tokens of question and reply together; the longer one is truncated at its end."""


@judge("yes_no", "embedded")
class EmbeddedYesNo(EmbeddedJudge):
    """Reads replies to closed questions with the adapter that ships."""

    name = "embedded/yes_no"
    shipped = ADAPTER

    def read(self, questions: Sequence[str], replies: Sequence[str]) -> list[YesNoReading]:
        """One reading for each pair of question and reply. Raises `ValueError` if their numbers differ."""
        rows = read_probabilities(self._encoder, self._adapter, questions, replies)
        return [YesNoReading(yes, no, neither) for yes, no, neither in rows]


def read_probabilities(
    encoder: Encoder, adapter: Adapter, questions: Sequence[str], replies: Sequence[str]
) -> list[list[float]]:
    """The probabilities of yes, no and neither for each pair; they add up to 1.

    If a question has several sentences, only the last one that asks is read. Replies often repeat what comes before it,
    and the judge was not trained to distinguish such a repetition from an answer.
    """

    def read(batch: Batch) -> list[list[float]]:
        rows: list[list[float]] = linear_head(adapter.head, batch).softmax(dim=-1).tolist()
        return rows

    return encoder.each(adapter, list(map(final_question, questions)), replies, read, MAX_TOKENS)


def final_question(question: str) -> str:
    """The last sentence with a question mark, or the last sentence if none has one."""
    sentences: list[str] = SENTENCE.findall(question) or [question]
    return next((sentence for sentence in reversed(sentences) if "?" in sentence), sentences[-1]).strip()
