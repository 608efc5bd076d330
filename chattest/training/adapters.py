"""Writes the small file that turns the encoder into one judge; `chattest.models.embedded.adapter` reads it."""

import json
from pathlib import Path

import torch
from safetensors.torch import save

from chattest.files.atomic import write_whole
from chattest.models.embedded.adapter import Adapter


def write_adapter(path: Path, adapter: Adapter) -> None:
    """Replaces an adapter's file, with tensors in float16. Raises `StoreError` where it cannot be written."""
    tensors = adapter.changes | {f"head.{name}": value for name, value in adapter.head.items()}
    half = {name: value.detach().to("cpu", torch.float16).contiguous() for name, value in tensors.items()}
    header = {
        "name": adapter.name,
        "scale": repr(adapter.scale),
        "settings": json.dumps(adapter.settings, sort_keys=True),
    }
    write_whole(path, save(half, metadata=header))
