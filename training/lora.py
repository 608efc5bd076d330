"""Make the encoder trainable with `peft`, and return the trained changes for an adapter's file."""

from __future__ import annotations

from dataclasses import replace
from typing import Any, cast

import torch
from torch import Tensor

from chattest.models.embedded.adapter import Adapter
from chattest.models.embedded.encoder import Encoder

LINEAR_MODULES = ["query", "key", "value", "dense"]
"""The last parts of the names of the encoder's linear layers: four in attention, two in the feed-forward part."""


class TrainableEncoder(torch.nn.Module):
    """Frozen MiniLM with trainable low-rank changes to every linear layer, and trainable norms and biases.

    With rank 0 all weights are trained except the embeddings of words, which are more than half of all weights and
    hardly change.

    Dropout is off by default: a run of one to three epochs does not need it. A longer one learns written rows by heart.
    """

    def __init__(
        self, rank: int, device: str = "cpu", start: Adapter | None = None, freeze: int = 0, dropout: float = 0.0
    ) -> None:
        """Build the module.

        Args:
            rank: Rank of the low-rank changes; 32 makes an adapter of 2.7 MB, 64 one of 5.4 MB. 0 trains all weights
                except the embeddings of words, which makes one of 21.7 MB.
            device: Where to put the module.
            start: An adapter to start from, of the same rank; any, if the rank is 0.
            freeze: With rank 0, how many of the lowest layers are not trained, and the embeddings with them. Two of six
                save a quarter of the time.
            dropout: Share of the values set to zero in training, after the embeddings and after each block, as in BERT.
        """
        from peft import LoraConfig, inject_adapter_in_model

        super().__init__()
        model = Encoder(device).model
        if rank == 0:
            self.model = cast(Any, model)
            frozen = (
                ("embeddings", *(f"layer.{number}." for number in range(freeze))) if freeze else ("word_embeddings",)
            )
            for name, parameter in self.model.named_parameters():
                parameter.requires_grad = not any(part in name for part in frozen)
        else:
            config = LoraConfig(r=rank, lora_alpha=rank, lora_dropout=0.0, target_modules=LINEAR_MODULES)
            self.model = cast(Any, inject_adapter_in_model(config, model))
            for name, parameter in self.model.encoder.named_parameters():
                parameter.requires_grad = "lora_" in name or "bias" in name or "LayerNorm" in name
        self.rank = rank
        if dropout > 0:
            for name, module in self.model.named_modules():
                if name == "embeddings.LayerNorm" or name.endswith("output.dense"):
                    module.register_forward_hook(lambda _, __, made: torch.dropout(made, dropout, self.training))
        if start is not None:
            self._load(start)

    def forward(self, ids: Tensor, mask: Tensor, types: Tensor) -> Tensor:
        """Return the vectors, texts x tokens x 384, for token numbers, mask and types (texts x tokens each)."""
        return cast(Tensor, self.model(ids, mask, types))

    def changes(self) -> dict[str, Tensor]:
        """Return the trained tensors under the names that `chattest.models.embedded.adapter.Adapter` uses."""
        changes = {}
        for name, parameter in self.model.named_parameters():
            if self._is_changed(name, parameter):
                changes[_plain_name(name)] = parameter.detach().clone()
        return changes

    def _is_changed(self, name: str, parameter: Tensor) -> bool:
        """Return True if an adapter holds the parameter: if it is trained, or its layer is frozen with rank 0."""
        return bool(parameter.requires_grad) or (self.rank == 0 and "word_embeddings" not in name)

    def _load(self, start: Adapter) -> None:
        if self.rank == 0:
            start = whole(start)
        with torch.no_grad():
            for name, parameter in self.model.named_parameters():
                if self._is_changed(name, parameter):
                    value = start.changes[_plain_name(name)]
                    if value.shape != parameter.shape:
                        raise ValueError(
                            f"The adapter {start.name} has the shape {tuple(value.shape)} at {_plain_name(name)}, "
                            f"the model {tuple(parameter.shape)}: use the rank that the adapter was trained with."
                        )
                    parameter.copy_(value)


def whole(adapter: Adapter) -> Adapter:
    """Return the adapter with all weights in full instead of low-rank changes, except the embeddings of words."""
    encoder = Encoder("cpu")
    encoder.use(adapter)
    weights = {f"full.{name}": value.data for name, value in encoder.model.named_parameters() if "word_emb" not in name}
    return replace(adapter, scale=1.0, changes=weights)


def _plain_name(name: str) -> str:
    """Return the name in an adapter's file of a parameter that peft trained."""
    name = name.replace(".base_layer", "")
    for part in ("lora_A", "lora_B"):
        if name.endswith(f".{part}.default.weight"):
            return name.removesuffix(".default.weight")
    return f"full.{name}"
