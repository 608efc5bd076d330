"""Plots of a validation in SVG files: reliability diagrams, and curves of what deferring gains.

A reliability diagram has a point for each bin of scores: its mean across, the share of the replies with label `True`
up, with Wilson's 95 % interval. Calibrated scores lie on the diagonal. The area of a point is the share of the replies
that are in its bin.

What deferring gains has two panels for each judge. On the left, accuracy over the share of verdicts that go to a judge
that is never wrong, the least sure first. On the right, the share of wrong verdicts among those that are kept, over
their share of all (risk over coverage).
"""

from collections.abc import Sequence
from math import sqrt
from pathlib import Path
from xml.etree.ElementTree import Element, SubElement, indent, tostring

from chattest.errors import InputError, Problem
from chattest.files.atomic import write_whole
from chattest.statistics.wilson import wilson
from chattest.text.format import align
from chattest.validation.measured import SHARES, Validation
from chattest.validation.reliability import are_probabilities

ACROSS = 3
"""Panels in a row."""
SIDE, LEFT, TOP, GAP = 200, 52, 44, 44
"""Side of a panel's square; space left of it, above it, and below it, in pixels."""
INK, FAINT, GRID, POINT, OTHER = "#1f2937", "#6b7280", "#d9dee7", "#3f83d1", "#c2571a"
LARGEST, SMALLEST = 11.0, 2.0
"""Radius of a point with all replies, and of one with next to none, in pixels."""
POINTS = 200
"""Most points of a curve."""
LOWEST_ACCURACY, HIGHEST_RISK = 0.5, 0.5
"""Accuracy at the foot of the left panels of curves; risk at the top of the right ones."""

Point = tuple[float, float]
"""Across and up, 0 to 1."""


def check_svg_name(path: Path, option: str = "--plot") -> None:
    """Check that a name is that of an SVG file. Raises `InputError` that names the `option` where it was given."""
    if path.suffix.lower() != ".svg":
        raise InputError([Problem(f"{option} {path}", "is not the name of an SVG file", "Let it end in .svg.")])


def write_diagram(validations: Sequence[Validation], path: Path) -> None:
    """Draw a panel for each validation that has probabilities as values; the others have no such diagram.

    Raises:
        InputError: No validation has probabilities.
        StoreError: The file cannot be written.
    """
    shown = [validation for validation in validations if are_probabilities(validation.values)]
    if not shown:
        what = "no judge that was measured gives probabilities, so there is nothing to draw"
        raise InputError([Problem(f"--plot {path}", what, "Use the embedded models.")])
    svg, panels = _start_sheet(f"Reliability of {', '.join(validation.kind for validation in shown)}", len(shown))
    for panel, validation in zip(panels, shown, strict=True):
        _draw_diagram(panel, validation)
    _save(svg, path)


def _draw_diagram(panel: Element, validation: Validation) -> None:
    error = validation.figures()["calibration_error"]
    _draw_axes(panel, validation.kind, f"{len(validation.cases):,} replies, ECE {error:.3f}", "score")
    _draw_line(panel, [(0, 0), (1, 1)], FAINT, dashed=True)
    for row in validation.reliability():
        cases, mean, share = int(row["cases"]), row["mean value"], row["share true"]
        low, high = wilson(share, cases)
        _draw_line(panel, [(mean, low), (mean, high)], POINT)
        radius = SMALLEST + (LARGEST - SMALLEST) * sqrt(cases / len(validation.cases))
        centre = {"cx": f"{mean * SIDE:.1f}", "cy": f"{(1 - share) * SIDE:.1f}", "r": f"{radius:.1f}"}
        point = SubElement(panel, "circle", {**centre, "fill": POINT, "fill-opacity": "0.8"})
        SubElement(point, "title").text = f"score {mean:.2f}: {share:.0%} of {cases} true"


def format_deferral(validations: Sequence[Validation]) -> list[str]:
    """Return the table that the terminal shows."""
    head = ("kind", "n", "accuracy", *(f"{share:.0%} deferred" for share in SHARES), "risk area", "least")
    rows: list[tuple[str, ...]] = [head]
    for validation in validations:
        figures = validation.deferral()
        numbers = [figures["accuracy"], *figures["deferred"].values(), figures["risk_area"], figures["least_risk_area"]]
        rows.append((validation.kind, str(figures["n"]), *(f"{number:.3f}" for number in numbers)))
    return align(rows)


