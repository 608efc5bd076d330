"""The network of the encoder: BERT (Devlin et al. 2019, https://arxiv.org/abs/1810.04805) without a head.

transformers has the same network. It is written out here because loading transformers takes three times as long as
loading torch, and every run with the embedded judges would wait for it. Modules and parameters have the same names as
there, so checkpoints and adapters fit; a test compares the two.

This module needs torch when it is imported: import it where it is used. It is not in `embedded`, whose modules are all
imported where judges are listed.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from functools import partial
from itertools import groupby
from pathlib import Path
from typing import Any

import torch
from torch import Tensor, nn
from torch.nn.functional import gelu, scaled_dot_product_attention

from chattest.models.linear import Linear, pack

Mix = Callable[[Tensor, Tensor, Tensor], Tensor]
"""Attention: takes query, key and value of every token (... x heads x width each), returns each token's mixed value."""


class Bert(nn.Module):
    """BERT without a head and without dropout: takes token numbers and returns a vector for each token."""

    def __init__(self, config: dict[str, Any]) -> None:
        """Build the network. `config` is the checkpoint's `config.json`."""
        super().__init__()
        self.width = int(config["hidden_size"])
        self.config = config
        self.embeddings = _Embeddings(config)
        self.encoder = _Layers(config)

    @classmethod
    def load(cls, folder: Path) -> Bert:
        """Read `config.json` and `model.safetensors` of a checkpoint. Its pooling layer is left out."""
        from safetensors.torch import load_file

        config = json.loads((folder / "config.json").read_text(encoding="utf-8"))
        with torch.device("meta"):
            model = cls(config)
        wanted = model.state_dict().keys()
        tensors = load_file(folder / "model.safetensors")
        # A copy: what the file's mapping into memory holds cannot be written to.
        kept = {name: value.to(torch.float32, copy=True) for name, value in tensors.items() if name in wanted}
        model.load_state_dict(kept, assign=True)
        return model

    def forward(self, ids: Tensor, mask: Tensor, types: Tensor) -> Tensor:
        """Compute the vectors of padded texts.

        Args:
            ids: Token numbers, texts x tokens.
            mask: 1 for a token, 0 for padding; texts x tokens.
            types: Token types, texts x tokens.

        Returns:
            Texts x tokens x width.
        """
        # Without padding no mask is needed, and attention is computed faster.
        allowed = None if bool(mask.all()) else mask.bool()[:, None, None, :]
        positions = torch.arange(ids.shape[1], device=ids.device)
        return self._layers(ids, types, positions, partial(_attention, allowed=allowed))

    def unpadded(self, ids: Tensor, types: Tensor, lengths: Sequence[int]) -> list[Tensor]:
        """Compute the vectors of texts that follow one another without padding, which saves its cost and needs no mask.

        On a processor, in float32, the vectors of a text are the same to the last digit whatever other texts there are.

        Args:
            ids: Numbers of all tokens.
            types: Types of all tokens.
            lengths: Number of tokens of each text; texts of one length are neighbours.

        Returns:
            Texts x tokens x width for each length, in order.
        """
        groups = [(len(list(same)), tokens) for tokens, same in groupby(lengths)]
        sizes = [texts * tokens for texts, tokens in groups]

        def mix(query: Tensor, key: Tensor, value: Tensor) -> Tensor:
            of_groups = zip(groups, *(torch.split(part, sizes) for part in (query, key, value)), strict=True)
            mixed = [_attention(*(part.view(*group, *part.shape[1:]) for part in parts)) for group, *parts in of_groups]
            return torch.cat([part.flatten(0, 1) for part in mixed])

        positions = torch.cat([torch.arange(tokens, device=ids.device).repeat(texts) for texts, tokens in groups])
        hidden = self._layers(ids, types, positions, mix)
        return [part.view(*group, -1) for group, part in zip(groups, torch.split(hidden, sizes), strict=True)]

    def pack(self) -> None:
        """Copy the weights of all linear layers into the order in which a processor reads them fastest."""
        for module in self._linear:
            module.packed = pack(module.weight.data)

    def unpack(self) -> None:
        """Forget these copies. Call it before a weight is changed."""
        for module in self._linear:
            module.packed = None

    @property
    def _linear(self) -> list[Linear]:
        return [module for module in self.modules() if isinstance(module, Linear)]

    def _layers(self, ids: Tensor, types: Tensor, positions: Tensor, mix: Mix) -> Tensor:
        hidden: Tensor = self.embeddings(ids, types, positions)
        for layer in self.encoder.layer:
            hidden = layer(hidden, mix)
        return hidden


