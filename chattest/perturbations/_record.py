"""Makes the record of an altered text."""

from dataclasses import dataclass
from typing import Any, cast

from chattest.records.plan import Perturbed


@dataclass(slots=True)
class _Open:
    """The fields of `Perturbed`, not frozen."""

    text: str
    kind: str
    edits: int
    dose: float


def perturbed(text: str, kind: str, edits: int = 0, dose: float = 0.0) -> Perturbed:
    """What `Perturbed(...)` gives, in half the time: each field of a frozen record is set by a call of its own."""
    made: Any = _Open(text, kind, edits, dose)
    made.__class__ = Perturbed
    return cast(Perturbed, made)
