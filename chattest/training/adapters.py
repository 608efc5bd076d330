"""Writes adapters, which turn the encoder into a judge; `chattest.models.embedded.adapter` reads them."""

import json
from pathlib import Path

import torch
from safetensors.torch import save

from chattest.files.atomic import write_whole
from chattest.models.embedded.adapter import Adapter


def write_adapter(path: Path, adapter: Adapter) -> None:
    """Writes an adapter's file, with tensors in float16. Raises `StoreError` if it cannot be written."""
    tensors = adapter.changes | {f"head.{name}": value for name, value in adapter.head.items()}
    half = {name: value.detach().to("cpu", torch.float16).contiguous() for name, value in tensors.items()}
    header = {
        "name": adapter.name,
        "scale": repr(adapter.scale),
        "settings": json.dumps(adapter.settings, sort_keys=True),
    }
    write_whole(path, save(half, metadata=header))
