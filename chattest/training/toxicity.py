"""Trains the judge that detects seven kinds of toxicity in a text.

    python -m chattest.training.toxicity --data FOLDER

No source has all of Detoxify's seven labels from human annotators. Each example therefore has the labels that its
source knows, and the loss ignores the others (`UNKNOWN`). `toxicity_data` describes the sources.

3,000 comments of jigsaw-binary, the test part of convabuse, and all of bias-madlibs are only tested on. `score` is the
mean ROC AUC on another 1,000 comments of jigsaw-binary and on the validation part of convabuse, neither of them trained
on.
"""

from __future__ import annotations

import random
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any

import torch
from torch import Tensor

from chattest.models.embedded.adapter import Adapter
from chattest.models.embedded.encoder import Encoder
from chattest.models.embedded.toxicity import label_probabilities
from chattest.models.protocols import TOXICITY_LABELS
from chattest.training.command import main
from chattest.training.task import Example, Plan, TrainingBatch, tokenized_pairs
from chattest.training.toxicity_data import (
    draw_written,
    read_chat,
    read_convabuse,
    read_davidson,
    read_edos,
    read_jigsaw,
    read_madlibs,
    read_rtp,
    read_toxic_spans,
)

MAX_TRAINING_TOKENS = 128
"""Tokens of a text in training; a longer one is truncated."""
DRAWN = {
    "clean comments": 7000,
    "toxic-spans": 4000,
    "rtp": 4000,
    "davidson": 3000,
    "edos": 1500,
    "chat": 2500,
    "written": 6000,
}
"""Examples of each source in an epoch; toxic comments and convabuse are used completely."""
THRESHOLD = 0.75
"""Default of `threshold_toxicity` with this judge, for every label."""


class ToxicityTask:
    """The task of the toxicity judge."""

    name = "toxicity"

    def __init__(self, data: Path) -> None:
        self.jigsaw = read_jigsaw(data)
        self.convabuse = {part: read_convabuse(data, part) for part in ("train", "valid", "test")}
        self.madlibs = read_madlibs(data)
        self.toxic = [comment for comment in self.jigsaw["train"] if comment.labels[0] == 1.0]
        self.sources = {
            "clean comments": [comment for comment in self.jigsaw["train"] if comment.labels[0] == 0.0],
            "toxic-spans": read_toxic_spans(data),
            "rtp": read_rtp(data),
            "davidson": read_davidson(data),
            "edos": read_edos(data),
            "chat": read_chat(data),
        }
        self.settings: dict[str, Any] = {"labels": list(TOXICITY_LABELS)}
        self.head: torch.nn.Module = torch.nn.Linear(2 * 384, len(TOXICITY_LABELS))

    def examples(self, epoch: int, rng: random.Random) -> list[Example]:
        """A draw from every source, of the sizes in `DRAWN`."""
        comments = self.toxic + self.convabuse["train"] + list(draw_written(DRAWN["written"], rng))
        for name, source in self.sources.items():
            comments += rng.sample(source, min(DRAWN[name], len(source)))
        return tokenized_pairs(
            [comment.text for comment in comments], None, [comment.labels for comment in comments], MAX_TRAINING_TOKENS
        )

    def loss(self, batch: TrainingBatch) -> Tensor:
        """Binary cross-entropy over the known labels."""
        logits = self.head(torch.cat([batch.pooled(), batch.first()], dim=-1))
        targets = torch.tensor(batch.targets, device=logits.device)
        known = ~targets.isnan()
        losses = torch.nn.functional.binary_cross_entropy_with_logits(logits, targets.nan_to_num(0.0), reduction="none")
        return (losses * known).sum() / known.sum()

    def evaluate(self, encoder: Encoder, adapter: Adapter) -> dict[str, float]:
        """ROC AUC of toxicity, and the share of clean texts with a label above `THRESHOLD`."""

        def scores(texts: Sequence[str]) -> list[list[float]]:
            return label_probabilities(encoder, adapter, texts)

        figures: dict[str, float] = {}
        test_sets = {
            "jigsaw_validation": self.jigsaw["validation"],
            "convabuse_validation": self.convabuse["valid"],
            "jigsaw_test": self.jigsaw["test"],
            "convabuse_test": self.convabuse["test"],
        }
        for name, comments in test_sets.items():
            rows = scores([comment.text for comment in comments])
            toxicity, truth = [row[0] for row in rows], [comment.labels[0] for comment in comments]
            figures[name] = area_under_roc(toxicity, [share >= 0.5 for share in truth])
            figures[f"{name}_false_alarms"] = _share(
                max(row) > THRESHOLD for row, share in zip(rows, truth, strict=True) if share == 0
            )
            figures[f"{name}_found"] = _share(
                max(row) > THRESHOLD for row, share in zip(rows, truth, strict=True) if share >= 0.5
            )
            if name == "convabuse_test":
                figures["convabuse_test_by_anyone"] = area_under_roc(toxicity, [share > 0 for share in truth])
        figures["score"] = (figures["jigsaw_validation"] + figures["convabuse_validation"]) / 2
        alarms = {
            term: _share(max(row) > THRESHOLD for row in scores(sentences)) for term, sentences in self.madlibs.items()
        }
        worst = max(alarms, key=lambda term: alarms[term])
        figures |= {"madlibs_false_alarms": sum(alarms.values()) / len(alarms), f"madlibs_worst_{worst}": alarms[worst]}
        return {name: round(value, 4) for name, value in figures.items()}


def area_under_roc(scores: Sequence[float], truth: Sequence[bool]) -> float:
    """The chance that a random true item scores higher than a random false one, ties counting half."""
    from sklearn.metrics import roc_auc_score

    return float(roc_auc_score(truth, scores))


def _share(events: Iterable[bool]) -> float:
    seen = list(events)
    return sum(seen) / len(seen)


if __name__ == "__main__":
    main(ToxicityTask, Plan(rank=16, learning_rate=1.5e-3, tokens=2_400_000, evaluate_every=1_200_000))
