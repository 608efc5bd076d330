"""Square panels in rows in one SVG file: axes from 0 to 1 across, and of any span up."""

from collections.abc import Sequence
from pathlib import Path
from xml.etree.ElementTree import Element, SubElement, indent, tostring

from chattest.errors import InputError, Problem
from chattest.files.atomic import write_whole

ACROSS = 3
"""Panels in a row."""
SIDE, LEFT, TOP, GAP = 200, 52, 44, 44
"""Side of a panel's square; space left of it, above it, and below it, in pixels."""
INK, FAINT, GRID, POINT, OTHER = "#1f2937", "#6b7280", "#d9dee7", "#3f83d1", "#c2571a"

Point = tuple[float, float]
"""Across and up, 0 to 1."""


def check_name(path: Path, option: str = "--plot") -> None:
    """Raises `InputError` for a name that is not that of an SVG file. option: where the name was given."""
    if path.suffix.lower() != ".svg":
        raise InputError([Problem(f"{option} {path}", "is not the name of an SVG file", "Let it end in .svg.")])


def sheet(title: str, number: int, across: int = ACROSS) -> tuple[Element, list[Element]]:
    """A file with a number of panels, and its panels. title: for readers who do not see the picture."""
    columns = min(across, number)
    width, height = columns * (LEFT + SIDE + 20), -(-number // columns) * (TOP + SIDE + GAP)
    size = {"width": str(width), "height": str(height), "viewBox": f"0 0 {width} {height}"}
    font = {"font-family": "system-ui, sans-serif", "font-size": "12", "fill": INK}
    svg = Element("svg", {"xmlns": "http://www.w3.org/2000/svg", "role": "img", **size, **font})
    SubElement(svg, "title").text = title
    SubElement(svg, "rect", {"width": str(width), "height": str(height), "fill": "white"})
    panels = []
    for place in range(number):
        x, y = place % columns * (LEFT + SIDE + 20) + LEFT, place // columns * (TOP + SIDE + GAP) + TOP
        panels.append(SubElement(svg, "g", transform=f"translate({x} {y})"))
    return svg, panels


def save(svg: Element, path: Path) -> None:
    """Writes the file. Raises `StoreError` when it cannot be written."""
    indent(svg)
    write_whole(path, tostring(svg, encoding="utf-8", xml_declaration=True) + b"\n")


def axes(panel: Element, heading: str, note: str, across: str, span: tuple[float, float] = (0.0, 1.0)) -> None:
    """Heading, note, grid and labels of a panel. across: what is across. span: the shares at its foot and its top."""
    text(panel, 0, -20, heading, weight="bold")
    text(panel, 0, -6, note, fill=FAINT)
    for share in (0.0, 0.5, 1.0):
        line(panel, [(share, 0), (share, 1)], GRID)
        line(panel, [(0, share), (1, share)], GRID)
        text(panel, share * SIDE, SIDE + 16, f"{share:g}", anchor="middle", fill=FAINT)
        up = span[0] + share * (span[1] - span[0])
        text(panel, -8, (1 - share) * SIDE + 4, f"{100 * up:.0f} %", anchor="end", fill=FAINT)
    text(panel, SIDE / 2, SIDE + 31, across, anchor="middle")


def line(panel: Element, points: Sequence[Point], colour: str, dashed: bool = False) -> None:
    """A line through two points or more."""
    dashes = {"stroke-dasharray": "4 4"} if dashed else {}
    pixels = [(f"{across * SIDE:.1f}", f"{(1 - up) * SIDE:.1f}") for across, up in points]
    if len(pixels) == 2:
        (x1, y1), (x2, y2) = pixels
        SubElement(panel, "line", {"x1": x1, "y1": y1, "x2": x2, "y2": y2, "stroke": colour, **dashes})
    else:
        joined = " ".join(",".join(pixel) for pixel in pixels)
        SubElement(panel, "polyline", {"points": joined, "fill": "none", "stroke": colour, **dashes})


def text(
    panel: Element, x: float, y: float, words: str, anchor: str = "start", fill: str = INK, weight: str = "normal"
) -> None:
    """Words at a place in pixels."""
    style = {"text-anchor": anchor, "fill": fill, "font-weight": weight}
    SubElement(panel, "text", {"x": f"{x:g}", "y": f"{y:g}", **style}).text = words
