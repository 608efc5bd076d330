from random import Random

from chattest.perturbations.base import Perturbation, perturbation


@perturbation("wave")
class Wave(Perturbation):
    """Puts a greeting in front of the text."""

    family = "noise"
    kinds = ("wave",)

    def alter(self, text: str, kind: str, rng: Random) -> tuple[str, int] | None:
        """The text with a greeting."""
        return f"Hello there! {text}", 1
