"""Read adapters, the files that turn the encoder into a judge; `training.adapters` writes them.

Judges that read two texts share their changes to the encoder: judges of answers, of talk, and of two texts of one kind.
Each of these groups has a file, and the file of such a judge holds only its head and the setting `shares`.

Tensors in an adapter's file: `<module>.lora_A` (rank x in) and `<module>.lora_B` (out x rank), whose product times
`scale` is added to the module's weight; `full.<parameter>`, which replaces a small parameter (norms and biases);
`head.<name>`, the judge's own. The header holds `name`, `scale` and `settings` (JSON). Storage is float16.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from torch import Tensor


SHIPPED = Path(__file__).parent.parent / "weights"
"""A folder for each kind of judge, with its weights."""
SHARED = {
    "yes_no": "answers",
    "match": "answers",
    "coherence": "talk",
    "inference": "pairs",
    "same_question": "pairs",
    "equivalence": "pairs",
}
"""Kind of judge -> the name of the changes to the encoder that it shares with others."""
SHARES = "shares"
"""The setting that names them in the file of such a judge."""
STEPS = ".steps"
"""The end of the name of a tensor with a factor for each row of a matrix that is stored in whole numbers."""


@dataclass(frozen=True, slots=True)
class Adapter:
    """The changes and the head that turn the encoder into a judge."""

    name: str
    """The judge's name in reports."""
    scale: float
    """Factor of all low-rank changes."""
    settings: dict[str, Any]
    """The judge's further values, such as lengths, thresholds and labels."""
    changes: Mapping[str, Tensor]
    """Changes to the encoder's weights, float32, under the names that `chattest.models.embedded.encoder` lists."""
    head: dict[str, Tensor]
    """The judge's own tensors, float32, without the prefix `head.`."""


def find_shipped_adapter(kind: str) -> Path:
    """Return the path of the adapter of a kind of judge, such as `reader`, or of shared changes."""
    return SHIPPED / kind / f"{kind}.safetensors"


def read_adapter(path: Path) -> Adapter:
    """Read an adapter's file, and the file of the changes that it shares with others.

    Raises:
        FileNotFoundError: There is no such file.
        ValueError: The file is not an adapter.
    """
    from safetensors import safe_open

    with safe_open(path, framework="pt") as file:
        header = file.metadata() or {}
        tensors = {name: file.get_tensor(name) for name in file.keys()}  # noqa: SIM118 (not a mapping)
    if not {"name", "scale", "settings"} <= header.keys():
        raise ValueError(f"{path} is not a chattest adapter: its header lacks name, scale or settings.")
    settings = json.loads(header["settings"])
    own = Stored({name: value for name, value in tensors.items() if not name.startswith("head.")})
    return Adapter(
        name=header["name"],
        scale=float(header["scale"]),
        settings=settings,
        changes=_read_shared(settings[SHARES]) if SHARES in settings else own,
        head={name[5:]: value.float() for name, value in tensors.items() if name.startswith("head.")},
    )


class Stored(Mapping[str, "Tensor"]):
    """Tensors that stay as the file has them, in a quarter or half of the memory, and are returned in float32."""

    def __init__(self, tensors: dict[str, Tensor]) -> None:
        """Take the tensors of a file, including those with steps."""
        self._tensors = tensors
        self._names = [name for name in tensors if not name.endswith(STEPS)]

    def __getitem__(self, name: str) -> Tensor:
        value = self._tensors[name].float()
        steps = self._tensors.get(name + STEPS)
        return value if steps is None else value.mul_(steps)

    def kept(self) -> dict[str, Tensor]:
        """Return all tensors in float32 and store them so from now on: whoever alters them alters the judge."""
        opened = dict(self)
        self._tensors = opened
        return opened

    def __iter__(self) -> Iterator[str]:
        return iter(self._names)

    def __len__(self) -> int:
        return len(self._names)


@cache
def _read_shared(name: str) -> Mapping[str, Tensor]:
    """Read changes that several judges share, once for all judges."""
    return read_adapter(find_shipped_adapter(name)).changes


def share_weights(first: Adapter | None, second: Adapter | None) -> bool:
    """Return True if two adapters differ only in their heads, as those that share changes do."""
    return first is not None and second is not None and first.changes is second.changes and first.scale == second.scale
