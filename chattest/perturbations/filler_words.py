"""Filler words."""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from random import Random

from chattest.perturbations.base import Sites, perturbation
from chattest.text.edits import Change

# Between two words, not beside another mark and not between an article or the like and its noun.
_GAP = re.compile(r"(?<!\ba)(?<!\ban)(?<!\bthe)(?<!\bof)(?<!\bmy)(?<!\byour)(?<=\w) (?=\w)", re.IGNORECASE)


@perturbation("filler_words")
@dataclass(frozen=True)
class FillerWords(Sites):
    """Words that people say while they think: "What is, like, the name of my cat?".

    The option `fillers` lists them. The dose is the number of fillers.
    """

    fillers: tuple[str, ...] = ("um", "uh", "like", "you know", "well", "er", "I mean")
    """What is put in, with commas around it."""

    family = "noise"
    kinds = ("inserted",)
    dose_unit = "fillers"

    def sites(self, text: str, kind: str, rng: Random) -> list[Change]:
        if not self.fillers:
            return []
        return [Change(*gap.span(), f", {rng.choice(self.fillers)}, ") for gap in _GAP.finditer(text)]

    def most(self, sites: Sequence[Change]) -> int:
        """One filler for every four words: more is no longer speech."""
        return (len(sites) + 3) // 4
