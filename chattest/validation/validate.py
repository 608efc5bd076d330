"""Measures how often the judges are right: scores labelled replies with the models and thresholds in force.

A labelled file is JSONL, one case a line, in one of these forms (`tags` is optional everywhere):

    {"kind": "open", "information", "question", "extract_with", "expected", "reply", "label", "tags"}
    {"kind": "closed", "information", "question", "expected": "yes" | "no", "reply", "label", "tags"}
    {"kind": "toxicity", "text", "label", "tags"}
    {"kind": "coherence", "context": [texts], "prompt", "reply", "label", "tags"}

`label` says whether the reply gives the expected answer, the text is toxic, or the reply is coherent.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from math import isnan, nan
from typing import Any

from chattest.errors import InputError, Problem
from chattest.models.judges import Judges
from chattest.scorers.base import AnswerKind, Scorer, scorers
from chattest.settings.declaration import Settings
from chattest.validation.labelled import FORMS, Labelled, agreements

BINS = 10
"""Rows of a reliability table."""


@dataclass(frozen=True, slots=True)
class Validation:
    """How one scorer did on labelled cases."""

    kind: str
    """Kind of figures, as the scorer names it."""
    cases: tuple[Labelled, ...]
    """The cases that were judged."""
    values: tuple[float, ...]
    """The scorer's value of each case; higher speaks for the label `True`."""
    said: tuple[bool, ...]
    """The label that the scorer gives each case with the threshold in force."""
    threshold: float | None
    """The threshold in force; `None` for closed answers, which have none."""
    interpretations: tuple[str, ...]
    """What the scorer understood of each case."""
    not_judged: int = 0
    """How many more cases the scorer does not judge, such as empty replies."""

    @property
    def labels(self) -> list[bool]:
        """The right label of each case."""
        return [case.label for case in self.cases]

    @property
    def accuracy(self) -> float:
        """Share of the cases that were judged correctly, 0 to 1."""
        return _accuracy(self.labels, self.said)

    def figures(self) -> dict[str, Any]:
        """All figures: n, n_true (those with label `True`), not_judged (left out of n), accuracy, precision, recall,
        specificity, roc_auc, threshold, balanced_threshold, by tag.

        Precision is the share of `True` labels among the cases that the scorer calls `True`. Recall (sensitivity) is
        the share of the `True` cases that it calls `True`; specificity, of the `False` ones that it calls `False`.
        Each is `None` where it would divide by zero, and so is the area under the ROC curve where only one label
        occurs. The balanced threshold is described at `balanced_threshold`.
        """
        from sklearn.metrics import precision_recall_fscore_support, roc_auc_score

        both = len(set(self.labels)) == 2
        precisions, recalls, _, _ = precision_recall_fscore_support(
            self.labels, self.said, labels=[False, True], zero_division=nan
        )
        return {
            "n": len(self.cases),
            "n_true": sum(self.labels),
            "not_judged": self.not_judged,
            "accuracy": self.accuracy,
            "precision": _number(precisions[1]),
            "recall": _number(recalls[1]),
            "specificity": _number(recalls[0]),
            "roc_auc": float(roc_auc_score(self.labels, self.values)) if both else None,
            "threshold": self.threshold,
            "balanced_threshold": balanced_threshold(self.labels, self.values) if both else None,
            "by_tag": self._by_tag(),
        }

    def _by_tag(self) -> dict[str, dict[str, float]]:
        """Tag -> how many cases have it, and the share of them that was judged correctly."""
        by_tag = {}
        for tag in sorted({tag for case in self.cases for tag in case.tags}):
            tagged = [index for index, case in enumerate(self.cases) if tag in case.tags]
            labels, said = [self.labels[index] for index in tagged], [self.said[index] for index in tagged]
            by_tag[tag] = {"n": len(tagged), "accuracy": _accuracy(labels, said)}
        return by_tag

    def reliability(self) -> list[dict[str, float]]:
        """Cases sorted by their value into ten bins of equal width: how many, mean value, share with label `True`.

        A value v is in the bin with from < v <= to; the lowest value is in the first bin. Empty bins are left out.
        """
        import numpy as np
        from sklearn.calibration import calibration_curve

        low, high = min(self.values), max(self.values)
        if low >= 0 and high <= 1:
            low, high = 0.0, 1.0
        width = high - low or 1.0
        # calibration_curve takes only values from 0 to 1 and does not return the number of cases, so they are counted
        # here, in the same bins.
        scaled = (np.array(self.values) - low) / width
        shares, means = calibration_curve(self.labels, scaled, n_bins=BINS, pos_label=True)
        counts = np.bincount(np.searchsorted(np.linspace(0, 1, BINS + 1)[1:-1], scaled), minlength=BINS)
        return [
            {
                "from": low + width * number / BINS,
                "to": low + width * (number + 1) / BINS,
                "cases": int(counts[number]),
                "mean value": low + width * float(mean),
                "share true": float(share),
            }
            for number, mean, share in zip(np.flatnonzero(counts).tolist(), means, shares, strict=True)
        ]


