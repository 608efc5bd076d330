"""Numbers as text: with their nouns, and beside a threshold."""

from collections.abc import Iterable, Sequence

MOST = 12
"""Digits after the point that are shown at most."""


def beside(value: float, bar: float, digits: int = 2) -> str:
    """The value with as many digits as it takes to differ from the bar, at least `digits` after the point.

    Rounded further, a score just below its bar would read as if it reached it. One that is the bar is shown as it is.
    """
    shown = float(f"{bar:g}")
    for places in range(digits, MOST):
        text = f"{value:.{places}f}"
        if value == bar or float(text) != shown:
            return text
    return f"{value:.{MOST}f}"


def many(number: int, noun: str) -> str:
    """`1 conversation`, `1,200 conversations`; the plural is made with an s."""
    return f"{number:,} {noun}" if number == 1 else f"{number:,} {noun}s"


def aligned(rows: Iterable[Sequence[object]]) -> list[str]:
    """Rows as lines with aligned columns; the last column is as wide as it likes."""
    texts = [[str(cell) for cell in row] for row in rows]
    if not texts:
        return []
    widths = [max(len(row[column]) for row in texts) for column in range(len(texts[0]) - 1)]
    return [
        "  ".join([*(cell.ljust(width) for cell, width in zip(row, widths, strict=False)), row[-1]]).rstrip()
        for row in texts
    ]
