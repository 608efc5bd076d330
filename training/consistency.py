"""Fit the weights of the features of a consistency score.

    python -m training.consistency --fit open-tune.jsonl --held-out open-held-out.jsonl

Labelled replies to open questions are paired: the first right reply to a question is taken as the bot's first answer,
with which the other right ones agree and the wrong ones do not. The fit uses the pairs of the file, those of the
written rows that choose, and the written statements about the bot itself that choose; each of the three has the same
weight (logistic regression, L2, C = 0.1). Writes `weights.json` and `CARD.md`.
"""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from chattest.files.atomic import write_whole
from chattest.models.judges import Judges
from chattest.models.logistic import Logistic, write_logistic
from chattest.scorers.consistency import FEATURES, WEIGHTS, consistency_features
from chattest.validation.labelled import Consistent, Labelled, pair_replies, read_cases
from training.labelled_rows import labelled_rows
from training.open_answer import opens
from training.weights import rounded_weights

STRENGTH = 0.1
"""The C of the regression: how freely its weights may grow."""


def main(arguments: Sequence[str] | None = None) -> None:
    """Fit, measure and write. `arguments` are by default those of the process."""
    parser = argparse.ArgumentParser(description="Fits the weights of the features of a consistency score.")
    parser.add_argument("--fit", type=Path, required=True, help="labelled replies to fit on")
    parser.add_argument("--held-out", type=Path, required=True, help="labelled replies to measure on")
    parser.add_argument("--output", type=Path, default=WEIGHTS.parent)
    options = parser.parse_args(arguments)
    judges = Judges()
    chosen = labelled_rows("choosing")
    statements: list[Labelled] = [case for case in chosen if isinstance(case, Consistent)]
    sources = [_pairs(read_cases([options.fit])), _pairs(chosen), statements]
    fit = [case for source in sources for case in source]
    importance = [len(fit) / len(sources) / len(source) for source in sources for _ in source]
    held_out = _pairs(read_cases([options.held_out]))
    weights = _fit(_features(fit, judges), [case.label for case in fit], importance)
    lines = ["| pairs | number | accuracy |", "|---|---|---|"]
    for name, cases in (("fitted on", fit), ("held out", held_out)):
        rows = zip(_features(cases, judges), cases, strict=True)
        right = [(weights.log_odds(row) >= 0) == case.label for row, case in rows]
        lines.append(f"| {name} | {len(cases)} | {sum(right) / len(right):.1%} |")
    write_logistic(weights, options.output / "weights.json")
    text = [
        "# Consistency: the weights of the features",
        "",
        "A logistic regression over pairs of replies.",
        "",
        *lines,
    ]
    text += ["", "Made by `python -m training.consistency --fit tests/data/judging/open-tune.jsonl"]
    text += ["--held-out tests/data/judging/open-held-out.jsonl`.", ""]
    write_whole(options.output / "CARD.md", "\n".join(text).encode())
    print("\n".join(lines))


def _fit(rows: Sequence[dict[str, float]], labels: Sequence[bool], importance: Sequence[float]) -> Logistic:
    """Fit the weights of the features.

    Of two features with nearly the same meaning in two directions, one often has a negative weight: which reply came
    first matters, and only their difference shows it. So no sign is required.
    """
    from sklearn.linear_model import LogisticRegression

    model = LogisticRegression(C=STRENGTH, max_iter=4000)
    model.fit([[row[name] for name in FEATURES] for row in rows], labels, importance)
    return rounded_weights(model, list(FEATURES))


def _pairs(cases: Sequence[Labelled]) -> list[Labelled]:
    return pair_replies(opens(cases))


def _features(cases: Sequence[Labelled], judges: Judges) -> list[dict[str, float]]:
    items = [case.item() for case in cases]
    columns: Any = zip(*((i.prompt, i.extract_with, str(i.expected), i.reply) for i in items), strict=True)
    return [features for _, _, features in consistency_features(judges, *columns)]


if __name__ == "__main__":
    main()
