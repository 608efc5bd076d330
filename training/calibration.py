"""Fit the calibration of the judges' scores (`chattest/models/calibration.py`), and propose thresholds.

    python -m training.calibration --fit FILES... [--kinds KIND...] [--output FILE]

FILES are labelled replies in the format of `chattest validate`; the written rows of part "choosing" are always added.
These are many, and written to be hard; so the files and the rows count alike, whatever their numbers. Bots also answer
what nobody asked: to each `STRANGERS` closed answers comes one that answers another question, which is neither yes nor
no.
Run it after a judge was trained, and `chattest validate` and `measured` after it: they see the calibrated scores.

For each kind of figures it prints the calibration error (ECE) of the model's own scores and of the calibrated ones.
The latter are those of a fit on four fifths of the prompts for the fifth that was left out. It also prints the
threshold, in hundredths, at which the corrected pass rate is most precise, with the accuracy there. Set it in
`chattest/settings/thresholds.py`. Closed answers have none. `--rate` is the true pass rate, `--replies` the number of
replies, for which it is sought.
"""

import argparse
import random
from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np

from chattest.errors import InputError, Problem
from chattest.models.calibration import FILE, Calibration, read_calibrations, write_calibrations
from chattest.models.judges import Judges
from chattest.records.answers import AnswerKind
from chattest.records.result import Score
from chattest.scorers.base import Item, Scorer
from chattest.statistics.judges import Accuracy, compute_corrected_variance
from chattest.text.format import align
from chattest.validation.labelled import Closed, Labelled, Open, read_cases
from chattest.validation.reliability import compute_calibration_error
from chattest.validation.validate import list_measured_scorers, select_cases
from training.labelled_rows import group_of, labelled_rows

FOLDS = 5
SLOPES, BIASES = (0.05, 20.0), (-10.0, 10.0)
"""Between which slope and biases are sought."""
STRANGERS = 10
"""Closed answers to which one comes that is about something else."""
THRESHOLDS = [hundredths / 100 for hundredths in range(1, 100)]


@dataclass(frozen=True, slots=True)
class Judged:
    """A labelled case with the score of the model."""

    item: Item
    label: bool
    group: str
    """Its prompt."""
    score: Score
    """Not calibrated."""
    importance: float = 1.0
    """How much it counts in a fit."""


@dataclass(frozen=True, slots=True)
class Fitted:
    """The calibration of one kind of figures."""

    calibration: Calibration
    judged: int
    """How many cases it was fitted on."""
    error_before: float | None
    error_after: float | None
    """The calibration errors; the latter of cases that were left out of the fit."""
    threshold: float | None
    """The proposed threshold; `None` for closed answers."""
    accuracy: Accuracy
    """What the judge does there."""


def judged_cases(scorer: Scorer, cases: Sequence[Labelled], judges: Judges) -> list[Judged]:
    """Return the cases that a scorer judges by its models, with uncalibrated scores."""
    chosen = select_cases(scorer, cases)
    items = [case.item() for case in chosen]
    rows = zip(chosen, items, scorer.score(items, judges), strict=True)
    return [Judged(item, case.label, group_of(case), score) for case, item, score in rows if scorer.is_of_models(score)]


def fit(scorer: Scorer, judged: Sequence[Judged]) -> Calibration:
    """Find the slope and biases under which the labels are most likely.

    Scores of exactly 0 and 1 are left out: no calibration changes them. Raises `ValueError` if the others have one
    label only.
    """
    from scipy.optimize import minimize

    open_cases = [case for case in judged if 0 < (case.score.value or 0.0) < 1]
    labels = np.array([case.label for case in open_cases])
    importance = np.array([case.importance for case in open_cases])
    if len(set(labels.tolist())) < 2:
        raise ValueError("all labels are alike")
    names, expected = _outcomes(scorer, open_cases)
    given = np.array([[_parts(scorer, case.score)[name] for name in names] for case in open_cases])
    with np.errstate(divide="ignore"):
        logs = np.log(given)
    free = names[:-1]  # only differences of biases count, so the last one stays 0

    def unlikelihood(figures: Any) -> float:
        shifted = figures[0] * logs + np.append(figures[1:], 0.0)
        shifted -= shifted.max(axis=1, keepdims=True)
        weights = np.exp(shifted)
        chosen = weights[np.arange(len(labels)), expected] / weights.sum(axis=1)
        likely = np.log(np.clip(np.where(labels, chosen, 1 - chosen), 1e-12, 1))
        return float(-np.average(likely, weights=importance))

    found = minimize(unlikelihood, [1.0, *[0.0] * len(free)], method="L-BFGS-B", bounds=[SLOPES, *[BIASES] * len(free)])
    slope, *biases = (round(float(figure), 4) for figure in found.x)
    return Calibration(slope, dict(zip(free, biases, strict=True)))


