"""Shows what deferring is worth: a table, and two curves of each judge in one SVG file.

On the left, accuracy over the share of verdicts that go to a judge that is never wrong, the least sure first; dashed:
the same share drawn at random. On the right, the share of wrong verdicts among those that are kept, over their share of
all (risk over coverage).
"""

from collections.abc import Sequence
from pathlib import Path

from chattest.text.format import aligned
from chattest.validation.svg import FAINT, OTHER, POINT, axes, line, save, sheet
from chattest.validation.validate import SHARES, Validation

POINTS = 200
"""Most points of a curve."""
FOOT, TOP = 0.5, 0.5
"""Accuracy at the foot of the left panels; risk at the top of the right ones."""


def lines(validations: Sequence[Validation]) -> list[str]:
    """The table that the terminal shows."""
    head = ("kind", "n", "accuracy", *(f"{share:.0%} deferred" for share in SHARES), "risk area", "least")
    rows: list[tuple[str, ...]] = [head]
    for validation in validations:
        figures = validation.deferral()
        numbers = [figures["accuracy"], *figures["deferred"].values(), figures["risk_area"], figures["least_risk_area"]]
        rows.append((validation.kind, str(figures["n"]), *(f"{number:.3f}" for number in numbers)))
    return aligned(rows)


def write_curves(validations: Sequence[Validation], path: Path) -> None:
    """Draws the two curves of each judge. Raises `StoreError` when the file cannot be written."""
    names = ", ".join(validation.kind for validation in validations)
    svg, panels = sheet(f"Deferral and risk over coverage of {names}", 2 * len(validations), across=2)
    for validation, left, right in zip(validations, panels[::2], panels[1::2], strict=True):
        curves = validation.selective()
        total = len(curves.risks)
        gained = f"{curves.accuracy(0):.1%} alone, {curves.accuracy(0.2):.1%} with a fifth deferred"
        axes(left, f"{validation.kind}: accuracy", gained, "share deferred", (FOOT, 1.0))
        line(left, [(0, _up(curves.accuracy(0), FOOT, 1.0)), (1, 1)], FAINT, dashed=True)
        deferred = [(at / total, _up(value, FOOT, 1.0)) for at, value in enumerate(curves.with_better)]
        line(left, _thinned(deferred), POINT)
        area = f"area {curves.area:.3f}, least possible {curves.least_area:.3f}"
        axes(right, f"{validation.kind}: risk", area, "coverage", (0.0, TOP))
        kept = [((at + 1) / total, _up(value, 0.0, TOP)) for at, value in enumerate(curves.risks)]
        line(right, _thinned(kept), OTHER)
    save(svg, path)


def _up(share: float, foot: float, top: float) -> float:
    """Where a share stands in a panel, 0 to 1; what is outside lies on its edge."""
    return min(1.0, max(0.0, (share - foot) / (top - foot)))


def _thinned(points: list[tuple[float, float]]) -> list[tuple[float, float]]:
    """So many of the points as a reader can tell apart, the first and the last among them."""
    step = max(1, len(points) // POINTS)
    return [*points[:-1:step], points[-1]]
