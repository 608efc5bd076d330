"""Write adapters, which turn the encoder into a judge; `chattest.models.embedded.adapter` reads them."""

import json
from pathlib import Path

import torch
from safetensors.torch import save

from chattest.files.atomic import write_whole
from chattest.models.embedded.adapter import STEPS, Adapter


def write_adapter(path: Path, adapter: Adapter, in_bytes: bool = False) -> None:
    """Write an adapter's file, with tensors in float16.

    Args:
        path: The file.
        adapter: The adapter.
        in_bytes: Store the encoder's matrices as whole numbers from -127 to 127 with a step for each row (float32),
            which halves the file.

    Raises:
        StoreError: The file cannot be written.
    """
    tensors = dict(adapter.changes) | {f"head.{name}": value for name, value in adapter.head.items()}
    half = {name: value.detach().to("cpu", torch.float16).contiguous() for name, value in tensors.items()}
    for name, value in adapter.changes.items() if in_bytes else ():
        if value.dim() == 2:
            matrix = value.detach().to("cpu", torch.float32)
            steps = matrix.abs().amax(dim=1, keepdim=True).clamp(min=1e-12) / 127
            half[name], half[name + STEPS] = (matrix / steps).round().to(torch.int8), steps
    header = {
        "name": adapter.name,
        "scale": repr(adapter.scale),
        "settings": json.dumps(adapter.settings, sort_keys=True),
    }
    write_whole(path, save(half, metadata=header))