def _parts(scorer: Scorer, score: Score) -> dict[str, float]:
    """Return the probability of each possible outcome."""
    if AnswerKind.CLOSED in scorer.answers:
        return score.parts
    value = min(1.0, max(0.0, score.value or 0.0))
    return {"true": value, "false": 1 - value}


def _outcomes(scorer: Scorer, judged: Sequence[Judged]) -> tuple[list[Any], list[int]]:
    """Return the names of the outcomes, and for each case the index of the outcome that its label is about."""
    if AnswerKind.CLOSED in scorer.answers:
        return ["yes", "no", "neither"], [0 if case.item.expected else 1 for case in judged]
    return ["true", "false"], [0] * len(judged)


def calibrated(scorer: Scorer, judged: Sequence[Judged], calibration: Calibration) -> list[Score]:
    """Calibrate the scores of the cases."""
    return [scorer.calibrated(case.score, case.item, calibration) for case in judged]


def held_out_values(scorer: Scorer, judged: Sequence[Judged]) -> list[float]:
    """Return the calibrated value of each case by a fit that has seen no case with its prompt.

    Raises `ValueError` if there are too few prompts, or all labels of a fit are alike.
    """
    from sklearn.model_selection import GroupKFold

    values = [0.0] * len(judged)
    for learnt, kept in GroupKFold(FOLDS).split(judged, groups=[case.group for case in judged]):
        calibration = fit(scorer, [judged[index] for index in learnt])
        scores = calibrated(scorer, [judged[index] for index in kept], calibration)
        for index, score in zip(kept, scores, strict=True):
            values[index] = score.value or 0.0
    return values


def fitted(scorer: Scorer, judged: Sequence[Judged], loss: Callable[[Accuracy], float]) -> Fitted:
    """Fit the calibration and the threshold of a scorer.

    Args:
        scorer: The scorer.
        judged: Its cases.
        loss: The threshold minimises it.

    Raises:
        ValueError: As for `fit`.
    """
    labels = [case.label for case in judged]
    after = compute_calibration_error(labels, held_out_values(scorer, judged))
    before = compute_calibration_error(labels, [min(1.0, max(0.0, case.score.value or 0.0)) for case in judged])
    calibration = fit(scorer, judged)
    scores = calibrated(scorer, judged, calibration)

    def accuracy(threshold: float) -> Accuracy:
        return _accuracy(scorer, judged, scores, threshold)

    threshold = min(THRESHOLDS, key=lambda bar: loss(accuracy(bar))) if scorer.threshold else None
    return Fitted(calibration, len(judged), before, after, threshold, accuracy(threshold or 0.0))


def _accuracy(scorer: Scorer, judged: Sequence[Judged], scores: Sequence[Score], threshold: float) -> Accuracy:
    assert scorer.labelled is not None
    counts = {True: [0, 0], False: [0, 0]}  # whether it should pass -> how many do not, and do
    for case, score in zip(judged, scores, strict=True):
        counts[case.label == scorer.labelled.true_passes][scorer.passes(score, case.item, threshold)] += 1
    return Accuracy(sum(counts[True]), counts[True][True], sum(counts[False]), counts[False][False])


