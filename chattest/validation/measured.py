"""The results of a judge on labelled replies: its values and verdicts, and the figures computed from them."""

from collections.abc import Sequence
from dataclasses import dataclass
from math import isnan, nan
from typing import Any

from chattest.validation.labelled import Labelled
from chattest.validation.reliability import compute_calibration_error, compute_reliability
from chattest.validation.selective import Selective, compute_selective

SHARES = (0.1, 0.2, 0.3, 0.5)
"""Shares of verdicts deferred that the figures name."""


@dataclass(frozen=True, slots=True)
class Validation:
    """The results of one scorer on labelled cases."""

    kind: str
    """Kind of figures, as the scorer names it."""
    cases: tuple[Labelled, ...]
    """The cases that were judged."""
    values: tuple[float, ...]
    """The scorer's value of each case; higher speaks for the label `True`."""
    predicted: tuple[bool, ...]
    """The label that the scorer gives each case with the threshold in use."""
    threshold: float | None
    """The threshold in use; `None` for closed answers, which have none."""
    interpretations: tuple[str, ...]
    """The scorer's interpretation of each case."""
    not_judged: int = 0
    """How many more cases the scorer does not judge, such as empty replies, and those that a chat judge failed on."""
    judge: str = ""
    """The chat judge that judged alone; empty if others did."""
    sure: tuple[float, ...] = ()
    """How sure the scorer is of each verdict: the probability that it is right where its values are calibrated, else
    how far its value lies from the threshold."""

    @property
    def labels(self) -> list[bool]:
        """The right label of each case."""
        return [case.label for case in self.cases]

    @property
    def bots(self) -> list[str]:
        """The bots whose replies these are; empty if somebody wrote any of them."""
        named = {case.bot for case in self.cases}
        return [] if "" in named else sorted(named)

    @property
    def accuracy(self) -> float:
        """Share of the cases that were judged correctly, 0 to 1."""
        return _accuracy(self.labels, self.predicted)

    def figures(self) -> dict[str, Any]:
        """Compute all figures of the report.

        Precision is the share of `True` labels among the cases that the scorer judges `True`. Recall (sensitivity) is
        the share of the `True` cases that it judges `True`; specificity, of the `False` ones that it judges `False`.
        Each is `None` where it would divide by zero, and so is the area under the ROC curve where only one label
        occurs. The calibration error (ECE) is `None` where the values are no probabilities.

        Returns:
            n, n_true (those with label `True`), not_judged (left out of n), accuracy, precision, recall, specificity,
            roc_auc, calibration_error, threshold, balanced_threshold (see there), the figures by tag, and `bots`: the
            bots whose replies these are; left out if somebody wrote any of them.
        """
        from sklearn.metrics import precision_recall_fscore_support, roc_auc_score

        both = len(set(self.labels)) == 2
        precisions, recalls, _, _ = precision_recall_fscore_support(
            self.labels, self.predicted, labels=[False, True], zero_division=nan
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
            "calibration_error": compute_calibration_error(self.labels, self.values),
            "threshold": self.threshold,
            "balanced_threshold": find_balanced_threshold(self.labels, self.values) if both else None,
            "by_tag": self._by_tag(),
        } | ({"bots": self.bots} if self.bots else {})

    def _by_tag(self) -> dict[str, dict[str, float]]:
        """Return for each tag how many cases have it, and the share that was judged correctly."""
        by_tag = {}
        for tag in sorted({tag for case in self.cases for tag in case.tags}):
            tagged = [index for index, case in enumerate(self.cases) if tag in case.tags]
            labels, predicted = [self.labels[index] for index in tagged], [self.predicted[index] for index in tagged]
            by_tag[tag] = {"n": len(tagged), "accuracy": _accuracy(labels, predicted)}
        return by_tag

    def selective(self) -> Selective:
        """Compute risk over coverage; see `chattest.validation.selective`."""
        right = [predicted == label for predicted, label in zip(self.predicted, self.labels, strict=True)]
        return compute_selective(right, self.sure)

    def deferral(self) -> dict[str, Any]:
        """Compute what deferring gains: n, accuracy, risk_area (AURC), the least possible one, and `deferred`.

        The latter is the accuracy when a share of the verdicts, the least sure ones, goes to a judge that is never
        wrong.
        """
        curves = self.selective()
        return {
            "n": len(self.cases),
            "accuracy": self.accuracy,
            "deferred": {str(share): curves.accuracy(share) for share in SHARES},
            "share_for_95": curves.share_for(0.95),
            "risk_area": curves.area,
            "least_risk_area": curves.least_area,
        }

    def reliability(self) -> list[dict[str, float]]:
        """Compute the reliability table of the values; see `chattest.validation.reliability`."""
        return compute_reliability(self.labels, self.values)


def find_balanced_threshold(labels: Sequence[bool], values: Sequence[float]) -> float:
    """Find the threshold at which sensitivity and specificity are closest.

    Among ties, it is that with the highest Youden index. It lies halfway between two neighbouring values, so that "at
    least" and "above" mean the same and it may be rounded. Both labels must occur.
    """
    from sklearn.metrics import roc_curve

    false_alarms, hits, thresholds = roc_curve(labels, values, drop_intermediate=False)
    ranked = zip(abs(hits - (1 - false_alarms)), -(hits - false_alarms), thresholds, strict=True)
    lowest = float(min(ranked)[2])  # of the values called `True`
    return (lowest + max((value for value in values if value < lowest), default=lowest)) / 2


def _accuracy(labels: Sequence[bool], predicted: Sequence[bool]) -> float:
    """Return the share of labels that the judge gave too."""
    from sklearn.metrics import accuracy_score

    return float(accuracy_score(labels, predicted))


def _number(share: float) -> float | None:
    """Return a share of sklearn's, or `None` if it is not a number because it would divide by zero."""
    return None if isnan(share) else float(share)
