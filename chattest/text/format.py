"""Formats numbers: with a noun, or next to a threshold; and sorts names by the numbers in them."""

import re
from collections.abc import Iterable, Sequence

ALTERNATIVES = " / "
"""Separates several accepted answers in one text."""
MOST = 12
"""Largest number of decimals that are shown."""


def distinct_digits(value: float, threshold: float, digits: int = 2) -> str:
    """Write a value with as many decimals as it needs to differ from the threshold, at least `digits`.

    With fewer decimals, a score just below its threshold would look as if it had reached it. A value equal to the
    threshold gets `digits` decimals.
    """
    shown_threshold = float(f"{threshold:g}")
    for decimals in range(digits, MOST):
        text = f"{value:.{decimals}f}"
        if value == threshold or float(text) != shown_threshold:
            return text
    return f"{value:.{MOST}f}"


def many(number: int, noun: str) -> str:
    """Write a number with its noun: `1 conversation`, `1,200 conversations`. The plural is formed with an s."""
    return f"{number:,} {noun}" if number == 1 else f"{number:,} {noun}s"


def natural(name: str) -> tuple[str | tuple[int, str], ...]:
    """Return the key that sorts names as people do: `ML-I2` before `ML-I13`. A number may have any length."""
    parts = re.split(r"([0-9]+)", name)
    return tuple(_size(part) if number % 2 else part for number, part in enumerate(parts))


def _size(digits: str) -> tuple[int, str]:
    """Return what sorts whole numbers by their size: Python reads no number of over 4,300 digits."""
    significant = digits.lstrip("0")
    return len(significant), significant


def align(rows: Iterable[Sequence[object]]) -> list[str]:
    """Write rows as lines with aligned columns; the last column is not padded."""
    texts = [[str(cell) for cell in row] for row in rows]
    if not texts:
        return []
    widths = [max(len(row[column]) for row in texts) for column in range(len(texts[0]) - 1)]
    return [
        "  ".join([*(cell.ljust(width) for cell, width in zip(row, widths, strict=False)), row[-1]]).rstrip()
        for row in texts
    ]
