"""The device and the number format that a model computes in."""

from __future__ import annotations

from contextlib import AbstractContextManager, nullcontext
from typing import TYPE_CHECKING, Any, Literal

if TYPE_CHECKING:
    import torch


Precision = Literal["float32", "bfloat16"]
"""What a model computes in. bfloat16 keeps 8 bits of each number's digits, and halves the time where the processor
has instructions for it (AVX-512 BF16, AMX)."""


def computing(device: torch.device, precision: Precision) -> AbstractContextManager[Any]:
    """The context in which a model whose weights are float32 computes in a precision."""
    import torch

    return nullcontext() if precision == "float32" else torch.autocast(device.type, torch.bfloat16)


def pick_device(device: str) -> str:
    """ "auto" becomes "cuda" where there is one and "cpu" otherwise; any other name stays."""
    if device != "auto":
        return device
    import torch

    return "cuda" if torch.cuda.is_available() else "cpu"
