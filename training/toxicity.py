"""Train the judge that detects seven kinds of toxicity in a text.

    python -m training.toxicity --data FOLDER

No source has all of Detoxify's seven labels from human annotators. Each example therefore has the labels that its
source knows, and the loss ignores the others (`UNKNOWN`). `toxicity_data` and `toxicity_talk` describe the sources.

3,000 comments of jigsaw-binary, the test part of convabuse, and all of bias-madlibs are only tested on, as are the
lines of a writer who is held out. `score` is the mean ROC AUC on another 1,000 comments of jigsaw-binary, on the
validation part of convabuse and on the written lines that choose; none of them is trained on.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Iterable, Sequence
from pathlib import Path
from typing import Any

import torch
from torch import Tensor

from chattest.models.embedded.adapter import Adapter
from chattest.models.embedded.encoder import Encoder
from chattest.models.embedded.toxicity import read_labels
from chattest.models.protocols import TOXICITY_LABELS
from training.command import main
from training.task import Example, Plan, TrainingBatch, tokenized_pairs
from training.toxicity_data import (
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
from training.toxicity_talk import (
    read_companion,
    read_diasafety,
    read_hard_talk,
    read_hate,
    read_hatemoji,
    read_posts,
    read_service,
    read_small_talk,
    read_statements,
    read_topical,
    read_toxichat,
    read_written_lines,
)
from training.written_rows import Part

MAX_TRAINING_TOKENS = 64
"""Tokens of a text in training; a longer one is truncated."""
DRAWN = {
    "toxic comments": 250,
    "clean comments": 500,
    "toxic-spans": 200,
    "rtp": 400,
    "davidson": 300,
    "edos": 150,
    "chat": 300,
    "diasafety": 900,
    "toxichat": 900,
    "hatemojibuild": 250,
    "hate": 300,
    "posts": 400,
    "small talk": 1500,
    "topical": 600,
    "service": 400,
    "statements": 600,
    "forms": 3000,
}
"""Examples of each source in an epoch of continued training; of convabuse, half comes in every other epoch."""
NEWEST = frozenset({"toxicity-t14", "toxicity-t15", "toxicity-t17"})
"""Writers whose lines come twice in an epoch, as do the driver's; those of the others come once."""
HARD_TALK = Path("training-toxicity") / "hard.json"
"""Where `training.hard_talk` leaves what it found; all of it comes in every epoch."""
THRESHOLD = 0.955
"""The default of `threshold_toxicity` for every label, as the network says it: 0.80 when calibrated."""


class ToxicityTask:
    """The task of the toxicity judge."""

    name = "toxicity"

    def __init__(self, data: Path) -> None:
        self.jigsaw = read_jigsaw(data)
        self.convabuse = {part: read_convabuse(data, part) for part in ("train", "valid", "test")}
        self.madlibs = read_madlibs(data)
        self.sources = {
            "toxic comments": [comment for comment in self.jigsaw["train"] if comment.labels[0] == 1.0],
            "clean comments": [comment for comment in self.jigsaw["train"] if comment.labels[0] == 0.0],
            "toxic-spans": read_toxic_spans(data),
            "rtp": read_rtp(data),
            "davidson": read_davidson(data),
            "edos": read_edos(data),
            "chat": read_chat(data),
            "diasafety": read_diasafety(data),
            "toxichat": read_toxichat(data),
            "hatemojibuild": read_hatemoji(data),
            "hate": read_hate(data),
            "posts": read_posts(data),
            "small talk": read_small_talk(data),
            "topical": read_topical(data),
            "service": read_service(data),
            "statements": read_statements(data),
        }
        self.settings: dict[str, Any] = {"labels": list(TOXICITY_LABELS)}
        self.head: torch.nn.Module = torch.nn.Linear(2 * 384, len(TOXICITY_LABELS))

    def examples(self, epoch: int, rng: random.Random) -> list[Example]:
        """Draw from every source, in the sizes of `DRAWN`."""
        comments = self.convabuse["train"][epoch % 2 :: 2] + list(draw_written(DRAWN["forms"], rng))
        comments += read_written_lines("train") + read_written_lines("train", NEWEST)
        comments += 2 * read_companion("train") + read_hard_talk(HARD_TALK)
        for name, source in self.sources.items():
            comments += rng.sample(source, min(DRAWN[name], len(source)))
        return tokenized_pairs(
            [comment.text for comment in comments], None, [comment.labels for comment in comments], MAX_TRAINING_TOKENS
        )

    def loss(self, batch: TrainingBatch) -> Tensor:
        """Return the binary cross-entropy over the known labels."""
        logits = self.head(torch.cat([batch.pooled(), batch.first()], dim=-1))
        targets = torch.tensor(batch.targets, device=logits.device)
        known = ~targets.isnan()
        losses = torch.nn.functional.binary_cross_entropy_with_logits(logits, targets.nan_to_num(0.0), reduction="none")
        return (losses * known).sum() / known.sum()

    def evaluate(self, encoder: Encoder, adapter: Adapter) -> dict[str, float]:
        """Return the ROC AUC of toxicity, and the share of clean texts with a label above `THRESHOLD`."""

        def scores(texts: Sequence[str]) -> list[list[float]]:
            return read_labels(encoder, adapter, texts)

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
        figures |= self._written(scores, "choosing")
        figures["score"] = (figures["jigsaw_validation"] + figures["convabuse_validation"] + figures["written"]) / 3
        alarms = {
            term: _share(max(row) > THRESHOLD for row in scores(sentences)) for term, sentences in self.madlibs.items()
        }
        worst = max(alarms, key=lambda term: alarms[term])
        figures |= {"madlibs_false_alarms": sum(alarms.values()) / len(alarms), f"madlibs_worst_{worst}": alarms[worst]}
        return {name: round(value, 4) for name, value in figures.items()}

    @staticmethod
    def _written(scores: Callable[[Sequence[str]], list[list[float]]], part: Part) -> dict[str, float]:
        """Return the ROC AUC on the written lines of a part, by the greatest label, and the accuracy at `THRESHOLD`."""
        lines = read_written_lines(part)
        greatest = [max(row) for row in scores([line.text for line in lines])]
        truth = [line.labels[0] == 1.0 for line in lines]
        right = _share((value > THRESHOLD) == toxic for value, toxic in zip(greatest, truth, strict=True))
        return {"written": area_under_roc(greatest, truth), "written_accuracy": right}


def area_under_roc(scores: Sequence[float], truth: Sequence[bool]) -> float:
    """Compute the chance that a random true item scores higher than a random false one, ties counting half."""
    from sklearn.metrics import roc_auc_score

    return float(roc_auc_score(truth, scores))


def _share(events: Iterable[bool]) -> float:
    seen = list(events)
    return sum(seen) / len(seen)


if __name__ == "__main__":
    main(
        ToxicityTask,
        Plan(rank=0, learning_rate=2e-4, head_factor=4.0, tokens=30_000_000, evaluate_every=2_000_000, threads=2),
    )
