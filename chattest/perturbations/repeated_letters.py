"""Repeat letters for emphasis."""

import re
from random import Random

from chattest.perturbations._graded import Sites
from chattest.perturbations.base import perturbation
from chattest.text.edits import Change
from chattest.text.words import single_letter

# The last vowel of a word, with at most two letters after it.
_DRAWN = re.compile(r"[aeiouyåäöéáíóúü](?=[^\Waeiouyåäöéáíóúü\d_]{0,2}\b)", re.IGNORECASE)


@perturbation("repeated_letters")
class RepeatedLetters(Sites):
    """The last vowel of some words is repeated: "so" becomes "sooo". The dose is the number of words.

    Each vowel is repeated two to four times.
    """

    family = "noise"
    kinds = ("drawn_out",)
    dose_unit = "places"

    def find_sites(self, text: str, kind: str, rng: Random) -> list[Change]:
        return [
            Change(*vowel.span(), vowel[0] + vowel[0].lower() * rng.randint(2, 4))
            for vowel in _DRAWN.finditer(text)
            if single_letter(text, vowel.start())
        ]
