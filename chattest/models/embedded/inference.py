"""The embedded inference judge: MiniLM reads two statements together, and the head decides how the later one relates.

Training, data and accuracy: `weights/pairs/CARD.md`.
"""

from __future__ import annotations

from collections.abc import Sequence

from chattest.models.base import judge
from chattest.models.embedded.adapter import Adapter, find_shipped_adapter
from chattest.models.embedded.batching import Batch
from chattest.models.embedded.encoder import Encoder
from chattest.models.embedded.judge import EmbeddedJudge, apply_linear_head
from chattest.models.protocols import Relation

ADAPTER = find_shipped_adapter("inference")
MAX_TOKENS = 96
"""Tokens of both statements together; the longer one is truncated at its end."""


@judge("inference", "embedded")
class EmbeddedInference(EmbeddedJudge):
    """Decides whether a statement agrees with an earlier one, with the adapter that ships."""

    name = "embedded/inference"
    shipped = ADAPTER

    def relations(self, earlier: Sequence[str], later: Sequence[str]) -> list[Relation]:
        """Return one relation for each pair of statements. Raises `ValueError` if their numbers differ."""
        return [Relation(*row) for row in read_relations(self._encoder, self._adapter, earlier, later)]


def read_relations(
    encoder: Encoder, adapter: Adapter, earlier: Sequence[str], later: Sequence[str]
) -> list[list[float]]:
    """Return the probabilities of agrees, neutral and contradicts for each pair; they add up to 1."""

    def read(batch: Batch) -> list[list[float]]:
        rows: list[list[float]] = apply_linear_head(adapter.head, batch).softmax(dim=-1).tolist()
        return rows

    return encoder.each(adapter, earlier, later, read, MAX_TOKENS)
