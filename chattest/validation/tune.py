"""Propose thresholds that suit labelled replies better than those in use."""

from collections.abc import Sequence
from dataclasses import dataclass

from chattest.validation.measured import Validation, find_balanced_threshold
from chattest.validation.validate import SAME_ANSWER, list_measured_scorers

FEWEST = 10
"""Replies of each label from which a threshold is proposed; with fewer, chance moves it more than the bot does."""


@dataclass(frozen=True, slots=True)
class Proposal:
    """A better threshold of one scorer."""

    kind: str
    """Kind of figures, as the scorer names it."""
    setting: str
    """The setting that holds the threshold."""
    before: float
    """The threshold in use."""
    after: float
    """The one at which both kinds of error are about as frequent on these replies."""
    recalls: tuple[float, float]
    """The share of the replies labelled true that is recognised, before and after, 0 to 1."""
    specificities: tuple[float, float]
    """The share of the replies labelled false that is recognised, before and after."""


def propose_thresholds(validations: Sequence[Validation]) -> tuple[list[Proposal], list[str]]:
    """Propose thresholds, and give for every other kind a sentence why its threshold stays."""
    changes: list[Proposal] = []
    stays: list[str] = []
    for validation in validations:
        setting = _threshold_setting(validation.kind)
        true = sum(validation.labels)
        fewest = min(true, len(validation.labels) - true)
        if not setting or validation.threshold is None:
            stays.append(f"{validation.kind}: has no threshold")
        elif fewest < FEWEST:
            stays.append(f"{validation.kind}: {fewest} replies of one label, and it takes {FEWEST}")
        else:
            change = _propose(validation, setting, validation.threshold)
            if change.recalls[0] == change.recalls[1] and change.specificities[0] == change.specificities[1]:
                stays.append(f"{validation.kind}: {setting} = {change.before:g} is the best on these replies")
            else:
                changes.append(change)
    return changes, stays


def _threshold_setting(kind: str) -> str:
    """Return the setting that holds the threshold of a kind of figures; empty if there is none."""
    scorer = list_measured_scorers().get(kind)
    return scorer.threshold if scorer is not None else "check_compare_bar" if kind == SAME_ANSWER else ""


def _propose(validation: Validation, setting: str, before: float) -> Proposal:
    exact = find_balanced_threshold(validation.labels, validation.values)
    after = next(
        (
            short
            for digits in range(2, 10)
            if _predict(validation, short := round(exact, digits)) == _predict(validation, exact)
        ),
        exact,
    )
    shares = [_recall_and_specificity(validation, p) for p in (validation.predicted, _predict(validation, after))]
    recalls, specificities = ((old, new) for old, new in zip(*shares, strict=True))
    return Proposal(validation.kind, setting, before, after, recalls, specificities)


def _predict(validation: Validation, threshold: float) -> list[bool]:
    """Return the labels that a threshold gives."""
    return [value >= threshold for value in validation.values]


def _recall_and_specificity(validation: Validation, predicted: Sequence[bool]) -> tuple[float, float]:
    """Return the share of true labels, and the share of false ones, that are predicted."""
    pairs = list(zip(validation.labels, predicted, strict=True))
    true = [prediction for label, prediction in pairs if label]
    false = [prediction for label, prediction in pairs if not label]
    return sum(true) / len(true), false.count(False) / len(false)
