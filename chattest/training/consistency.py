"""Fits the weights of the features of a consistency score.

    python -m chattest.training.consistency --fit open-tune.jsonl --held-out open-held-out.jsonl

Labelled replies to open questions are paired: the first right reply to a question stands for the bot's first answer,
with which the other right ones agree and the wrong ones do not. The pairs of the file and of the written rows that
choose, and the written statements about the bot itself that choose, are fitted on (logistic regression, L2, C = 1).
Writes `weights.json` and `CARD.md`.
"""

from __future__ import annotations

import argparse
import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from chattest.files.atomic import write_whole
from chattest.models.judges import Judges
from chattest.scorers.consistency import AGAINST, FEATURES, WEIGHTS, consistency_features
from chattest.training.labelled_rows import labelled_rows
from chattest.training.open_answer import fitted, opens, total
from chattest.validation.labelled import Consistent, Labelled, agreements, read_cases


def main(arguments: Sequence[str] | None = None) -> None:
    """Fits, measures and writes. arguments: by default those of the process."""
    parser = argparse.ArgumentParser(description="Fits the weights of the features of a consistency score.")
    parser.add_argument("--fit", type=Path, required=True, help="labelled replies to fit on")
    parser.add_argument("--held-out", type=Path, required=True, help="labelled replies to measure on")
    parser.add_argument("--output", type=Path, default=WEIGHTS.parent)
    options = parser.parse_args(arguments)
    judges = Judges()
    chosen = labelled_rows("choosing")
    fit = _pairs([*read_cases([options.fit]), *chosen]) + [case for case in chosen if isinstance(case, Consistent)]
    held_out = _pairs(read_cases([options.held_out]))
    weights = fitted(FEATURES, _features(fit, judges), [case.label for case in fit], AGAINST)
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
    text += ["", "Made by `python -m chattest.training.consistency --fit tests/data/judging/open-tune.jsonl"]
    text += ["--held-out tests/data/judging/open-held-out.jsonl`.", ""]
    write_whole(options.output / "CARD.md", "\n".join(text).encode())
    print("\n".join(lines))


def _pairs(cases: Sequence[Labelled]) -> list[Labelled]:
    return agreements(opens(cases))


def _features(cases: Sequence[Labelled], judges: Judges) -> list[dict[str, float]]:
    items = [case.item() for case in cases]
    columns: Any = zip(*((i.prompt, i.extract_with, str(i.expected), i.reply) for i in items), strict=True)
    return [features for _, _, features in consistency_features(judges, *columns)]


if __name__ == "__main__":
    main()
