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
    """Label on the axis -> the tally there."""
    understood: int | None = None
    """How many of the points a person still understands; `None` if all."""
    between: str = ""
    """What lies between a fact and its question, such as `rounds`; empty for a curve over the dose."""


def make_dose_curves(report: Report) -> list[Curve]:
    """Return the curves over the dose, in the order of the checks. Checks with verdicts at one dose only have none."""
    curves = []
    for info in report.checks:
        bins = report.curves.get(info.code, ())
        if is_curve(bins):
            inside = sum(figures.is_understood(bin, info) for bin in bins)
            points = tuple((figures.format_dose(bin), bin.tally) for bin in bins)
            limit = inside if inside < len(bins) else None
            curves.append(Curve(figures.make_check_title(info), figures.make_dose_axis(info), points, limit))
    return curves


def is_curve(bins: Sequence[DoseBin]) -> bool:
    """Return True if there are verdicts at two doses or more."""
    return sum(bool(bin.tally.total) for bin in bins) > 1


def make_recall_curves(report: Report) -> list[Curve]:
    """Return the curves of recall: over rounds, similar facts and tokens. Curves without a verdict are left out."""
    return [curve for curve in (make_rounds_curve(report), *make_in_between_curves(report)) if curve.points]


def make_rounds_curve(report: Report) -> Curve:
    """Return the curve over the rounds since the fact was last stated; it may have no points."""
    points = tuple((str(distance), tally) for distance, tally in report.recall if tally.total)
    return Curve("Recall over distance", "rounds since the fact was last stated", points, between="rounds")


def make_in_between_curves(report: Report) -> list[Curve]:
    """Return the curves over similar facts and over tokens. A curve needs two points; others are left out."""
    facts = tuple((str(number), tally) for number, tally in report.recall_facts if tally.total)
    tokens = tuple((f"{bin.low:g}–{bin.high:g}", bin.tally) for bin in report.recall_tokens if bin.tally.total)
    curves = [
        Curve("Recall over similar facts", "facts of the same type stated in between", facts, between="similar facts"),
        Curve("Recall over tokens", "tokens since the fact was last stated", tokens, between="tokens"),
    ]
    return [curve for curve in curves if len(curve.points) > 1]
