"""The base of every perturbation, and the registry that finds them."""

from abc import ABC, abstractmethod
from collections.abc import Sequence
from enum import StrEnum
from random import Random
from typing import ClassVar

from chattest.probe import Perturbed
from chattest.registry import Registry


class Effect(StrEnum):
    """What a perturbation does to the meaning."""

    KEEPS = "keeps"
    """The answer should stay (invariance)."""
    FLIPS = "flips"
    """A yes should become a no."""
    MOVES = "moves"
    """A score should rise or fall (direction)."""


class Perturbation(ABC):
    """A way of altering a text. Subclasses are stateless; all randomness comes from the `rng` handed in."""

    name: ClassVar[str]
    """Set by the registry's decorator."""
    family: ClassVar[str]
    """`understanding`, `azimuth`, `robustness`, `bias`, `grammar` or `noise`."""
    kinds: ClassVar[tuple[str, ...]]
    """Modification types it can produce."""
    effect: ClassVar[Effect] = Effect.KEEPS
    dose_unit: ClassVar[str] = "edits"
    """What the dose counts."""
    dose_step: ClassVar[float] = 1.0
    """Width of a bin of the dose curve."""
    dose_max: ClassVar[float | None] = None
    """Largest possible dose; `None` when it grows with the text."""

    @abstractmethod
    def variants(self, text: str, rng: Random, keep: Sequence[str] = ()) -> list[Perturbed]:
        """One altered text per kind that applies; empty when none does.

        text: any Unicode text. rng: the only source of chance. keep: stretches of the text that must
        stand unchanged in the result, compared without regard to case. No variant equals `text`.
        """

    def draw(self, text: str, rng: Random, keep: Sequence[str] = ()) -> Perturbed:
        """One altered text of random strength; `kind` `none` and dose 0 when the text stayed as it was."""
        found = self.variants(text, rng, keep)
        return rng.choice(found) if found else Perturbed(text, "none")

    def unavailable(self) -> str:
        """Why it cannot be used on this machine ("WordNet is not installed: ..."), or an empty string."""
        return ""


perturbations: Registry[Perturbation] = Registry("perturbation", "chattest.perturbations")


def perturbation(name: str):  # type: ignore[no-untyped-def]
    """Class decorator that makes a perturbation known under `name`."""

    def decorate(cls: type[Perturbation]) -> type[Perturbation]:
        cls.name = name
        return perturbations.register(name)(cls)

    return decorate
