"""The task of the trunk: pairs for every head in one batch, each with the loss of its own head.

    python -m training.trunk --data FOLDER

All weights of MiniLM but its word embeddings are trained. `score`, which chooses the weights, is the mean of the
figures on data that choose and are not trained on: circa's and EVOUNA's validation parts, the end of ToxiChat's
training part, and of the written rows all those about every tenth fact, prompt or statement of the training writers.
"""

from __future__ import annotations

import random
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, Literal

import torch
from torch import Tensor

from chattest.models.embedded.adapter import Adapter
from chattest.models.embedded.batching import Batch
from chattest.models.embedded.encoder import Encoder
from training.task import Example, TrainingBatch, tokenized_pairs
from training.trunk.answers import AnswerPairs
from training.trunk.measures import Measures
from training.trunk.pairs import HEADS, MAX_TOKENS, Pair
from training.trunk.pool import read_pool, times
from training.trunk.readings import (
    InferencePairs,
    YesNoPairs,
    agreement_pairs,
    same_answer_pairs,
    same_question_pairs,
)
from training.trunk.talk import TalkPairs

SMOOTHING = 0.02
"""Taken from a sure target and given to the other outputs, since people disagree."""


CHUNK = 20_000
"""Pairs tokenized at once; the tokenizer's output takes about a hundred times the memory of the text."""


class TrunkTask:
    """The task of all pair judges."""

    name = "trunk"

    def __init__(
        self, data: Path, seed: int = 7, pool: Path | None = None, often: Mapping[str, float] | None = None
    ) -> None:
        """Read the sets to learn from and to measure on.

        Args:
            data: The folder of the public data, with the second collection in `second`.
            seed: For what is drawn once.
            pool: A file of `training.trunk.make_pool`, to learn from it and not from `data`. Pairs without a target are
                left out.
            often: Head -> how often an epoch has its pairs, as a factor of the pool's number; heads that are not named
                are not learnt, and do not choose the weights. `None`: all heads, once.
        """
        self.often = often or dict.fromkeys(HEADS, 1.0)
        self.pool = [pooled for pooled in read_pool(pool) if pooled.pair.head in self.often] if pool else []
        self.pooled = as_examples([pooled.pair for pooled in self.pool])
        if not pool:
            self.yes_no, self.inference = YesNoPairs(data), InferencePairs(data)
            self.answers, self.talk = AnswerPairs(data), TalkPairs(data, seed)
        self.measures = Measures(data)
        self.settings: dict[str, Any] = {"heads": list(HEADS)}
        self.head: torch.nn.Module = torch.nn.ModuleDict(
            {name: torch.nn.Linear(2 * 384, outputs) for name, outputs in HEADS.items()}
        )

    def examples(self, epoch: int, rng: random.Random) -> list[Example]:
        """Return the pairs of all heads."""
        if not self.pool:
            return as_examples(self.drawn(rng))
        return [
            example
            for pooled, example in zip(self.pool, self.pooled, strict=True)
            if pooled.pair.target
            for _ in range(times(pooled.count * self.often[pooled.pair.head], rng))
        ]

    def drawn(self, rng: random.Random) -> list[Pair]:
        """Draw the pairs of an epoch, from the public data and the written rows."""
        pairs = [*self.yes_no.draw(rng), *self.inference.draw(rng), *self.answers.draw(rng), *self.talk.draw(rng)]
        return [*pairs, *same_question_pairs(rng), *same_answer_pairs(rng), *agreement_pairs(rng)]

    def loss(self, batch: TrainingBatch) -> Tensor:
        """Return the mean loss of the pairs: cross-entropy over three outputs, binary cross-entropy over one."""
        vectors = torch.cat([batch.pooled(), batch.first()], dim=-1)
        losses = []
        for name, outputs in HEADS.items():
            rows = [row for row, (head, _) in enumerate(batch.targets) if head == name]
            if not rows:
                continue
            logits = self.head[name](vectors[rows])  # type: ignore[index]
            targets = torch.tensor([batch.targets[row][1] for row in rows], device=logits.device)
            targets = targets * (1 - 2 * SMOOTHING) + (2 * SMOOTHING) / max(outputs, 2)
            if outputs == 1:
                losses.append(
                    torch.nn.functional.binary_cross_entropy_with_logits(logits, targets, reduction="none").squeeze(-1)
                )
            else:
                losses.append(torch.nn.functional.cross_entropy(logits, targets, reduction="none"))
        return torch.cat(losses).mean()

    def evaluate(self, encoder: Encoder, adapter: Adapter) -> dict[str, float]:
        """Return the figures that choose the weights."""
        return self.measures.choosing(lambda pairs: probabilities(encoder, adapter, pairs), frozenset(self.often))

    def measure(self, encoder: Encoder, adapter: Adapter) -> dict[str, float]:
        """Return the figures on held-out data."""
        return self.measures.held_out(lambda pairs: probabilities(encoder, adapter, pairs))


def as_examples(pairs: Sequence[Pair]) -> list[Example]:
    """Tokenize pairs in order; a long context is cut at its beginning, a long reply at its end."""
    by_head: dict[str, list[int]] = {}
    for index, pair in enumerate(pairs):
        by_head.setdefault(pair.head, []).append(index)
    examples: dict[int, Example] = {}
    for head, of_head in by_head.items():
        for start in range(0, len(of_head), CHUNK):
            rows = of_head[start : start + CHUNK]
            made = tokenized_pairs(
                [pairs[row].left for row in rows],
                [pairs[row].right for row in rows],
                [(head, list(pairs[row].target)) for row in rows],
                MAX_TOKENS[head],
                cut_from="left" if head == "coherence" else "right",
            )
            examples.update(zip(rows, made, strict=True))
    return [examples[index] for index in range(len(pairs))]


def probabilities(encoder: Encoder, adapter: Adapter, pairs: Sequence[Pair]) -> list[list[float]]:
    """Return the chance of each output for pairs of the same head, in order."""
    head = pairs[0].head

    def read(batch: Batch) -> list[list[float]]:
        vectors = torch.cat([batch.pooled(), batch.first()], dim=-1)
        weight, bias = (adapter.head[f"{head}.{name}"].to(vectors.device) for name in ("weight", "bias"))
        logits = torch.nn.functional.linear(vectors, weight, bias)
        rows: list[list[float]] = (logits.sigmoid() if HEADS[head] == 1 else logits.softmax(-1)).tolist()
        return rows

    lefts, rights = [pair.left for pair in pairs], [pair.right for pair in pairs]
    cut_from: Literal["left", "right"] = "left" if head == "coherence" else "right"
    return encoder.each(adapter, lefts, rights, read, MAX_TOKENS[head], cut_from=cut_from)
