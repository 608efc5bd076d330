"""Success over something that grows: the dose of a perturbation, or what lies between a fact and its question."""

from collections.abc import Sequence
from dataclasses import dataclass

from chattest.records.report import DoseBin, Report
from chattest.records.result import Tally
from chattest.reports.content import figures


@dataclass(frozen=True, slots=True)
class Curve:
    """A curve of success."""

    title: str
    axis: str
    points: tuple[tuple[str, Tally], ...]
    """Place on the axis, in words -> the tally there."""
    understood: int | None = None
    """How many of the points a person still understands; `None` if all of them."""


def dose_curves(report: Report) -> list[Curve]:
    """The curves over the dose, of the checks in order; one without verdicts at two doses is no curve."""
    curves = []
    for info in report.checks:
        bins = report.curves.get(info.code, ())
        if is_curve(bins):
            inside = sum(figures.understood(bin, info) for bin in bins)
            points = tuple((figures.dose_words(bin), bin.tally) for bin in bins)
            line = inside if inside < len(bins) else None
            curves.append(Curve(figures.check_title(info), figures.dose_axis(info), points, line))
    return curves


def is_curve(bins: Sequence[DoseBin]) -> bool:
    """Whether there are verdicts at two doses."""
    return sum(bool(bin.tally.total) for bin in bins) > 1


def recall_curves(report: Report) -> list[Curve]:
    """The curves of recall: over rounds, like facts and tokens; one without a verdict is left out."""
    found = [figures.recall_over_rounds(report), *figures.recall_curves(report)]
    return [Curve(curve.title, curve.axis, curve.points) for curve in found if curve.points]
