"""Fits how the features of an open answer are weighed, and measures each part alone beside all together.

    python -m chattest.training.open_answer --fit open-tune.jsonl --held-out open-held-out.jsonl

Both files hold labelled replies, as `python main.py validate` reads them. The weights are a logistic regression (L2, C
= 1) over `FEATURES`; each part's own threshold is the best one on the file it is fitted on, and is used unchanged on
the held-out file. Writes `weights.json` and `CARD.md` beside the embedded models.
"""

import argparse
import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from chattest.files.atomic import write_whole
from chattest.models.judges import Judges
from chattest.scorers.open_answer import FEATURES, WEIGHTS, spans_and_features
from chattest.validation.labelled import Labelled, Open, read_cases

ALONE = {
    "answer match alone": "match",
    "reader and cosine (the seed's way)": "likeness",
    "value of the span": "span_value",
    "value of the reply": "reply_value",
    "all words of the answer": "whole",
}


def main(arguments: Sequence[str] | None = None) -> None:
    """Fits, measures and writes."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--fit", type=Path, required=True, help="labelled replies to fit on")
    parser.add_argument("--held-out", type=Path, required=True, help="labelled replies to measure on")
    parser.add_argument("--output", type=Path, default=WEIGHTS.parent)
    options = parser.parse_args(arguments)
    judges = Judges()
    fit, held_out = (_opens(read_cases([path])) for path in (options.fit, options.held_out))
    known, shown = _known(fit, judges), _known(held_out, judges)

    from sklearn.linear_model import LogisticRegression

    names = list(FEATURES)
    model = LogisticRegression(C=1.0, max_iter=1000)
    model.fit([[row[name] for name in names] for row in known], [case.label for case in fit])
    weights = {"bias": float(model.intercept_[0])} | dict(zip(names, map(float, model.coef_[0]), strict=True))
    weights = {name: round(value, 4) for name, value in weights.items()}
    values = {"all together": ([_total(weights, row) for row in known], [_total(weights, row) for row in shown], 0.0)}
    for part, name in ALONE.items():
        own = [row[name] for row in known]
        values[part] = (own, [row[name] for row in shown], _best_bar(own, fit))
    lines = ["| judged by | accuracy, fitted on | accuracy, held out |", "|---|---|---|"]
    for part, (on_fit, on_held_out, bar) in values.items():
        lines.append(f"| {part} | {_accuracy(on_fit, fit, bar):.1%} | {_accuracy(on_held_out, held_out, bar):.1%} |")
    write_whole(options.output / "weights.json", (json.dumps(weights, indent=1) + "\n").encode())
    write_whole(options.output / "CARD.md", _card(lines, len(fit), len(held_out)).encode())
    print("\n".join(lines))


def _opens(cases: Sequence[Labelled]) -> list[Open]:
    return [case for case in cases if isinstance(case, Open)]


def _known(cases: Sequence[Open], judges: Judges) -> list[dict[str, float]]:
    columns: Any = zip(*((case.extract_with, case.question, case.expected, case.reply) for case in cases), strict=True)
    return [known for _, known in spans_and_features(judges, *columns)]


def _total(weights: dict[str, float], row: dict[str, float]) -> float:
    return weights["bias"] + sum(weights[name] * value for name, value in row.items())


def _accuracy(values: Sequence[float], cases: Sequence[Open], bar: float) -> float:
    return sum((value >= bar) == case.label for value, case in zip(values, cases, strict=True)) / len(cases)


def _best_bar(values: Sequence[float], cases: Sequence[Open]) -> float:
    return max(sorted(set(values)), key=lambda bar: _accuracy(values, cases, bar))


def _card(table: Sequence[str], fitted: int, held_out: int) -> str:
    return "\n".join(
        [
            "# Open answer: how the features are weighed",
            "",
            f"A logistic regression, fitted on {fitted} labelled replies written for chattest, measured on {held_out}",
            "others with which they share no fact. No model that it weighs was trained on either.",
            "",
            *table,
            "",
            "Each part alone has the bar that suits it best on the replies fitted on.",
            "",
            "Made by `python -m chattest.training.open_answer --fit tests/data/judging/open-tune.jsonl",
            "--held-out tests/data/judging/open-held-out.jsonl`.",
            "",
        ]
    )


if __name__ == "__main__":
    main()
