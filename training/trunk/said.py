"""A teacher's opinions on pairs of texts: a file of numbers, without the texts."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from pathlib import Path

import numpy as np

from training.trunk.pairs import Pair

Said = dict[int, list[float]]
"""The chance of each output of its head, by a pair's key."""


def key_of(pair: Pair) -> int:
    """Return a number of 64 bits that identifies a pair's head and texts."""
    text = "\x1f".join((pair.head, pair.left, pair.right))
    return int.from_bytes(hashlib.blake2b(text.encode(), digest_size=8).digest(), "little")


def write_said(path: Path, said: Mapping[int, list[float]]) -> None:
    """Write a file (.npz): keys in rising order, each one's number of outputs, and the chances one after another."""
    keys = sorted(said)
    np.savez_compressed(
        path,
        keys=np.array(keys, np.uint64),
        outputs=np.array([len(said[key]) for key in keys], np.uint8),
        chances=np.array([round(254 * chance) for key in keys for chance in said[key]], np.uint8),
    )


def read_said(path: Path) -> Said:
    """Read such a file. Chances are exact to 0.002."""
    with np.load(path) as file:
        keys, outputs, chances = file["keys"].tolist(), file["outputs"].tolist(), (file["chances"] / 254).tolist()
    said, start = {}, 0
    for key, count in zip(keys, outputs, strict=True):
        said[key] = chances[start : start + count]
        start += count
    return said
