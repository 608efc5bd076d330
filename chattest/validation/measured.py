"""What measuring a judge on labelled replies found: its values and verdicts, and the figures made from them."""

from collections.abc import Sequence
from dataclasses import dataclass
from math import isnan, nan
from typing import Any

from chattest.validation.labelled import Labelled
from chattest.validation.reliability import calibration_error, reliability
from chattest.validation.selective import Selective, selective

SHARES = (0.1, 0.2, 0.3, 0.5)
"""Shares of verdicts deferred that the figures name."""


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
    """How many more cases the scorer does not judge, such as empty replies, and those that a chat judge failed on."""
    judge: str = ""
    """The chat judge that judged alone; empty where others did."""
    sure: tuple[float, ...] = ()
    """How sure the scorer is of each verdict: the probability that it is right where its values are calibrated, else
    how far its value lies from the threshold."""

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
        specificity, roc_auc, calibration_error, threshold, balanced_threshold, by tag.

        Precision is the share of `True` labels among the cases that the scorer calls `True`. Recall (sensitivity) is
        the share of the `True` cases that it calls `True`; specificity, of the `False` ones that it calls `False`.
        Each is `None` where it would divide by zero, and so is the area under the ROC curve where only one label
        occurs. The calibration error (ECE) is `None` where the values are no probabilities. The balanced threshold is
        described at `balanced_threshold`.
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
            "calibration_error": calibration_error(self.labels, self.values),
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

    def selective(self) -> Selective:
        """What the judge's sureness is worth; see `chattest.validation.selective`."""
        right = [said == label for said, label in zip(self.said, self.labels, strict=True)]
        return selective(right, self.sure)

    def deferral(self) -> dict[str, Any]:
        """What deferring is worth: n, accuracy, risk_area (AURC) and the least possible one, and `deferred`.

        The latter is the accuracy by share of verdicts, the least sure ones, that go to a judge that is never wrong.
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
        """The reliability table of the values; see `chattest.validation.reliability`."""
        return reliability(self.labels, self.values)


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
