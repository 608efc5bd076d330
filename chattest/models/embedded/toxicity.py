"""The embedded toxicity judge: a text goes through MiniLM; the head gives Detoxify's seven labels.

How it was trained, on what, and how good it is: `embedded/toxicity/CARD.md`.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from chattest.models.base import judge
from chattest.models.embedded.adapter import Adapter, read_adapter
from chattest.models.embedded.batching import Batch
from chattest.models.embedded.device import Precision
from chattest.models.embedded.encoder import Encoder, load_encoder
from chattest.models.protocols import TOXICITY_LABELS

ADAPTER = Path(__file__).parent.parent / "weights" / "toxicity" / "toxicity.safetensors"
MAX_TOKENS = 256
"""Tokens of a text; a longer one is cut at its end."""


@judge("toxicity", "embedded")
class EmbeddedToxicity:
    """Finds seven sorts of toxicity with the adapter that ships."""

    name = "embedded/toxicity"

    def __init__(self, adapter: Path = ADAPTER, device: str = "auto", precision: Precision = "float32") -> None:
        """Loads the adapter onto the process's encoder.

        Args:
            adapter: The adapter's file.
            device: "cpu", "cuda" or "auto".
            precision: What the encoder computes in.
        """
        self._encoder = load_encoder(device, precision)
        self._adapter = read_adapter(adapter)

    def labels(self, texts: Sequence[str]) -> list[dict[str, float]]:
        """For each text, the probability, 0 to 1, of each of `TOXICITY_LABELS`."""
        rows = label_probabilities(self._encoder, self._adapter, texts)
        return [dict(zip(TOXICITY_LABELS, row, strict=True)) for row in rows]


def label_probabilities(encoder: Encoder, adapter: Adapter, texts: Sequence[str]) -> list[list[float]]:
    """For each text the probabilities in the order of `TOXICITY_LABELS`."""
    import torch

    weight, bias = adapter.head["weight"].to(encoder.device), adapter.head["bias"].to(encoder.device)

    def read(batch: Batch) -> list[list[float]]:
        seen = torch.cat([batch.pooled(), batch.first()], dim=-1)
        rows: list[list[float]] = torch.nn.functional.linear(seen, weight, bias).sigmoid().tolist()
        return rows

    return encoder.each(adapter, texts, None, read, MAX_TOKENS)
