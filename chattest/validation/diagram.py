"""Draws the reliability diagram of each kind of figures, all in one SVG file.

A point is a bin of scores: its mean across, the share of the replies with label `True` up, with Wilson's 95 % interval.
Calibrated scores lie on the diagonal. The area of a point is the share of the replies that are in its bin.
"""

from collections.abc import Sequence
from math import sqrt
from pathlib import Path
from xml.etree.ElementTree import Element, SubElement

from chattest.errors import InputError, Problem
from chattest.statistics.wilson import wilson
from chattest.validation.reliability import are_probabilities
from chattest.validation.svg import FAINT, POINT, SIDE, axes, line, save, sheet
from chattest.validation.validate import Validation

LARGEST, SMALLEST = 11.0, 2.0
"""Radius of a point with all replies, and of one with next to none, in pixels."""


def write_diagram(validations: Sequence[Validation], path: Path) -> None:
    """Writes a panel for each validation whose values are probabilities; the others have no such diagram.

    Raises `InputError` where there is none, `StoreError` when the file cannot be written.
    """
    shown = [validation for validation in validations if are_probabilities(validation.values)]
    if not shown:
        what = "no judge that was measured gives probabilities, so there is nothing to draw"
        raise InputError([Problem(f"--plot {path}", what, "Use the embedded models.")])
    svg, panels = sheet(f"Reliability of {', '.join(validation.kind for validation in shown)}", len(shown))
    for panel, validation in zip(panels, shown, strict=True):
        _draw(panel, validation)
    save(svg, path)


def _draw(panel: Element, validation: Validation) -> None:
    error = validation.figures()["calibration_error"]
    axes(panel, validation.kind, f"{len(validation.cases):,} replies, ECE {error:.3f}", "score")
    line(panel, [(0, 0), (1, 1)], FAINT, dashed=True)
    for row in validation.reliability():
        cases, mean, share = int(row["cases"]), row["mean value"], row["share true"]
        low, high = wilson(share, cases)
        line(panel, [(mean, low), (mean, high)], POINT)
        radius = SMALLEST + (LARGEST - SMALLEST) * sqrt(cases / len(validation.cases))
        place = {"cx": f"{mean * SIDE:.1f}", "cy": f"{(1 - share) * SIDE:.1f}", "r": f"{radius:.1f}"}
        point = SubElement(panel, "circle", {**place, "fill": POINT, "fill-opacity": "0.8"})
        SubElement(point, "title").text = f"score {mean:.2f}: {share:.0%} of {cases} true"