def with_strangers(cases: Sequence[Labelled], replies: Sequence[str]) -> list[Labelled]:
    """Return the cases, and one in `STRANGERS` of the closed ones again with a reply to another question."""
    rng = random.Random("strangers")
    closed = [case for case in cases if isinstance(case, Closed)]
    changed = [
        case.model_copy(update={"reply": rng.choice(replies), "label": False, "tags": ()})
        for case in rng.sample(closed, len(closed) // STRANGERS)
    ]
    return [*cases, *changed]


def fit_all(
    sources: Sequence[Sequence[Labelled]],
    judges: Judges,
    loss: Callable[[Accuracy], float],
    kinds: Collection[str] = (),
) -> tuple[dict[str, Fitted], list[str]]:
    """Calibrate each kind of figures, and return why others are not calibrated.

    Args:
        sources: Cases; each source has the same weight.
        judges: The models in use.
        loss: The threshold minimises it.
        kinds: Kinds to fit; empty for all.
    """
    found: dict[str, Fitted] = {}
    left_out = []
    scorers = {kind: scorer for kind, scorer in list_measured_scorers().items() if not kinds or kind in kinds}
    for kind, scorer in scorers.items():
        judged = counted_alike([judged_cases(scorer, cases, judges) for cases in sources])
        try:
            found[kind] = fitted(scorer, judged, loss)
        except ValueError as error:
            left_out.append(f"{kind} stays as it was: {error}")
    return found, left_out


def counted_alike(sources: Sequence[Sequence[Judged]]) -> list[Judged]:
    """Return the cases of all sources, each source with the same total importance; the mean importance is 1."""
    kept = [source for source in sources if source]
    total = sum(map(len, kept))
    return [replace(case, importance=total / len(kept) / len(source)) for source in kept for case in source]


def lines(found: dict[str, Fitted]) -> list[str]:
    """Return the table that is printed."""
    head = ("kind", "cases", "ECE before", "after", "threshold", "accuracy", "sensitivity", "specificity")
    rows: list[tuple[str, ...]] = [head]
    for kind, figures in found.items():
        judge = figures.accuracy
        shares = ((judge.passed + judge.failed) / figures.judged, judge.sensitivity, judge.specificity)
        numbers = (figures.error_before, figures.error_after)
        bar = "-" if figures.threshold is None else f"{figures.threshold:.2f}"
        shown = ["-" if number is None else f"{number:.3f}" for number in numbers]
        rows.append((kind, str(figures.judged), *shown, bar, *(f"{share:.3f}" for share in shares)))
    return align(rows)


def read_files(files: Sequence[Path]) -> list[Labelled]:
    """Read labelled files. Raises `InputError` for a file that only measures, and for invalid lines."""
    measuring = [Problem(str(path), "is held out: it only measures") for path in files if "held-out" in path.name]
    if measuring:
        raise InputError(measuring)
    return read_cases(files) if files else []


def main(arguments: Sequence[str] | None = None) -> None:
    """Run the command line. `arguments` are by default those of the process."""
    parser = argparse.ArgumentParser(description="Fits the calibration of the embedded judges.")
    parser.add_argument("--fit", type=Path, nargs="*", required=True, metavar="FILE", help="labelled replies")
    parser.add_argument(
        "--kinds", nargs="+", default=(), choices=list(list_measured_scorers()), help="only these (default: all)"
    )
    parser.add_argument("--output", type=Path, default=FILE, help="the file of calibrations (default: where it ships)")
    parser.add_argument("--rate", type=float, default=0.8, help="true pass rate that thresholds are sought for")
    parser.add_argument("--replies", type=int, default=200, help="number of replies that thresholds are sought for")
    options = parser.parse_args(arguments)
    try:
        rows = labelled_rows("choosing")
        replies = [case.reply for case in rows if isinstance(case, Open)]
        sources = [with_strangers(cases, replies) for cases in (read_files(options.fit), rows)]
    except InputError as error:
        parser.error(str(error))
    loss = partial(compute_corrected_variance, rate=options.rate, replies=options.replies)
    found, left_out = fit_all(sources, Judges("embedded"), loss, options.kinds)
    known = read_calibrations(options.output) | {kind: figures.calibration for kind, figures in found.items()}
    write_calibrations(known, options.output)
    print("\n".join([*lines(found), *left_out, f"Stored in {options.output}"]))


if __name__ == "__main__":
    main()
