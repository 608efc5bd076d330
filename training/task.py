"""The interface of a training script: a `Task` with its examples, and a `Plan` of the run."""

from __future__ import annotations

import random
from array import array
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from typing import Any, Literal, Protocol

import torch
from torch import Tensor

from chattest.models.embedded.adapter import Adapter
from chattest.models.embedded.batching import Batch
from chattest.models.embedded.encoder import Encoder, load_encoder


@dataclass(frozen=True, slots=True)
class Example:
    """A tokenized text or pair, and its target."""

    ids: array[int]
    """Token numbers, special tokens included (`array("H")`: two bytes each)."""
    right_from: int
    """Index of the first token of the second text; the length if there is none."""
    target: Any
    """What the task's loss compares with."""


@dataclass(frozen=True, slots=True)
class TrainingBatch(Batch):
    """A batch with its targets, which a task's loss reads."""

    targets: list[Any] = field(default_factory=list)
    """The targets of the examples, in order."""


class Task(Protocol):
    """A judge to train."""

    name: str
    """Its kind, such as `yes_no`."""
    settings: dict[str, Any]
    """Stored in the adapter's header."""
    head: torch.nn.Module
    """The judge's own parameters."""

    def examples(self, epoch: int, rng: random.Random) -> list[Example]:
        """Return the examples of one epoch; the loop shuffles them."""
        ...

    def loss(self, batch: TrainingBatch) -> Tensor:
        """Return the mean loss of a batch, a scalar."""
        ...

    def evaluate(self, encoder: Encoder, adapter: Adapter) -> dict[str, float]:
        """Return metrics on data that was not trained on; the adapter with the highest `score` is kept."""
        ...


@dataclass(frozen=True, slots=True)
class Plan:
    """The parameters of a training run; the command line can change every one."""

    rank: int = 32
    """Rank of the low-rank changes."""
    freeze: int = 0
    """With rank 0: how many of the lowest of the six layers stay as they are, and the embeddings with them."""
    learning_rate: float = 1e-3
    """Highest learning rate."""
    head_factor: float = 1.0
    """By how much the head learns faster than the rest."""
    tokens: int = 3_000_000
    """Tokens to train on, padding included; epochs are repeated until then."""
    batch_tokens: int = 2048
    """Tokens of a batch, padding included."""
    warmup: float = 0.03
    """Share of the tokens during which the learning rate rises."""
    decay: float = 0.5
    """Share of the tokens, at the end, during which the learning rate falls."""
    dropout: float = 0.0
    """Share of the encoder's values that are set to zero in a training step."""
    weight_decay: float = 0.01
    """Weight decay of AdamW."""
    seed: int = 7
    """Seed of the head, of the order and of the task's random choices."""
    threads: int = 1
    """Number of CPU threads."""
    precision: Literal["auto", "float32", "bfloat16"] = "auto"
    """Number format of the products; "auto" takes bfloat16 where there are instructions for it."""
    evaluate_every: int = 1_000_000
    """Tokens between evaluations; the last one is always at the end."""
    checkpoint_seconds: float = 240.0
    """Seconds between checkpoints."""


def tokenized_pairs(
    left: Sequence[str], right: Sequence[str] | None, targets: Iterable[Any], max_tokens: int = 256, **options: Any
) -> list[Example]:
    """Make examples of texts or pairs; `options` are passed to `Encoder.tokenize`."""
    encodings = load_encoder("cpu").tokenize(left, right, max_tokens, **options)
    return [
        Example(array("H", e.ids), len(e.ids) - sum(e.type_ids), target)
        for e, target in zip(encodings, targets, strict=True)
    ]
