"""Fit the weights of the features of an open answer, and compare each feature alone with all together.

    python -m training.open_answer --fit open-tune.jsonl --held-out open-held-out.jsonl

Both files contain labelled replies in the format of `python main.py validate`. To the first come the written rows that
choose. The weights are those of a logistic regression (L2, C = 1) over `FEATURES`. The threshold of a single feature is
the best one on what is fitted on, and is used unchanged on the held-out file. Writes `weights.json` and `CARD.md` into
the folder of the shipped weights.
"""

import argparse
from collections.abc import Collection, Iterable, Sequence
from pathlib import Path
from typing import Any

from chattest.files.atomic import write_whole
from chattest.models.judges import Judges
from chattest.models.logistic import Logistic, write_logistic
from chattest.records.plan import split_answers
from chattest.scorers.open_answer import AGAINST, FEATURES, WEIGHTS, denies, spans_and_features
from chattest.validation.labelled import Labelled, Open, read_cases
from training.labelled_rows import labelled_rows
from training.weights import rounded_weights

ALONE = {
    "answer match alone": "match",
    "reader and cosine (the original method)": "likeness",
    "value of the span": "span_value",
    "value of the reply": "reply_value",
    "all words of the answer": "whole",
}


def main(arguments: Sequence[str] | None = None) -> None:
    """Fit, measure and write. `arguments` are by default those of the process."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--fit", type=Path, required=True, help="labelled replies to fit on")
    parser.add_argument("--held-out", type=Path, required=True, help="labelled replies to measure on")
    parser.add_argument("--output", type=Path, default=WEIGHTS.parent)
    options = parser.parse_args(arguments)
    judges = Judges()
    fit, held_out = (opens(read_cases([path])) for path in (options.fit, options.held_out))
    fit += opens(labelled_rows("choosing"))
    fit = [case for case in fit if not denies(case.question, str(case.expected), case.reply)]  # a rule decides those
    fit_features, held_out_features = _features(fit, judges), _features(held_out, judges)

    weights = fit_signed(FEATURES, fit_features, [case.label for case in fit], AGAINST)
    values = {
        "all together": (
            [weights.log_odds(row) for row in fit_features],
            [weights.log_odds(row) for row in held_out_features],
            0.0,
        )
    }
    for part, name in ALONE.items():
        own = [row[name] for row in fit_features]
        values[part] = (own, [row[name] for row in held_out_features], _best_threshold(own, fit))
    lines = ["| judged by | accuracy, fitted on | accuracy, held out |", "|---|---|---|"]
    for part, (on_fit, on_held_out, threshold) in values.items():
        lines.append(
            f"| {part} | {_accuracy(on_fit, fit, threshold):.1%} | {_accuracy(on_held_out, held_out, threshold):.1%} |"
        )
    write_logistic(weights, options.output / "weights.json")
    write_whole(options.output / "CARD.md", _card(lines, len(fit), len(held_out)).encode())
    print("\n".join(lines))


def opens(cases: Sequence[Labelled]) -> list[Open]:
    """Return the replies to open questions, each with one accepted answer."""
    return [
        case.model_copy(update={"expected": expected})
        for case in cases
        if isinstance(case, Open)
        for expected in split_answers(case.expected)[:1]
    ]


def fit_signed(
    names: Iterable[str], rows: Sequence[dict[str, float]], labels: Sequence[bool], against: Collection[str]
) -> Logistic:
    """Fit the weights of the features, each with the sign that it may have.

    A feature with the wrong sign gets the weight 0: the one furthest off is left out, and the others are fitted again,
    until there is none.

    Args:
        names: The features.
        rows: The features of each case.
        labels: Whether the score of each case should be high.
        against: The features that may only lower the score; the others may only raise it.
    """
    from sklearn.linear_model import LogisticRegression

    every = list(names)
    kept = list(every)
    while True:
        model = LogisticRegression(C=1.0, max_iter=2000)
        model.fit([[row[name] for name in kept] for row in rows], labels)
        weights = dict(zip(kept, map(float, model.coef_[0]), strict=True))
        wrong = [name for name, weight in weights.items() if (weight > 0) == (name in against)]
        if not wrong:
            break
        kept.remove(max(wrong, key=lambda name: abs(weights[name])))
    rounded = rounded_weights(model, kept)
    return Logistic(rounded.bias, dict.fromkeys(every, 0.0) | dict(rounded.weights))


def _features(cases: Sequence[Open], judges: Judges) -> list[dict[str, float]]:
    columns: Any = zip(*((case.extract_with, case.question, case.expected, case.reply) for case in cases), strict=True)
    return [features for _, features in spans_and_features(judges, *columns)]


def _accuracy(values: Sequence[float], cases: Sequence[Open], threshold: float) -> float:
    return sum((value >= threshold) == case.label for value, case in zip(values, cases, strict=True)) / len(cases)


def _best_threshold(values: Sequence[float], cases: Sequence[Open]) -> float:
    return max(sorted(set(values)), key=lambda threshold: _accuracy(values, cases, threshold))


def _card(table: Sequence[str], fitted: int, held_out: int) -> str:
    return "\n".join(
        [
            "# Open answer: the weights of the features",
            "",
            f"A logistic regression, fitted on {fitted} labelled replies written for chattest, measured on {held_out}",
            "others with which they share no fact. No model behind the features was trained on either.",
            "",
            *table,
            "",
            "Each part alone has the threshold that is best on the replies fitted on.",
            "",
            "Made by `python -m training.open_answer --fit tests/data/judging/open-tune.jsonl",
            "--held-out tests/data/judging/open-held-out.jsonl`.",
            "",
        ]
    )


if __name__ == "__main__":
    main()
