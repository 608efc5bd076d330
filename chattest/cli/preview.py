"""The text after each perturbation, for a table: the quickest way to see what perturbations do."""

from collections.abc import Callable
from dataclasses import dataclass
from random import Random

from chattest.perturbations.base import Perturbation, perturbations, resolve
from chattest.records.dose import Dose, Level


@dataclass(frozen=True, slots=True)
class Row:
    """A row of the table."""

    perturbation: str
    """Name of the perturbation."""
    kind: str
    """Modification type; empty if there is only a note."""
    text: str
    """The altered text; empty if there is only a note."""
    dose: float
    """How much was changed, in `dose_unit`."""
    dose_unit: str
    """Unit of the dose."""
    note: str = ""
    """Why there is no text: the perturbation does not apply or is not available."""


def preview_rows(
    text: str, seed: int, only: str | None = None, dose_of: Callable[[str], Dose] = lambda name: Level.MEDIUM
) -> list[Row]:
    """Return a row for every kind of every perturbation, by family and name.

    The same seed gives the same rows.

    Args:
        text: The text to alter.
        seed: The seed of all random choices.
        only: A perturbation, or several joined by `+`. Its rows are the same as in the whole table.
        dose_of: Returns how strongly a perturbation alters.

    Raises:
        InputError: There is no such perturbation, or it is not available.
    """
    if only is not None:
        return _rows(resolve(only, "--only"), text, seed, dose_of)
    ordered = sorted(perturbations, key=lambda known: (FAMILIES.index(known.family), known.name))
    return [row for perturbation in ordered for row in _rows(perturbation, text, seed, dose_of)]


FAMILIES = ("understanding", "azimuth", "robustness", "bias", "grammar", "noise")
"""The families, in the order of the table."""


def _rows(perturbation: Perturbation, text: str, seed: int, dose_of: Callable[[str], Dose]) -> list[Row]:
    missing = perturbation.unavailable()
    name, unit = perturbation.name, perturbation.dose_unit
    variants = [] if missing else perturbation.variants(text, Random(f"{seed}/{name}"), dose=dose_of(name))
    if variants:
        return [Row(name, variant.kind, variant.text, variant.dose, unit) for variant in variants]
    return [Row(name, "", "", 0.0, unit, f"not available: {missing}" if missing else "does not apply")]