class _Embeddings(nn.Module):
    def __init__(self, config: dict[str, Any]) -> None:
        super().__init__()
        width = config["hidden_size"]
        self.word_embeddings = _table(config["vocab_size"], width)
        self.position_embeddings = _table(config["max_position_embeddings"], width)
        self.token_type_embeddings = _table(config["type_vocab_size"], width)
        self.LayerNorm = nn.LayerNorm(width, eps=config["layer_norm_eps"])

    def forward(self, ids: Tensor, types: Tensor, positions: Tensor) -> Tensor:
        summed = self.word_embeddings(ids) + self.token_type_embeddings(types) + self.position_embeddings(positions)
        normed: Tensor = self.LayerNorm(summed)
        return normed


def _table(rows: int, width: int) -> nn.Embedding:
    """Return an embedding without values.

    To draw random values without memory for them, torch loads its compiler for seconds.
    """
    return nn.Embedding(rows, width, _weight=torch.empty(rows, width))


class _Layers(nn.Module):
    def __init__(self, config: dict[str, Any]) -> None:
        super().__init__()
        self.layer = nn.ModuleList(_Layer(config) for _ in range(config["num_hidden_layers"]))


class _Layer(nn.Module):
    def __init__(self, config: dict[str, Any]) -> None:
        super().__init__()
        width, inner = config["hidden_size"], config["intermediate_size"]
        self.attention = _Attention(config)
        self.intermediate = _Dense(width, inner)
        self.output = _Closing(inner, config)

    def forward(self, hidden: Tensor, mix: Mix) -> Tensor:
        hidden = self.attention(hidden, mix)
        closed: Tensor = self.output(gelu(self.intermediate(hidden)), hidden)
        return closed


class _Attention(nn.Module):
    def __init__(self, config: dict[str, Any]) -> None:
        super().__init__()
        self.self = _Heads(config)
        self.output = _Closing(config["hidden_size"], config)

    def forward(self, hidden: Tensor, mix: Mix) -> Tensor:
        closed: Tensor = self.output(self.self(hidden, mix), hidden)
        return closed


class _Heads(nn.Module):
    def __init__(self, config: dict[str, Any]) -> None:
        super().__init__()
        width = config["hidden_size"]
        self.heads = config["num_attention_heads"]
        self.query, self.key, self.value = (Linear(width, width) for _ in range(3))

    def forward(self, hidden: Tensor, mix: Mix) -> Tensor:
        parts = (part(hidden).unflatten(-1, (self.heads, -1)) for part in (self.query, self.key, self.value))
        return mix(*parts).flatten(-2)


def _attention(query: Tensor, key: Tensor, value: Tensor, allowed: Tensor | None = None) -> Tensor:
    """Mix the values of each text's tokens by scaled dot-product attention.

    Args:
        query: Texts x tokens x heads x width.
        key: The same shape.
        value: The same shape.
        allowed: `True` for the tokens that may be looked at; `None` for all.

    Returns:
        The same shape.
    """
    query, key, value = (part.transpose(1, 2) for part in (query, key, value))
    if torch.is_grad_enabled() and query.device.type == "cpu":
        # On one core, with 80 tokens, fused attention's backward pass takes three times as long as the plain one.
        scores = query @ key.transpose(2, 3) * query.shape[-1] ** -0.5
        if allowed is not None:
            scores = scores.masked_fill(~allowed, torch.finfo(scores.dtype).min)
        mixed = scores.softmax(-1) @ value
    else:
        mixed = scaled_dot_product_attention(query, key, value, allowed)
    joined: Tensor = mixed.transpose(1, 2)
    return joined


class _Dense(nn.Module):
    def __init__(self, width: int, inner: int) -> None:
        super().__init__()
        self.dense = Linear(width, inner)

    def forward(self, hidden: Tensor) -> Tensor:
        outputs: Tensor = self.dense(hidden)
        return outputs


class _Closing(nn.Module):
    """A linear layer back to the network's width; its output is added to the input and normed."""

    def __init__(self, inner: int, config: dict[str, Any]) -> None:
        super().__init__()
        width = config["hidden_size"]
        self.dense = Linear(inner, width)
        self.LayerNorm = nn.LayerNorm(width, eps=config["layer_norm_eps"])

    def forward(self, hidden: Tensor, before: Tensor) -> Tensor:
        normed: Tensor = self.LayerNorm(self.dense(hidden) + before)
        return normed
