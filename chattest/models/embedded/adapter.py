"""Reads adapters, the files that turn the encoder into a judge; `chattest.training.adapters` writes them.

The judges that compare two texts share their changes to the encoder: these are in one file, the trunk, and the file of
such a judge holds only its head and the setting `trunk`.

Tensors in an adapter's file: `<module>.lora_A` (rank x in) and `<module>.lora_B` (out x rank), whose product times
`scale` is added to the module's weight; `full.<parameter>`, which replaces a small parameter (norms and biases);
`head.<name>`, the judge's own. The header holds `name`, `scale` and `settings` (JSON). Storage is float16.
"""

from __future__ import annotations

import json
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from torch import Tensor


SHIPPED = Path(__file__).parent.parent / "weights"
"""A folder for each kind of judge, with its weights."""
TRUNK = SHIPPED / "trunk" / "trunk.safetensors"
"""The changes to the encoder that several judges share."""
TRUNK_KINDS = frozenset({"yes_no", "match", "coherence", "inference", "same_question", "equivalence"})
"""The kinds of judge whose changes are those of `TRUNK`."""
ON_TRUNK = "trunk"
"""The setting that says so in the file of such a judge."""
STEPS = ".steps"
"""Ends the name of the tensor that a matrix stored in whole numbers is multiplied with: a step for each of its rows."""


@dataclass(frozen=True, slots=True)
class Adapter:
    """What turns the encoder into a judge."""

    name: str
    """The judge's name in reports."""
    scale: float
    """Factor of all low-rank changes."""
    settings: dict[str, Any]
    """What the judge needs besides tensors, such as lengths, thresholds and labels."""
    changes: dict[str, Tensor]
    """Changes to the encoder's weights, float32, under the names that `chattest.models.embedded.encoder` lists."""
    head: dict[str, Tensor]
    """The judge's own tensors, float32, without the prefix `head.`."""


def shipped_adapter(kind: str) -> Path:
    """The adapter's file of a kind of judge, such as `reader`."""
    return SHIPPED / kind / f"{kind}.safetensors"


def read_adapter(path: Path) -> Adapter:
    """Reads an adapter's file, and the trunk's if it is built on that.

    Raises `FileNotFoundError`, and `ValueError` if the file is not an adapter.
    """
    from safetensors import safe_open

    with safe_open(path, framework="pt") as file:
        header = file.metadata() or {}
        names = [name for name in file.keys() if not name.endswith(STEPS)]  # noqa: SIM118 (not a mapping)
        tensors = {name: file.get_tensor(name).float() for name in names}
        for name in file.keys():  # noqa: SIM118
            if name.endswith(STEPS):
                tensors[name.removesuffix(STEPS)] *= file.get_tensor(name)
    if not {"name", "scale", "settings"} <= header.keys():
        raise ValueError(f"{path} is not a chattest adapter: its header lacks name, scale or settings.")
    settings = json.loads(header["settings"])
    own = {name: value for name, value in tensors.items() if not name.startswith("head.")}
    return Adapter(
        name=header["name"],
        scale=float(header["scale"]),
        settings=settings,
        changes=_trunk() if settings.get(ON_TRUNK) else own,
        head={name[5:]: value for name, value in tensors.items() if name.startswith("head.")},
    )


@cache
def _trunk() -> dict[str, Tensor]:
    """The trunk's changes, read once for all judges that share them."""
    return read_adapter(TRUNK).changes


def same_weights(one: Adapter | None, other: Adapter | None) -> bool:
    """Whether two adapters only differ in their heads, as those on the trunk do."""
    return one is not None and other is not None and one.changes is other.changes and one.scale == other.scale
