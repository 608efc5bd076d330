"""Words left out (ML-U5)."""

import re
from random import Random

from chattest.perturbation import Graded, perturbation
from chattest.words import ENDING, count_words, movable, words

_CHUNK = re.compile(r"(\s*)(\S+)")


@perturbation("mask")
class Mask(Graded):
    """A random share of the words is left out, never all of them.

    "What is the name of my cat?" may become "What the name my cat?". The dose is the share that was really left
    out. Commas and brackets go with their word; the mark that ends a sentence stays.
    """

    family = "understanding"
    kinds = ("left_out",)
    dose_unit = "share of words"
    dose_step = 0.05
    dose_max = 1.0

    def dose(self, edits: int, text: str) -> float:
        return edits / count_words(text)

    def grade(self, text: str, kind: str, rng: Random, least: int) -> tuple[str, int] | None:
        fit = words(text)
        most = min(len(fit), len(movable(text)) - 1)
        if most < 1:
            return None
        gone = {word.start for word in rng.sample(fit, rng.randint(least, most))}
        parts: list[str] = []
        for chunk in _CHUNK.finditer(text):
            if not any(at in gone for at in range(chunk.start(2), chunk.end())):
                parts.append(chunk.group() if parts else chunk.group(2))
            elif parts and parts[-1][-1] not in ENDING and chunk.group(2)[-1] in ENDING:
                parts.append(chunk.group(2)[len(chunk.group(2).rstrip(ENDING)) :])
        lead = text[: len(text) - len(text.lstrip())]
        trail = text[len(text.rstrip()) :]
        return lead + "".join(parts) + trail, len(gone)
