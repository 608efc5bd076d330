"""The device and the number format that a model computes in."""

from __future__ import annotations

from contextlib import AbstractContextManager, nullcontext
from typing import TYPE_CHECKING, Any, Literal

if TYPE_CHECKING:
    import torch


Precision = Literal["float32", "bfloat16"]
"""Number format a model computes in. bfloat16 keeps 8 significant bits, and halves the time on processors with
instructions for it (AVX-512 BF16, AMX)."""


def precision_context(device: torch.device, precision: Precision) -> AbstractContextManager[Any]:
    """Return a context manager in which a model with float32 weights computes in a precision."""
    import torch

    return nullcontext() if precision == "float32" else torch.autocast(device.type, torch.bfloat16)


def pick_device(device: str) -> str:
    """Resolve "auto" to "cuda" if it is available, else "cpu"; return any other name unchanged."""
    if device != "auto":
        return device
    import torch

    return "cuda" if torch.cuda.is_available() else "cpu"


def pick_fast_precision(device: str) -> Precision:
    """Return the faster precision on a device.

    Without instructions for bfloat16, a processor takes 2.5 times as long in it.
    """
    import torch

    if pick_device(device) == "cuda" or torch.cpu._is_amx_tile_supported() or torch.cpu._is_avx512_bf16_supported():
        return "bfloat16"
    return "float32"
