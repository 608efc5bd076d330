"""What each perturbation makes of a text, for a table: the quickest way to see what the tool does."""

from dataclasses import dataclass
from random import Random

from chattest.perturbations.base import Perturbation, perturbations, resolve


@dataclass(frozen=True, slots=True)
class Row:
    """One line of the table."""

    perturbation: str
    kind: str
    """Modification type; empty when there is only a note."""
    text: str
    """The text as it became; empty when there is only a note."""
    dose: float
    dose_unit: str
    note: str = ""
    """Why there is no text: it does not apply, or is not available."""


def rows(text: str, seed: int, only: str | None = None) -> list[Row]:
    """A row for every kind of every perturbation, by family and name; the same seed gives the same rows.

    only: a single perturbation, or several joined by `+`, as `resolve` reads it; its rows are the same as in the
    whole table. Raises `InputError` when there is no such perturbation or it is not available.
    """
    if only is not None:
        return _rows(resolve(only, "--only"), text, seed)
    parts = sorted(perturbations, key=lambda part: (FAMILIES.index(part.family), part.name))
    return [row for part in parts for row in _rows(part, text, seed)]


FAMILIES = ("understanding", "azimuth", "robustness", "bias", "grammar", "noise")
"""In the order of the table."""


def _rows(part: Perturbation, text: str, seed: int) -> list[Row]:
    why = part.unavailable()
    found = [] if why else part.variants(text, Random(f"{seed}/{part.name}"))
    if found:
        return [Row(part.name, new.kind, new.text, new.dose, part.dose_unit) for new in found]
    return [Row(part.name, "", "", 0.0, part.dose_unit, f"not available: {why}" if why else "does not apply")]
