"""The embedded yes/no judge: MiniLM reads a question and a reply together, and the head decides yes, no or neither.

Training, data and accuracy: `weights/yes_no/CARD.md`.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import TYPE_CHECKING

from chattest.models.base import judge
from chattest.models.embedded.adapter import Adapter, find_shipped_adapter
from chattest.models.embedded.batching import Batch
from chattest.models.embedded.encoder import Encoder
from chattest.models.embedded.judge import EmbeddedJudge, apply_linear_head
from chattest.models.protocols import YesNoReading

if TYPE_CHECKING:
    from torch import Tensor

ADAPTER = find_shipped_adapter("yes_no")
SENTENCE = re.compile(r"[^.!?\n]++[.!?]*+")
MAX_TOKENS = 96
"""Tokens of question and reply together; the longer one is truncated at its end."""
MOST_WORDS = 30
"""Most words of a question that is read whole; a longer one might be cut off before its end."""


@judge("yes_no", "embedded")
class EmbeddedYesNo(EmbeddedJudge):
    """Reads replies to closed questions with the adapter that ships."""

    name = "embedded/yes_no"
    shipped = ADAPTER

    def read(self, questions: Sequence[str], replies: Sequence[str]) -> list[YesNoReading]:
        """Return one reading for each pair of question and reply. Raises `ValueError` if their numbers differ."""
        rows = read_probabilities(self._encoder, self._adapter, questions, replies)
        return [YesNoReading(yes, no, neither) for yes, no, neither in rows]


def read_probabilities(
    encoder: Encoder, adapter: Adapter, questions: Sequence[str], replies: Sequence[str]
) -> list[list[float]]:
    """Return the probabilities of yes, no and neither for each pair; they add up to 1.

    A question of several sentences is read twice: its last question alone, and the whole. Both count alike. Alone, what
    comes before is not mistaken for an answer where the reply repeats it; the whole is needed where a reply answers by
    the fact itself. Of a question of more than `MOST_WORDS` words, only the last sentence is read.
    """
    alone = list(map(find_final_question, questions))
    again = [
        index
        for index, (question, last, _) in enumerate(zip(questions, alone, replies, strict=True))
        if question.strip() != last and len(question.split()) <= MOST_WORDS
    ]

    def read(batch: Batch) -> list[Tensor]:
        return list(apply_linear_head(adapter.head, batch).float())

    lefts = [*alone, *(questions[index] for index in again)]
    rights = [*replies, *(replies[index] for index in again)]
    logits = encoder.each(adapter, lefts, rights, read, MAX_TOKENS)
    for index, whole in zip(again, logits[len(alone) :], strict=True):
        logits[index] = (logits[index] + whole) / 2
    return [row.softmax(dim=-1).tolist() for row in logits[: len(alone)]]


def find_final_question(question: str) -> str:
    """Return the last sentence with a question mark, or the last sentence if none has one."""
    sentences: list[str] = SENTENCE.findall(question) or [question]
    return next((sentence for sentence in reversed(sentences) if "?" in sentence), sentences[-1]).strip()
