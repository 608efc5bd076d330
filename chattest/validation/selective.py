"""Selective prediction: a judge's error on the verdicts it is surest of, and its accuracy with the others deferred.

Equally sure verdicts are averaged over all their orders, so a judge that is equally sure of every verdict gains
nothing.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from numpy.typing import NDArray


@dataclass(frozen=True, slots=True)
class Selective:
    """Two curves of one judge, with a point for each number of verdicts."""

    risks: tuple[float, ...]
    """Share of wrong verdicts, 0 to 1, among the one, two, ... and all verdicts that the judge is surest of."""
    with_better: tuple[float, ...]
    """Accuracy, 0 to 1, when none, one, ... and all verdicts, the least sure first, go to a judge that is never wrong.
    No real judge can do better with them."""
    best_risks: tuple[float, ...]
    """The risks of a judge with this accuracy that is surer of every right verdict than of any wrong one."""

    @property
    def area(self) -> float:
        """The area under risk over coverage, 0 to 1; less is better (AURC).

        Y. Geifman and R. El-Yaniv, Selective classification for deep neural networks, NeurIPS 2017.
        """
        return sum(self.risks) / len(self.risks)

    @property
    def least_area(self) -> float:
        """The least area that a judge with this accuracy can have."""
        return sum(self.best_risks) / len(self.best_risks)

    def accuracy(self, share: float) -> float:
        """Return the accuracy if a share, 0 to 1, of the verdicts is deferred to a judge that is never wrong."""
        return self.with_better[int(share * (len(self.with_better) - 1) + 0.5)]

    def share_for(self, accuracy: float) -> float:
        """Return the least share that must be deferred to reach an accuracy."""
        total = len(self.with_better) - 1
        return next(number for number, reached in enumerate(self.with_better) if reached >= accuracy - 1e-12) / total


def compute_selective(right: Sequence[bool], sure: Sequence[float]) -> Selective:
    """Compute the curves of verdicts.

    Args:
        right: Whether each verdict is right.
        sure: How sure the judge is of each verdict, in any unit.

    Raises:
        ValueError: There is no verdict, or the sequences differ in length.
    """
    import numpy as np

    if not right or len(right) != len(sure):
        raise ValueError("as many values as verdicts are needed, and one at least")
    wrong = 1 - np.asarray(right, float)
    number = len(wrong)
    counts = np.arange(1, number + 1)
    errors = _count_errors(wrong, np.asarray(sure, float))
    left = np.concatenate([[0.0], errors])  # errors among the 0, 1, ... surest
    best = np.maximum(0, counts - (number - wrong.sum()))
    with_better = 1 - left[::-1] / number
    return Selective(tuple((errors / counts).tolist()), tuple(with_better.tolist()), tuple((best / counts).tolist()))


def _count_errors(wrong: "NDArray[Any]", sure: "NDArray[Any]") -> "NDArray[Any]":
    """Return the expected number of errors among the one, two, ... surest verdicts, ties broken at random."""
    import numpy as np

    _, group = np.unique(-sure, return_inverse=True)
    mean = np.bincount(group, wrong) / np.bincount(group)
    return np.cumsum(mean[np.sort(group)])
