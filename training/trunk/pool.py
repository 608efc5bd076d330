"""The file of a pool of pairs, from which the trunk learns without the public data, and with teachers' opinions.

Each pair is in it once, with how often an epoch has it. `training.trunk.make_pool` makes such a file.
"""

from __future__ import annotations

import gzip
import json
import random
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

from training.trunk.pairs import Pair


@dataclass(frozen=True, slots=True)
class Pooled:
    """A pair, and how many times an epoch has it."""

    pair: Pair
    """The pair; its target is empty if nobody labelled it."""
    count: float
    """Times in an epoch; 0.2 is once in five epochs."""


def read_pool(path: Path) -> list[Pooled]:
    """Read the pairs of a pool's file."""
    with gzip.open(path, "rt", encoding="utf-8") as file:
        return [
            Pooled(Pair(head, left, right, tuple(target)), count)
            for head, left, right, target, count in map(json.loads, file)
        ]


def write_pool(path: Path, pool: Iterable[Pooled]) -> None:
    """Write a pool's file."""
    with gzip.open(path, "wt", encoding="utf-8", compresslevel=6) as file:
        for pooled in pool:
            pair = pooled.pair
            target = [round(value, 4) for value in pair.target]
            file.write(
                json.dumps([pair.head, pair.left, pair.right, target, round(pooled.count, 3)], ensure_ascii=False)
            )
            file.write("\n")


def times(count: float, rng: random.Random) -> int:
    """Draw how often a pair occurs in an epoch: `count` on average."""
    return int(count) + (rng.random() < count % 1)
