"""Thresholds that suit labelled replies better than those in force."""

from collections.abc import Sequence
from dataclasses import dataclass

from chattest.validation.answer_pairs import SAME_ANSWER
from chattest.validation.validate import Validation, balanced_threshold, measured_scorers

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
    """The threshold in force."""
    after: float
    """The one at which both kinds of error are about as frequent on these replies."""
    recalls: tuple[float, float]
    """The share of the replies labelled true that is recognised, before and after, 0 to 1."""
    specificities: tuple[float, float]
    """The share of those labelled false, before and after."""


def proposals(validations: Sequence[Validation]) -> tuple[list[Proposal], list[str]]:
    """The thresholds to change, and for every other kind a sentence that says why its threshold stays."""
    changes: list[Proposal] = []
    stays: list[str] = []
    for validation in validations:
        setting = _setting(validation.kind)
        true = sum(validation.labels)
        fewest = min(true, len(validation.labels) - true)
        if not setting or validation.threshold is None:
            stays.append(f"{validation.kind}: has no threshold")
        elif fewest < FEWEST:
            stays.append(f"{validation.kind}: {fewest} replies of one label, and it takes {FEWEST}")
        else:
            change = _proposal(validation, setting, validation.threshold)
            if change.recalls[0] == change.recalls[1] and change.specificities[0] == change.specificities[1]:
                stays.append(f"{validation.kind}: {setting} = {change.before:g} is the best on these replies")
            else:
                changes.append(change)
    return changes, stays


def _setting(kind: str) -> str:
    """The setting that holds the threshold of a kind of figures; empty if there is none."""
    scorer = measured_scorers().get(kind)
    return scorer.threshold if scorer is not None else "check_compare_bar" if kind == SAME_ANSWER else ""


def _proposal(validation: Validation, setting: str, before: float) -> Proposal:
    exact = balanced_threshold(validation.labels, validation.values)
    after = next(
        (
            short
            for digits in range(2, 10)
            if _said(validation, short := round(exact, digits)) == _said(validation, exact)
        ),
        exact,
    )
    now, then = _shares(validation, list(validation.said)), _shares(validation, _said(validation, after))
    return Proposal(validation.kind, setting, before, after, (now[0], then[0]), (now[1], then[1]))


def _said(validation: Validation, threshold: float) -> list[bool]:
    """The labels that a threshold between two values gives."""
    return [value >= threshold for value in validation.values]


def _shares(validation: Validation, said: Sequence[bool]) -> tuple[float, float]:
    """Recall and specificity."""
    pairs = list(zip(validation.labels, said, strict=True))
    true = [given for label, given in pairs if label]
    false = [given for label, given in pairs if not label]
    return sum(true) / len(true), false.count(False) / len(false)
