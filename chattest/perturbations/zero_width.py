"""Add invisible characters."""

from random import Random

from chattest.perturbations._graded import Sites
from chattest.perturbations.base import perturbation
from chattest.text.edits import Change
from chattest.text.words import single_letter

INVISIBLE = {"space": "\u200b", "joiner": "\u2060", "hyphen": "\u00ad"}


@perturbation("zero_width")
class ZeroWidth(Sites):
    """Adds invisible characters between some letters: zero-width spaces, word joiners or soft hyphens.

    Text that is copied from a web page brings them into a chat. The dose is the number of characters.
    """

    family = "noise"
    kinds = tuple(INVISIBLE)
    dose_unit = "characters"

    def find_sites(self, text: str, kind: str, rng: Random) -> list[Change]:
        return [
            Change(index, index, INVISIBLE[kind])
            for index in range(1, len(text))
            if single_letter(text, index) and single_letter(text, index - 1)
        ]
