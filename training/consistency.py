"""Fits the weights of the features of a consistency score.

    python -m training.consistency --fit open-tune.jsonl --held-out open-held-out.jsonl

Labelled replies to open questions are paired: the first right reply to a question stands for the bot's first answer,
with which the other right ones agree and the wrong ones do not. The pairs of the file, those of the written rows that
choose, and the written statements about the bot itself that choose are fitted on, and each of the three counts alike
(logistic regression, L2, C = 0.1). Writes `weights.json` and `CARD.md`.
"""

from __future__ import annotations

import argparse
import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from chattest.files.atomic import write_whole
from chattest.models.judges import Judges
from chattest.scorers.consistency import FEATURES, WEIGHTS, consistency_features
from chattest.validation.labelled import Consistent, Labelled, agreements, read_cases
from training.labelled_rows import labelled_rows
from training.open_answer import opens, total

STRENGTH = 0.1
"""The C of the regression: how freely its weights may grow."""


def main(arguments: Sequence[str] | None = None) -> None:
    """Fits, measures and writes. arguments: by default those of the process."""
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
    weights = _fitted(_features(fit, judges), [case.label for case in fit], importance)
    lines = ["| pairs | number | accuracy |", "|---|---|---|"]
    for name, cases in (("fitted on", fit), ("held out", held_out)):
        right = [
            (total(weights, row) >= 0) == case.label for row, case in zip(_features(cases, judges), cases, strict=True)
        ]
        lines.append(f"| {name} | {len(cases)} | {sum(right) / len(right):.1%} |")
    write_whole(options.output / "weights.json", (json.dumps(weights, indent=1) + "\n").encode())
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


def _fitted(rows: Sequence[dict[str, float]], labels: Sequence[bool], importance: Sequence[float]) -> dict[str, float]:
    """The weights of the features, with `bias`.

    Of features that say nearly the same in two directions, some weigh against the others: which reply came first
    matters, and only their difference tells it. So no sign is asked for.
    """
    from sklearn.linear_model import LogisticRegression

    model = LogisticRegression(C=STRENGTH, max_iter=4000)
    model.fit([[row[name] for name in FEATURES] for row in rows], labels, importance)
    weights = {name: round(float(weight), 4) for name, weight in zip(FEATURES, model.coef_[0], strict=True)}
    return {"bias": round(float(model.intercept_[0]), 4)} | weights


def _pairs(cases: Sequence[Labelled]) -> list[Labelled]:
    return agreements(opens(cases))


def _features(cases: Sequence[Labelled], judges: Judges) -> list[dict[str, float]]:
    items = [case.item() for case in cases]
    columns: Any = zip(*((i.prompt, i.extract_with, str(i.expected), i.reply) for i in items), strict=True)
    return [features for _, _, features in consistency_features(judges, *columns)]


if __name__ == "__main__":
    main()
