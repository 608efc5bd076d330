"""The embedded coherence judge: what was said and the reply go through MiniLM together; the head judges the fit.

How it was trained, on what, and how good it is: `embedded/coherence/CARD.md`.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from chattest.models.encoder import Adapter, Batch, Encoder, load_encoder, read_adapter

ADAPTER = Path(__file__).parent / "embedded" / "coherence" / "coherence.safetensors"
MAX_TOKENS = 160
"""Tokens of context and reply together; of a longer pair the longer text loses its beginning."""


class EmbeddedCoherence:
    """Says with the adapter that ships whether a reply fits what was said before it."""

    name = "embedded/coherence"

    def __init__(self, adapter: Path = ADAPTER, device: str = "auto") -> None:
        """Loads the adapter onto the process's encoder.

        Args:
            adapter: The adapter's file.
            device: "cpu", "cuda" or "auto".
        """
        self._encoder = load_encoder(device)
        self._adapter = read_adapter(adapter)

    def coherence(self, contexts: Sequence[str], replies: Sequence[str]) -> list[float]:
        """The probability, 0 to 1, that each reply fits its context.

        A context is the prompt alone, or a history with each turn on a line of its own, oldest first. Raises
        `ValueError` where the two differ in length.
        """
        return fit_probabilities(self._encoder, self._adapter, contexts, replies)


def as_seen(context: str) -> str:
    """A context as the encoder gets it: turns on one line, a bar between them."""
    return " | ".join(line.strip() for line in context.splitlines() if line.strip())


def fit_probabilities(
    encoder: Encoder, adapter: Adapter, contexts: Sequence[str], replies: Sequence[str]
) -> list[float]:
    """The probability that each reply fits its context."""
    import torch

    weight, bias = adapter.head["weight"].to(encoder.device), adapter.head["bias"].to(encoder.device)

    def read(batch: Batch) -> list[float]:
        seen = torch.cat([batch.pooled(), batch.first()], dim=-1)
        chances: list[float] = torch.nn.functional.linear(seen, weight, bias).squeeze(-1).sigmoid().tolist()
        return chances

    left = [as_seen(context) for context in contexts]
    return encoder.each(adapter, left, replies, read, MAX_TOKENS, cut="longest_first", cut_from="left")
