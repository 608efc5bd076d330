"""The small file that turns the encoder into one judge; `chattest.training.adapters` writes it."""

from __future__ import annotations

import json
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from torch import Tensor


@dataclass(frozen=True, slots=True)
class Adapter:
    """What makes a judge of the encoder."""

    name: str
    """The judge's name, as it stands in reports."""
    scale: float
    """Factor of every low-rank change."""
    settings: dict[str, Any]
    """What the judge needs beside tensors: lengths, thresholds, labels."""
    changes: dict[str, Tensor]
    """Changes to the encoder's weights, float32, under the names the module's docstring gives."""
    head: dict[str, Tensor]
    """The judge's own tensors, float32, without the prefix `head.`."""


def read_adapter(path: Path) -> Adapter:
    """Reads an adapter's file.

    Raises `FileNotFoundError` where there is none, and `ValueError` where the file is no adapter.
    """
    from safetensors import safe_open

    with safe_open(path, framework="pt") as file:
        header = file.metadata() or {}
        tensors = {name: file.get_tensor(name).float() for name in file.keys()}  # noqa: SIM118 (not a mapping)
    if not {"name", "scale", "settings"} <= header.keys():
        raise ValueError(f"{path} is not a chattest adapter: its header lacks name, scale or settings.")
    return Adapter(
        name=header["name"],
        scale=float(header["scale"]),
        settings=json.loads(header["settings"]),
        changes={name: value for name, value in tensors.items() if not name.startswith("head.")},
        head={name[5:]: value for name, value in tensors.items() if name.startswith("head.")},
    )