def write_curves(validations: Sequence[Validation], path: Path) -> None:
    """Draw the two curves of each judge. Raises `StoreError` if the file cannot be written."""
    names = ", ".join(validation.kind for validation in validations)
    svg, panels = _start_sheet(f"Deferral and risk over coverage of {names}", 2 * len(validations), across=2)
    for validation, left, right in zip(validations, panels[::2], panels[1::2], strict=True):
        curves = validation.selective()
        total = len(curves.risks)
        gained = f"{curves.accuracy(0):.1%} alone, {curves.accuracy(0.2):.1%} with a fifth deferred"
        _draw_axes(left, f"{validation.kind}: accuracy", gained, "share deferred", (LOWEST_ACCURACY, 1.0))
        _draw_line(left, [(0, _height(curves.accuracy(0), LOWEST_ACCURACY, 1.0)), (1, 1)], FAINT, dashed=True)
        deferred = [
            (index / total, _height(value, LOWEST_ACCURACY, 1.0)) for index, value in enumerate(curves.with_better)
        ]
        _draw_line(left, _thin_out(deferred), POINT)
        area = f"area {curves.area:.3f}, least possible {curves.least_area:.3f}"
        _draw_axes(right, f"{validation.kind}: risk", area, "coverage", (0.0, HIGHEST_RISK))
        kept = [((index + 1) / total, _height(value, 0.0, HIGHEST_RISK)) for index, value in enumerate(curves.risks)]
        _draw_line(right, _thin_out(kept), OTHER)
    _save(svg, path)


def _height(share: float, foot: float, top: float) -> float:
    """Return the height of a share in a panel, 0 to 1; shares outside lie on its edge."""
    return min(1.0, max(0.0, (share - foot) / (top - foot)))


def _thin_out(points: list[tuple[float, float]]) -> list[tuple[float, float]]:
    """Return as many of the points as a reader can distinguish, including the first and the last."""
    step = max(1, len(points) // POINTS)
    return [*points[:-1:step], points[-1]]


def _start_sheet(title: str, number: int, across: int = ACROSS) -> tuple[Element, list[Element]]:
    """Return a drawing and its empty panels.

    Args:
        title: For readers who do not see the picture.
        number: How many panels.
        across: Most panels in a row.
    """
    columns = min(across, number)
    width, height = columns * (LEFT + SIDE + 20), -(-number // columns) * (TOP + SIDE + GAP)
    size = {"width": str(width), "height": str(height), "viewBox": f"0 0 {width} {height}"}
    font = {"font-family": "system-ui, sans-serif", "font-size": "12", "fill": INK}
    svg = Element("svg", {"xmlns": "http://www.w3.org/2000/svg", "role": "img", **size, **font})
    SubElement(svg, "title").text = title
    SubElement(svg, "rect", {"width": str(width), "height": str(height), "fill": "white"})
    panels = []
    for index in range(number):
        x, y = index % columns * (LEFT + SIDE + 20) + LEFT, index // columns * (TOP + SIDE + GAP) + TOP
        panels.append(SubElement(svg, "g", transform=f"translate({x} {y})"))
    return svg, panels


def _save(svg: Element, path: Path) -> None:
    """Write the file. Raises `StoreError` if it cannot be written."""
    indent(svg)
    write_whole(path, tostring(svg, encoding="utf-8", xml_declaration=True) + b"\n")


def _draw_axes(panel: Element, heading: str, note: str, across: str, span: tuple[float, float] = (0.0, 1.0)) -> None:
    """Draw heading, note, grid and labels of a panel.

    Args:
        panel: The panel.
        heading: In bold, above.
        note: Below the heading.
        across: The label of the axis across.
        span: The shares at its foot and its top.
    """
    _draw_text(panel, 0, -20, heading, weight="bold")
    _draw_text(panel, 0, -6, note, fill=FAINT)
    for share in (0.0, 0.5, 1.0):
        _draw_line(panel, [(share, 0), (share, 1)], GRID)
        _draw_line(panel, [(0, share), (1, share)], GRID)
        _draw_text(panel, share * SIDE, SIDE + 16, f"{share:g}", anchor="middle", fill=FAINT)
        up = span[0] + share * (span[1] - span[0])
        _draw_text(panel, -8, (1 - share) * SIDE + 4, f"{100 * up:.0f} %", anchor="end", fill=FAINT)
    _draw_text(panel, SIDE / 2, SIDE + 31, across, anchor="middle")


def _draw_line(panel: Element, points: Sequence[Point], colour: str, dashed: bool = False) -> None:
    """Draw a line through two points or more."""
    dashes = {"stroke-dasharray": "4 4"} if dashed else {}
    pixels = [(f"{across * SIDE:.1f}", f"{(1 - up) * SIDE:.1f}") for across, up in points]
    if len(pixels) == 2:
        (x1, y1), (x2, y2) = pixels
        SubElement(panel, "line", {"x1": x1, "y1": y1, "x2": x2, "y2": y2, "stroke": colour, **dashes})
    else:
        joined = " ".join(",".join(pixel) for pixel in pixels)
        SubElement(panel, "polyline", {"points": joined, "fill": "none", "stroke": colour, **dashes})


def _draw_text(
    panel: Element, x: float, y: float, words: str, anchor: str = "start", fill: str = INK, weight: str = "normal"
) -> None:
    """Draw words at a position in pixels."""
    style = {"text-anchor": anchor, "fill": fill, "font-weight": weight}
    SubElement(panel, "text", {"x": f"{x:g}", "y": f"{y:g}", **style}).text = words
