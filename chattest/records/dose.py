"""How strongly questions are altered: levels, and ranges of doses."""

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
        """The range that a level or a pair means. understood_to: the largest dose at which a person understands.

        Raises `ValueError` for a text that is no level.
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
        """A random one of the options whose dose is in the range, else of those nearest to it; `None` without any."""
        low, high = self.low, self.high
        away = []
        for option in options:
            strength = dose(option)
            away.append(low - strength if strength < low else strength - high if strength > high else 0.0)
        nearest = min(away, default=0.0) + TOLERANCE
        near = [option for option, distance in zip(options, away, strict=True) if distance <= nearest]
        return rng.choice(near) if near else None
