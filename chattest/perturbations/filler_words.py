"""Filler words."""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from random import Random

from chattest.perturbations.base import Sites, perturbation
from chattest.text.edits import Change

# Between two words, not next to a punctuation mark and not between a determiner and its noun.
_GAP = re.compile(r"(?<!\ba)(?<!\ban)(?<!\bthe)(?<!\bof)(?<!\bmy)(?<!\byour)(?<=\w) (?=\w)", re.IGNORECASE)


@perturbation("filler_words")
@dataclass(frozen=True)
class FillerWords(Sites):
    """Adds words that people say while they think: "What is, like, the name of my cat?".

    The option `fillers` lists the words. The dose is the number of fillers.
    """

    fillers: tuple[str, ...] = ("um", "uh", "like", "you know", "well", "er", "I mean")
    """Words to insert, with commas around them."""

    family = "noise"
    kinds = ("inserted",)
    dose_unit = "fillers"

    def sites(self, text: str, kind: str, rng: Random) -> list[Change]:
        if not self.fillers:
            return []
        return [Change(*gap.span(), f", {rng.choice(self.fillers)}, ") for gap in _GAP.finditer(text)]

    def most(self, sites: Sequence[Change]) -> int:
        """One filler for every four gaps between words, because people do not use more."""
        return (len(sites) + 3) // 4
