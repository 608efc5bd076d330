"""Weigh the judge that reads two answers together against the other features of `chattest.scorers.same_answer`.

    python -m training.same_answer

The weights of the other features among themselves stay as they are: they were fitted on pairs of answers before any
judge had learnt from these, and a fit on pairs that a judge has learnt would trust it too much. A logistic regression
(L2, C = 1) weighs their sum and the `equivalence` judge's log-odds on the written pairs that choose, from which no
judge learns; pairs that a rule decides are left out. Every fifth of the questions is also predicted from the others,
and another writer's pairs are only measured on. Writes `weights.json`.
"""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from chattest.models.judges import Judges
from chattest.models.logistic import Logistic, read_logistic, write_logistic
from chattest.scorers.same_answer import FEATURES, WEIGHTS, AnswerPair, by_rule, neutral, pair_features
from training.written_rows import Part, read_written

FOLDS = 5
HEAD = "equivalence"
"""The feature that is weighed against the sum of the others."""


@dataclass(frozen=True, slots=True)
class _Row:
    """A labelled pair, with all that the regression uses."""

    question: str
    label: bool
    rule: float | None
    """What a rule says, 0 or 1; `None` where none decides."""
    features: dict[str, float]
    writer: str = ""


def main(arguments: Sequence[str] | None = None) -> None:
    """Fit, measure and write. `arguments` are by default those of the process."""
    parser = argparse.ArgumentParser(description="Weighs the judge of two answers against the other features.")
    parser.add_argument("--weights", type=Path, default=WEIGHTS, help="the file to read and to write")
    parser.add_argument("--cache", type=Path, help="file of cached scores of the judges")
    options = parser.parse_args(arguments)
    judges = Judges()
    if options.cache:
        judges.use_cache(options.cache)
    read = read_logistic(options.weights)
    before = Logistic(read.bias, dict.fromkeys(FEATURES, 0.0) | dict(read.weights))
    fit, held_out = _rows("choosing", judges), _rows("held-out", judges)
    weights = weigh(before, fit)
    write_logistic(weights, options.weights)
    print("| pairs | number | accuracy | area under ROC | decided by a rule | of these right |")
    print("|---|--:|--:|--:|--:|--:|")
    print(_line("that choose, every fifth predicted from the others", fit, _predict_crossed(before, fit)))
    for writer in dict.fromkeys(row.writer for row in held_out):
        own = [row for row in held_out if row.writer == writer]
        print(_line(f"held out, {writer}", own, [_chance(weights, row) for row in own]))
    without = _with_head(weights, 0.0)
    print(_line("all held out, by the other features alone", held_out, [_chance(without, row) for row in held_out]))
    bare = [replace(row, rule=None) for row in held_out]
    print(_line("all held out, by the cosine alone, bar 0.8", bare, [row.features["likeness"] for row in bare], 0.8))


def weigh(before: Logistic, rows: Sequence[_Row]) -> Logistic:
    """Weigh `HEAD` against the sum of the other features. The weight of `HEAD` before does not matter."""
    from sklearn.linear_model import LogisticRegression

    rest = _with_head(before, 0.0)
    left = [row for row in rows if row.rule is None]
    both = [[rest.log_odds(row.features), row.features[HEAD]] for row in left]
    model = LogisticRegression(C=1.0).fit(both, [row.label for row in left])
    scale, own = (max(0.0, float(value)) for value in model.coef_[0])
    weights = {name: scale * value for name, value in rest.weights.items()} | {HEAD: own}
    bias = scale * rest.bias + float(model.intercept_[0])
    return Logistic(round(bias, 4), {name: round(weights[name], 4) for name in FEATURES})


def _with_head(weights: Logistic, weight: float) -> Logistic:
    """Return the weights with another one for `HEAD`."""
    return Logistic(weights.bias, dict(weights.weights) | {HEAD: weight})


def _rows(part: Part, judges: Judges) -> list[_Row]:
    rows = read_written("answers", part)
    pairs = [neutral(AnswerPair(row["question"], row["altered"], row["first"], row["second"])) for row in rows]
    found = pair_features(pairs, judges)
    return [
        _Row(row["question"], row["label"], rule.value if (rule := by_rule(pair)) else None, features, row["writer"])
        for row, pair, features in zip(rows, pairs, found, strict=True)
    ]


def _predict_crossed(before: Logistic, rows: Sequence[_Row]) -> list[float]:
    """Return the chance of each row by weights that were fitted without its question."""
    from sklearn.model_selection import GroupKFold

    chances = [0.0] * len(rows)
    for learnt, left in GroupKFold(FOLDS).split(rows, groups=[row.question for row in rows]):
        weights = weigh(before, [rows[index] for index in learnt])
        for index in left:
            chances[index] = _chance(weights, rows[index])
    return chances


def _chance(weights: Logistic, row: _Row) -> float:
    return weights.probability(row.features) if row.rule is None else row.rule


def _line(name: str, rows: Sequence[_Row], chances: Sequence[float], bar: float = 0.5) -> str:
    from sklearn.metrics import roc_auc_score

    labels = [row.label for row in rows]
    right = sum((chance >= bar) == label for chance, label in zip(chances, labels, strict=True))
    ruled: list[Any] = [(row.rule >= 0.5) == row.label for row in rows if row.rule is not None]
    area = roc_auc_score(labels, chances)
    share = f"{sum(ruled) / len(ruled):.1%}" if ruled else "-"
    return f"| {name} | {len(rows)} | {right / len(rows):.1%} | {area:.3f} | {len(ruled)} | {share} |"


if __name__ == "__main__":
    main()
