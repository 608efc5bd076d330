"""A linear layer whose rows do not depend on each other, to the last digit.

On a processor, `torch.nn.functional.linear` asks MKL, which adds up in another order if there are few rows, or if
several threads share the work. So the same text would get other last digits in another batch. oneDNN, which torch has
too, adds up each row in the same way however many there are, but for a single one, which is therefore computed twice.

This module needs torch when it is imported: import it where it is used.
"""

from __future__ import annotations

import torch
from torch import Tensor, nn
from torch.nn.functional import linear as any_linear


def linear(rows: Tensor, weight: Tensor, bias: Tensor) -> Tensor:
    """`rows @ weight.T + bias`, where every row of the result is the same whatever other rows there are.

    rows: ... x in. weight: out x in. bias: out. Where oneDNN cannot be used (on an accelerator, in another number
    format than float32, with gradients), it is torch's own function, and last digits may differ.
    """
    if not _has_one_dnn(rows):
        return any_linear(rows, weight, bias)
    flat = rows.reshape(-1, rows.shape[-1])
    twice = flat.expand(2, -1).contiguous() if len(flat) == 1 else flat
    summed: Tensor = torch.ops.mkldnn._linear_pointwise(twice, weight, bias, "none", [], "")
    return summed[: len(flat)].view(*rows.shape[:-1], -1)


class Linear(nn.Linear):
    """`linear` as a layer."""

    def forward(self, input: Tensor) -> Tensor:
        """input: ... x in."""
        return linear(input, self.weight, self.bias)


def _has_one_dnn(rows: Tensor) -> bool:
    there = torch.backends.mkldnn.is_available() and hasattr(torch.ops.mkldnn, "_linear_pointwise")  # type: ignore[no-untyped-call]
    plain = rows.device.type == "cpu" and rows.dtype is torch.float32 and not torch.is_autocast_enabled("cpu")
    return there and plain and not torch.is_grad_enabled()
