"""Words left out (ML-U5)."""

import re
from random import Random

from chattest.perturbations.base import Graded, perturbation
from chattest.text.words import ENDING, count_words, words

_BLANKS = re.compile(r"(\s+)")


@perturbation("mask")
class Mask(Graded):
    """A random share of the words is left out, never all of them.

    "What is the name of my cat?" may become "What the name my cat?". The dose is the share of words left out.
    Commas and brackets are removed with their word; the mark at the end of a sentence stays.
    """

    family = "understanding"
    kinds = ("left_out",)
    dose_unit = "share of words"
    dose_step = 0.05
    dose_max = 1.0

    def dose(self, edits: int, text: str) -> float:
        return edits / count_words(text)

    def grade(self, text: str, kind: str, rng: Random, least: int) -> tuple[str, int] | None:
        parts = _BLANKS.split(text)  # words at even indexes, the whitespace between them at odd ones
        fit = [at for at in range(0, len(parts), 2) if parts[at].isalnum() or words(parts[at])]
        most = len(fit) if len(fit) < count_words(text) else len(fit) - 1
        if most < 1:
            return None
        removed = set(rng.sample(fit, rng.randint(least, most)))
        kept: list[str] = []
        for at in range(0, len(parts), 2):
            part = parts[at]
            if at not in removed:
                if part:
                    kept += (parts[at - 1], part) if kept else (part,)
            elif kept and part[-1] in ENDING and kept[-1][-1] not in ENDING:
                kept.append(part[len(part.rstrip(ENDING)) :])
        lead = parts[1] if not parts[0] and len(parts) > 1 else ""
        trail = parts[-2] if not parts[-1] and len(parts) > 1 else ""
        return lead + "".join(kept) + trail, len(removed)
