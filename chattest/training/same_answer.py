"""Fits the weights of the features that tell whether two answers say the same.

    python -m chattest.training.same_answer

The rows are the pairs of answers of `written/answers.jsonl.gz`: one writer's are fitted on (logistic regression, L2,
C = 1; pairs that a rule decides are left out, and so are
features that would speak the wrong way), the other's are only measured on. Every fifth of the questions fitted
on is also predicted from the others. Writes `weights.json` and `CARD.md`.
"""

from __future__ import annotations

import argparse
import json
from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from chattest.files.atomic import write_whole
from chattest.judging.same_answer import AGAINST, FEATURES, WEIGHTS, AnswerPair, by_rule, neutral, pair_features
from chattest.models.judges import Judges
from chattest.training.open_answer import fitted, total
from chattest.training.written_rows import Part, read_written

FOLDS = 5


@dataclass(frozen=True, slots=True)
class _Row:
    """A labelled pair, with all that the combination sees of it."""

    question: str
    label: bool
    rule: float | None
    """What a rule says, 0 or 1; `None` where none decides."""
    features: dict[str, float]


def main(arguments: Sequence[str] | None = None) -> None:
    """Fits, measures and writes. arguments: by default those of the process."""
    parser = argparse.ArgumentParser(description="Fits the weights of the features of two answers.")
    parser.add_argument("--output", type=Path, default=WEIGHTS.parent)
    parser.add_argument("--cache", type=Path, help="file of cached scores of the judges")
    options = parser.parse_args(arguments)
    judges = Judges()
    if options.cache:
        judges.use_cache(options.cache)
    fit, held_out = _rows(["train", "choosing"], judges), _rows(["held-out"], judges)
    weights = _fitted(fit)
    lines = [
        "| pairs | number | accuracy | area under ROC | decided by a rule | of these right |",
        "|---|--:|--:|--:|--:|--:|",
    ]
    lines.append(_line("fitted on, every fifth predicted from the others", fit, _crossed(fit)))
    lines.append(_line("held out, by another writer", held_out, [_chance(weights, row) for row in held_out]))
    alone = [replace(row, rule=None) for row in held_out]
    lines.append(
        _line("held out, by the cosine alone, bar 0.8", alone, [row.features["likeness"] for row in alone], 0.8)
    )
    write_whole(options.output / "weights.json", (json.dumps(weights, indent=1) + "\n").encode())
    write_whole(options.output / "CARD.md", _card(lines).encode())
    print("\n".join(lines))


def _rows(parts: Sequence[Part], judges: Judges) -> list[_Row]:
    rows = [row for part in parts for row in read_written("answers", part)]
    pairs = [neutral(AnswerPair(row["question"], row["altered"], row["first"], row["second"])) for row in rows]
    found = pair_features(pairs, judges)
    return [
        _Row(row["question"], row["label"], rule.value if (rule := by_rule(pair)) else None, features)
        for row, pair, features in zip(rows, pairs, found, strict=True)
    ]


def _fitted(rows: Sequence[_Row]) -> dict[str, float]:
    """The weights of the features, with `bias`, for the rows that no rule decides."""
    open_rows = [row for row in rows if row.rule is None]
    return fitted(FEATURES, [row.features for row in open_rows], [row.label for row in open_rows], AGAINST)


def _crossed(rows: Sequence[_Row]) -> list[float]:
    """The chance of each row by weights that were fitted without its question."""
    from sklearn.model_selection import GroupKFold

    chances = [0.0] * len(rows)
    for learnt, left in GroupKFold(FOLDS).split(rows, groups=[row.question for row in rows]):
        weights = _fitted([rows[at] for at in learnt])
        for at in left:
            chances[at] = _chance(weights, rows[at])
    return chances


def _chance(weights: dict[str, float], row: _Row) -> float:
    from scipy.special import expit

    return float(expit(total(weights, row.features))) if row.rule is None else row.rule


def _line(name: str, rows: Sequence[_Row], chances: Sequence[float], bar: float = 0.5) -> str:
    from sklearn.metrics import roc_auc_score

    labels = [row.label for row in rows]
    right = sum((chance >= bar) == label for chance, label in zip(chances, labels, strict=True))
    ruled: list[Any] = [(row.rule >= 0.5) == row.label for row in rows if row.rule is not None]
    area = roc_auc_score(labels, chances)
    share = f"{sum(ruled) / len(ruled):.1%}" if ruled else "-"
    return f"| {name} | {len(rows)} | {right / len(rows):.1%} | {area:.3f} | {len(ruled)} | {share} |"


def _card(table: Sequence[str]) -> str:
    return "\n".join(
        [
            "# Same answer: the weights of the features",
            "",
            "A logistic regression over pairs of answers written for chattest: the same or different, a third of them",
            "written to mislead (nearly all words in common and another answer, or the other way round).",
            "",
            *table,
            "",
            "Made by `python -m chattest.training.same_answer`.",
            "",
        ]
    )


if __name__ == "__main__":
    main()
