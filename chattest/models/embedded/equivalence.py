"""The embedded answer-equivalence judge: MiniLM reads a question with one answer, and another answer.

A head decides whether both answers mean the same, as Bulian et al. 2022 define answer equivalence
(https://arxiv.org/abs/2202.07654). Training, data and accuracy: `weights/pairs/CARD.md`.
"""

from __future__ import annotations

from collections.abc import Sequence

from chattest.models.base import judge
from chattest.models.embedded.adapter import find_shipped_adapter
from chattest.models.embedded.batching import Batch
from chattest.models.embedded.judge import EmbeddedJudge, apply_linear_head
from chattest.models.logistic import probability

ADAPTER = find_shipped_adapter("equivalence")
MAX_TOKENS = 96
"""Tokens of the question and both answers together; the longest text is truncated at its end."""


@judge("equivalence", "embedded")
class EmbeddedEquivalence(EmbeddedJudge):
    """Decides whether two answers to a question are equivalent, with the adapter that ships."""

    name = "embedded/equivalence"
    shipped = ADAPTER

    def equivalent(self, questions: Sequence[str], first: Sequence[str], second: Sequence[str]) -> list[float]:
        """Return the probability, 0 to 1, that the two answers of each pair mean the same, whichever comes first.

        Raises:
            ValueError: The sequences differ in length.
        """
        there = [f"{question} {answer}" for question, answer in zip(questions, first, strict=True)]
        back = [f"{question} {answer}" for question, answer in zip(questions, second, strict=True)]

        def read(batch: Batch) -> list[float]:
            logits: list[float] = apply_linear_head(self._adapter.head, batch).squeeze(-1).tolist()
            return logits

        logits = self._encoder.each(self._adapter, [*there, *back], [*second, *first], read, MAX_TOKENS)
        pairs = zip(logits[: len(there)], logits[len(there) :], strict=True)
        return [probability((forward + backward) / 2) for forward, backward in pairs]