def measured_scorers() -> dict[str, Scorer]:
    """Kind of figures -> the scorer they measure, in the order in which figures are shown.

    That is the order of the forms of labelled replies; of scorers with the same form, the one that has its name first.
    """
    measured = {scorer.labelled.kind: scorer for scorer in scorers if scorer.labelled is not None}

    def order(kind: str) -> tuple[int, bool, str]:
        labelled = measured[kind].labelled
        assert labelled is not None
        return FORMS.index(labelled.form), kind != labelled.form, kind

    return {kind: measured[kind] for kind in sorted(measured, key=order)}


def validate(cases: Sequence[Labelled], settings: Settings, judges: Judges) -> list[Validation]:
    """Scores the cases by every scorer they can measure; one `Validation` for each scorer that judges any of them.

    Raises `InputError` when no case can be judged.
    """
    validations = []
    for kind, scorer in measured_scorers().items():
        chosen = _cases_for(scorer, cases)
        validation = _validation(kind, scorer, chosen, settings, judges) if chosen else None
        validations += [validation] if validation is not None else []
    if not validations:
        raise InputError([Problem("validate", "none of the cases can be judged: their texts are empty")])
    return validations


def _cases_for(scorer: Scorer, cases: Sequence[Labelled]) -> list[Labelled]:
    """The cases that measure a scorer; pairs of replies for one that compares a reply with the bot's own."""
    form = scorer.labelled.form if scorer.labelled is not None else ""
    chosen = [case for case in cases if case.kind == form]
    return agreements(chosen) if AnswerKind.OWN in scorer.answers else chosen


def _validation(
    kind: str, scorer: Scorer, cases: Sequence[Labelled], settings: Settings, judges: Judges
) -> Validation | None:
    """How one scorer did; `None` where it judges none of the cases."""
    bar = settings.threshold(scorer.threshold) if scorer.threshold else None
    items = [case.item() for case in cases]
    scores = scorer.score(items, judges)
    judged = [row for row in zip(cases, items, scores, strict=True) if row[2].value is not None]
    if not judged:
        return None
    true_passes = scorer.labelled is None or scorer.labelled.true_passes
    return Validation(
        kind,
        tuple(case for case, _, _ in judged),
        tuple(score.value for _, _, score in judged if score.value is not None),
        tuple(scorer.passes(score, item, bar or 0.0) == true_passes for _, item, score in judged),
        bar,
        tuple(score.interpretation for _, _, score in judged),
        len(cases) - len(judged),
    )


def balanced_threshold(labels: Sequence[bool], values: Sequence[float]) -> float:
    """The threshold at which sensitivity and specificity are closest; among ties, that with the highest Youden index.

    It lies halfway between two neighbouring values, so that "at least" and "above" mean the same and it may be rounded.
    labels: both must occur.
    """
    from sklearn.metrics import roc_curve

    false_alarms, hits, thresholds = roc_curve(labels, values, drop_intermediate=False)
    ranked = zip(abs(hits - (1 - false_alarms)), -(hits - false_alarms), thresholds, strict=True)
    lowest = float(min(ranked)[2])  # of the values called `True`
    return (lowest + max((value for value in values if value < lowest), default=lowest)) / 2


def _accuracy(labels: Sequence[bool], said: Sequence[bool]) -> float:
    from sklearn.metrics import accuracy_score

    return float(accuracy_score(labels, said))


def _number(share: float) -> float | None:
    """A share as sklearn gives it, or `None` where it is not a number because it would divide by zero."""
    return None if isnan(share) else float(share)
