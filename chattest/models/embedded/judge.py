"""The base of the embedded judges: an adapter loaded onto the encoder, and the linear head."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, ClassVar

from chattest.models.embedded.adapter import read_adapter
from chattest.models.embedded.device import Precision
from chattest.models.embedded.encoder import load_encoder

if TYPE_CHECKING:
    from torch import Tensor

    from chattest.models.embedded.batching import Batch


class EmbeddedJudge:
    """Base class of a judge that is an adapter on the encoder."""

    shipped: ClassVar[Path]
    """The adapter that ships."""

    def __init__(self, adapter: Path | None = None, device: str = "auto", precision: Precision = "float32") -> None:
        """Load the adapter onto the encoder of this process.

        Args:
            adapter: The adapter's file; by default the one that ships.
            device: "cpu", "cuda" or "auto".
            precision: Number format the encoder computes in.
        """
        self._encoder = load_encoder(device, precision)
        self._adapter = read_adapter(adapter or self.shipped)


def apply_linear_head(head: Mapping[str, Tensor], batch: Batch) -> Tensor:
    """Return the logits of a linear head on each text's mean vector and [CLS] vector, texts x outputs.

    Args:
        head: `weight` (outputs x 768) and `bias` (outputs).
        batch: The encoder's output for the texts.
    """
    import torch

    from chattest.models.linear import linear

    features = torch.cat([batch.pooled(), batch.first()], dim=-1)
    weight, bias = (head[name].to(features.device) for name in ("weight", "bias"))
    return linear(features, weight, bias)
