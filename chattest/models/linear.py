"""A linear layer in which no row depends on the others, to the last digit.

On a processor, `torch.nn.functional.linear` asks MKL, which adds up in another order if there are few rows, or if
several threads share the work. So the same text would get other last digits in another batch. oneDNN, which torch has
too, adds up each row in the same way however many there are, except a single one, which is therefore computed twice.

This module needs torch when it is imported: import it where it is used.
"""

from __future__ import annotations

import torch
from torch import Tensor, nn
from torch.nn.functional import linear as any_linear

PACKED_FOR = 1024
"""The number of rows for which a weight is packed; any number of rows may be multiplied with it."""


def linear(rows: Tensor, weight: Tensor, bias: Tensor, packed: Tensor | None = None) -> Tensor:
    """Compute `rows @ weight.T + bias`, where every row of the result is the same whatever other rows there are.

    Where oneDNN cannot be used (on an accelerator, in another number format than float32, with gradients), this is
    torch's own function, and last digits may differ.

    Args:
        rows: ... x in.
        weight: Out x in.
        bias: Out.
        packed: The weight as `pack` returns it; without it, every call packs the weight again.
    """
    if not _has_one_dnn(rows):
        return any_linear(rows, weight, bias)
    flat = rows.reshape(-1, rows.shape[-1])
    twice = flat.expand(2, -1).contiguous() if len(flat) == 1 else flat
    read = weight if packed is None else packed
    summed: Tensor = torch.ops.mkldnn._linear_pointwise(twice, read, bias, "none", [], "")
    return summed[: len(flat)].view(*rows.shape[:-1], -1)


def pack(weight: Tensor) -> Tensor | None:
    """Copy a weight into the order in which oneDNN reads it; `None` where that cannot be used."""
    if not _has_one_dnn(weight):
        return None
    packed: Tensor = torch.ops.mkldnn._reorder_linear_weight(weight, PACKED_FOR)
    return packed


class Linear(nn.Linear):
    """`linear` as a layer."""

    packed: Tensor | None = None
    """The weight as `pack` returns it; to be set to `None` before the weight is changed."""

    def forward(self, input: Tensor) -> Tensor:
        """Apply the layer to `input`, ... x in."""
        return linear(input, self.weight, self.bias, self.packed)


def use(model: nn.Module) -> None:
    """Turn the linear layers of a model that is only read into layers of `Linear`, with the weights that they have.

    On some processors MKL reaches less than half the speed of oneDNN. Nothing is packed, as a copy of a large model's
    weights takes much memory. Layers of other classes, and those without a bias, stay as they are.
    """
    for module in model.modules():
        if type(module) is nn.Linear and module.bias is not None:
            module.__class__ = Linear


def _has_one_dnn(rows: Tensor) -> bool:
    available = torch.backends.mkldnn.is_available() and hasattr(torch.ops.mkldnn, "_linear_pointwise")  # type: ignore[no-untyped-call]
    plain = rows.device.type == "cpu" and rows.dtype is torch.float32 and not torch.is_autocast_enabled("cpu")
    return available and plain and not torch.is_grad_enabled()
