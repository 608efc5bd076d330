"""Levels and ranges of doses: how strongly questions are altered."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from enum import StrEnum
from functools import lru_cache
from math import inf, isinf
from random import Random
from typing import Literal, TypeVar

T = TypeVar("T")
TOLERANCE = 1e-9
"""Doses are quotients of small whole numbers; rounding must not move one over a limit."""


class Level(StrEnum):
    """A strength in words, measured by the largest dose at which a person still understands."""

    LIGHT = "light"
    """Up to half of that dose; a single change where a person understands any dose."""
    MEDIUM = "medium"
    """Up to that dose."""
    FULL = "full"
    """Any dose, 0 included: the range of the reference implementation."""

    def __repr__(self) -> str:
        return repr(self.value)


Dose = Level | Literal["light", "medium", "full"] | tuple[float, float]
"""A level, or the lowest and the highest dose in the perturbation's unit."""


@dataclass(frozen=True, slots=True)
class DoseRange:
    """The doses that may be drawn."""

    low: float = 0.0
    """The lowest dose, in the perturbation's unit."""
    high: float = inf
    """The highest dose."""
    least: int = 1
    """The fewest changes: 0 if a text may stay as it is."""

    @staticmethod
    @lru_cache(maxsize=256)  # asked for every text
    def of(dose: Dose, understood_to: float) -> "DoseRange":
        """Return the range that a level or a pair of doses means.

        Args:
            dose: A level, or the lowest and the highest dose.
            understood_to: The largest dose at which a person still understands; infinite if a person understands any.

        Raises:
            ValueError: The text is not a level.
        """
        if isinstance(dose, tuple):
            return DoseRange(*dose, least=0 if dose[0] == 0 else 1)
        level = Level(dose)
        if level is Level.FULL:
            return DoseRange(least=0)
        if level is Level.MEDIUM:
            return DoseRange(high=understood_to)
        return DoseRange(high=0.0 if isinf(understood_to) else understood_to / 2)

    def pick(self, options: Sequence[T], dose: Callable[[T], float], rng: Random) -> T | None:
        """Pick a random option whose dose is in the range, or else one of those nearest to it.

        Returns:
            The option; `None` if there are no options.
        """
        low, high = self.low, self.high
        distances = []
        for option in options:
            strength = dose(option)
            distances.append(low - strength if strength < low else strength - high if strength > high else 0.0)
        limit = min(distances, default=0.0) + TOLERANCE
        nearest = [option for option, distance in zip(options, distances, strict=True) if distance <= limit]
        return rng.choice(nearest) if nearest else None
