"""Pairs of texts, which the trunk reads, each for one of its heads."""

from __future__ import annotations

import gzip
import json
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

HEADS = {"yes_no": 3, "match": 1, "coherence": 1, "inference": 3, "same_question": 1, "equivalence": 1}
"""The heads and their numbers of outputs."""
READINGS = ("yes", "no", "neither")
"""The outputs of the head `yes_no`."""
RELATIONS = ("agrees", "neutral", "contradicts")
"""The outputs of the head `inference`."""
MAX_TOKENS = {"yes_no": 96, "match": 160, "coherence": 96, "inference": 96, "same_question": 64, "equivalence": 96}
"""Tokens of a pair, by head."""


@dataclass(frozen=True, slots=True)
class Pair:
    """Two texts and the target of a head."""

    head: str
    """One of `HEADS`."""
    left: str
    """The first text: a question, an earlier statement or a context."""
    right: str
    """The second text: nearly always the reply."""
    target: tuple[float, ...]
    """The chance of each output; of a single output, the chance that it is true."""


def one_of(head: str, left: str, right: str, label: str, labels: Sequence[str]) -> Pair:
    """Make a pair for a head that chooses one of `labels`."""
    return Pair(head, left, right, tuple(float(label == name) for name in labels))


def either(head: str, left: str, right: str, true: bool) -> Pair:
    """Make a pair for a head with a single output."""
    return Pair(head, left, right, (float(true),))


def json_rows(path: Path) -> Iterator[dict[str, Any]]:
    """Read the rows of a packed JSONL file."""
    with gzip.open(path, "rt", encoding="utf-8") as file:
        yield from map(json.loads, file)
