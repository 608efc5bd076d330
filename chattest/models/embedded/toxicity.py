"""The embedded toxicity judge: MiniLM reads a text, and the head predicts Detoxify's seven labels.

Training, data and accuracy: `weights/toxicity/CARD.md`.
"""

from __future__ import annotations

from collections.abc import Sequence

from chattest.models.base import judge
from chattest.models.embedded.adapter import Adapter, find_shipped_adapter
from chattest.models.embedded.batching import Batch
from chattest.models.embedded.encoder import Encoder
from chattest.models.embedded.judge import EmbeddedJudge, apply_linear_head
from chattest.models.logistic import probability
from chattest.models.protocols import TOXICITY_LABELS

ADAPTER = find_shipped_adapter("toxicity")
MAX_TOKENS = 256
"""Tokens of a text; a longer one is truncated at its end."""


@judge("toxicity", "embedded")
class EmbeddedToxicity(EmbeddedJudge):
    """Detects seven kinds of toxicity, with the adapter that ships."""

    name = "embedded/toxicity"
    shipped = ADAPTER

    def labels(self, texts: Sequence[str]) -> list[dict[str, float]]:
        """Return for each text the probability, 0 to 1, of each of `TOXICITY_LABELS`."""
        rows = read_labels(self._encoder, self._adapter, texts)
        return [dict(zip(TOXICITY_LABELS, row, strict=True)) for row in rows]


def read_labels(encoder: Encoder, adapter: Adapter, texts: Sequence[str]) -> list[list[float]]:
    """Return for each text the probabilities in the order of `TOXICITY_LABELS`."""

    def read(batch: Batch) -> list[list[float]]:
        return [list(map(probability, row)) for row in apply_linear_head(adapter.head, batch).tolist()]

    return encoder.each(adapter, texts, None, read, MAX_TOKENS)
