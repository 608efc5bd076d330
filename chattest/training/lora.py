"""Makes the encoder trainable with `peft`, and returns the trained changes for an adapter's file."""

from __future__ import annotations

from typing import Any, cast

import torch
from torch import Tensor

from chattest.models.embedded.adapter import Adapter
from chattest.models.embedded.encoder import Encoder

LINEAR_MODULES = ["query", "key", "value", "dense"]
"""The last parts of the names of the encoder's linear layers: four in attention, two in the feed-forward part."""


class TrainableEncoder(torch.nn.Module):
    """Frozen MiniLM with trainable low-rank changes to every linear layer, and trainable norms and biases.

    With rank 0 all weights are trained but the embeddings of words, which are more than half of them and hardly change.

    There is no dropout: a run has only one to three epochs, and dropout would slow learning.
    """

    def __init__(self, rank: int, device: str = "cpu", start: Adapter | None = None) -> None:
        """Builds the module.

        Args:
            rank: Rank of the low-rank changes; 32 makes an adapter of 2.7 MB, 64 one of 5.4 MB. 0 trains all weights
                but the embeddings of words, which makes one of 21.7 MB.
            device: Where to put the module.
            start: An adapter of the same rank to start from.
        """
        from peft import LoraConfig, inject_adapter_in_model

        super().__init__()
        model = Encoder(device).model
        model.config.hidden_dropout_prob = model.config.attention_probs_dropout_prob = 0.0
        for module in model.modules():
            if isinstance(module, torch.nn.Dropout):
                module.p = 0.0
        if torch.device(device).type == "cpu":
            # On one core, with 80 tokens, fused attention's backward pass takes three times as long as the plain one.
            model.config._attn_implementation = "eager"
        if rank == 0:
            self.model = cast(Any, model)
            for name, parameter in self.model.named_parameters():
                parameter.requires_grad = "word_embeddings" not in name
        else:
            config = LoraConfig(r=rank, lora_alpha=rank, lora_dropout=0.0, target_modules=LINEAR_MODULES)
            self.model = cast(Any, inject_adapter_in_model(config, model))
            for name, parameter in self.model.encoder.named_parameters():
                parameter.requires_grad = "lora_" in name or "bias" in name or "LayerNorm" in name
        if start is not None:
            self._load(start)

    def forward(self, ids: Tensor, mask: Tensor, types: Tensor) -> Tensor:
        """Takes token numbers, mask and types (texts x tokens each); returns texts x tokens x 384."""
        return cast(Tensor, self.model(input_ids=ids, attention_mask=mask, token_type_ids=types).last_hidden_state)

    def changes(self) -> dict[str, Tensor]:
        """The trained tensors under the names that `chattest.models.embedded.adapter.Adapter` uses."""
        changes = {}
        for name, parameter in self.model.named_parameters():
            if parameter.requires_grad:
                changes[_plain_name(name)] = parameter.detach().clone()
        return changes

    def _load(self, start: Adapter) -> None:
        with torch.no_grad():
            for name, parameter in self.model.named_parameters():
                if parameter.requires_grad:
                    value = start.changes[_plain_name(name)]
                    if value.shape != parameter.shape:
                        raise ValueError(
                            f"The adapter {start.name} has the shape {tuple(value.shape)} at {_plain_name(name)}, "
                            f"the model {tuple(parameter.shape)}: use the rank that the adapter was trained with."
                        )
                    parameter.copy_(value)


def _plain_name(name: str) -> str:
    """The name in an adapter's file of a parameter that peft trained."""
    name = name.replace(".base_layer", "")
    for part in ("lora_A", "lora_B"):
        if name.endswith(f".{part}.default.weight"):
            return name.removesuffix(".default.weight")
    return f"full.{name}"
