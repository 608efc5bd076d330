"""The task of the trunk: pairs for every head in one batch, and the loss of each by its own head.

    python -m chattest.training.trunk --data FOLDER

All weights of MiniLM but its word embeddings are trained. `score`, which chooses the weights, is the mean of the
figures on data that choose and are not trained on: circa's and EVOUNA's validation parts, the end of ToxiChat's
training part, and of the written rows all those about every tenth fact, prompt or statement of the training writers.
"""

from __future__ import annotations

import random
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any, Literal

import torch
from torch import Tensor

from chattest.models.embedded.adapter import Adapter
from chattest.models.embedded.batching import Batch
from chattest.models.embedded.encoder import Encoder
from chattest.training.task import Example, TrainingBatch, tokenized_pairs
from chattest.training.trunk.answers import AnswerPairs
from chattest.training.trunk.measures import Measures
from chattest.training.trunk.pairs import HEADS, MAX_TOKENS, Pair
from chattest.training.trunk.readings import InferencePairs, YesNoPairs, same_answer_pairs, same_question_pairs
from chattest.training.trunk.talk import TalkPairs

SMOOTHING = 0.02
"""Taken from a sure target and given to the other outputs, since people disagree."""


class TrunkTask:
    """The task of all pair judges."""

    name = "trunk"

    def __init__(self, data: Path, seed: int = 7) -> None:
        """data: the folder of the public data, with the second collection in `second`. seed: of what is drawn once."""
        self.yes_no, self.inference = YesNoPairs(data), InferencePairs(data)
        self.answers, self.talk = AnswerPairs(data), TalkPairs(data, seed)
        self.measures = Measures(data)
        self.settings: dict[str, Any] = {"heads": list(HEADS)}
        self.head: torch.nn.Module = torch.nn.ModuleDict(
            {name: torch.nn.Linear(2 * 384, outputs) for name, outputs in HEADS.items()}
        )

    def examples(self, epoch: int, rng: random.Random) -> list[Example]:
        """The pairs of all heads."""
        pairs = [*self.yes_no.draw(rng), *self.inference.draw(rng), *self.answers.draw(rng), *self.talk.draw(rng)]
        pairs += [*same_question_pairs(rng), *same_answer_pairs(rng)]
        return as_examples(pairs)

    def loss(self, batch: TrainingBatch) -> Tensor:
        """The mean loss of the pairs: cross-entropy over three outputs, binary cross-entropy over one."""
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
        """The figures that choose the weights."""
        return self.measures.choosing(lambda pairs: probabilities(encoder, adapter, pairs))

    def measure(self, encoder: Encoder, adapter: Adapter) -> dict[str, float]:
        """The figures on held-out data."""
        return self.measures.held_out(lambda pairs: probabilities(encoder, adapter, pairs))


def as_examples(pairs: Iterable[Pair]) -> list[Example]:
    """Tokenized pairs; a long context is cut at its beginning, a long reply at its end."""
    by_head: dict[str, list[Pair]] = {}
    for pair in pairs:
        by_head.setdefault(pair.head, []).append(pair)
    return [
        example
        for head, of_head in by_head.items()
        for example in tokenized_pairs(
            [pair.left for pair in of_head],
            [pair.right for pair in of_head],
            [(head, list(pair.target)) for pair in of_head],
            MAX_TOKENS[head],
            cut_from="left" if head == "coherence" else "right",
        )
    ]


def probabilities(encoder: Encoder, adapter: Adapter, pairs: Sequence[Pair]) -> list[list[float]]:
    """The chance of each output for pairs of the same head, in order."""
    head = pairs[0].head

    def read(batch: Batch) -> list[list[float]]:
        vectors = torch.cat([batch.pooled(), batch.first()], dim=-1)
        logits = torch.nn.functional.linear(vectors, adapter.head[f"{head}.weight"], adapter.head[f"{head}.bias"])
        rows: list[list[float]] = (logits.sigmoid() if HEADS[head] == 1 else logits.softmax(-1)).tolist()
        return rows

    lefts, rights = [pair.left for pair in pairs], [pair.right for pair in pairs]
    cut_from: Literal["left", "right"] = "left" if head == "coherence" else "right"
    return encoder.each(adapter, lefts, rights, read, MAX_TOKENS[head], cut_from=cut_from)
