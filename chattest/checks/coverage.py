"""Measure to how many of the drawn questions each perturbation applies.

A rate over the few questions that a perturbation applies to says little about the others, so reports show the share.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from chattest.checks.base import Trial
from chattest.records.report import ExtraColumn, ExtraTable

FEW = 0.2
"""The share of the drawn questions below which a perturbation's coverage is a warning."""
ENOUGH = 20
"""So many altered questions are enough for a rate, if one about such questions only."""


@dataclass(frozen=True, slots=True)
class Coverage:
    """How many questions of a check a perturbation applies to."""

    check: str
    """The check's code."""
    altered: int
    """Drawn questions that the perturbation applies to."""
    drawn: int
    """Drawn questions; drawing ends when enough of them could be altered."""

    @property
    def share(self) -> float:
        """The share of the drawn questions that could be altered, 0 to 1."""
        return self.altered / self.drawn

    @property
    def few(self) -> bool:
        """True if the perturbation applies to fewer than a fifth of the drawn questions."""
        return self.share < FEW

    @property
    def remark(self) -> str:
        """What a small share means for the rate; empty if the share is not small."""
        if not self.few:
            return ""
        return "add questions that it applies to" if self.altered < ENOUGH else "its rate says little about the others"

    @property
    def words(self) -> str:
        """The share in words, with a warning where it is small."""
        share = f"applies to {self.altered} of {self.drawn} drawn questions ({self.share:.0%})"
        return f"{share}: {self.remark}" if self.few else share


def measure_coverage(planned: Iterable[tuple[str, Sequence[Trial]]]) -> list[Coverage]:
    """Return the coverage of every check by a perturbation, in order.

    Args:
        planned: Each check's code and its trials.
    """
    rows = []
    for code, trials in planned:
        tried = [trial for trial in trials if trial.row.perturbation and trial.row.perturbation != "pairs"]
        altered = {trial.questions[0] for trial in tried if trial.questions}
        drawn = len(altered) + sum(1 for trial in tried if not trial.questions)
        if drawn:
            rows.append(Coverage(code, len(altered), drawn))
    return rows


def make_coverage_table(rows: Sequence[Coverage]) -> ExtraTable | None:
    """Return the table of the perturbations that do not apply to every drawn question; `None` if there is none."""
    partial = sorted((each for each in rows if each.altered < each.drawn), key=lambda each: (each.share, each.check))
    if not partial:
        return None
    return ExtraTable(
        "Perturbation coverage",
        "How many of the drawn questions each perturbation applies to, fewest first; a check that is not listed "
        "applies to all of them. A rate below 20 % coverage says little about the other questions.",
        (
            ExtraColumn("check"),
            ExtraColumn("altered", "count"),
            ExtraColumn("drawn", "count"),
            ExtraColumn("share", "rate"),
            ExtraColumn("remark"),
        ),
        tuple(
            (
                each.check,
                each.altered,
                each.drawn,
                each.share,
                f"few: {each.remark}" if each.few else "",
            )
            for each in partial
        ),
    )
