"""Replace letters by characters that look like them."""

from random import Random

from chattest.perturbations._graded import Sites
from chattest.perturbations.base import perturbation
from chattest.text.edits import Change
from chattest.text.lexicon import table
from chattest.text.words import single_letter


class _LookAlike(Sites):
    family = "noise"
    kinds = ("replaced",)
    dose_unit = "letters"
    shipped: str

    def find_sites(self, text: str, kind: str, rng: Random) -> list[Change]:
        shapes = table(self.shipped)
        return [
            Change(index, index + 1, row[0] if len(row) == 1 else rng.choice(row))
            for index, letter in enumerate(text)
            if (row := shapes.get(letter)) and single_letter(text, index)
        ]


@perturbation("leetspeak")
class Leetspeak(_LookAlike):
    """Some letters become digits and symbols, as in old forums: "c4t" for "cat". The dose is the number of letters."""

    shipped = "leetspeak"


@perturbation("homoglyphs")
class Homoglyphs(_LookAlike):
    """Some Latin letters become Cyrillic or Greek ones that look the same, such as the Cyrillic a in "cаt".

    A person sees no difference; a program does. The dose is the number of letters. The pairs come from Unicode's
    table of confusable characters.
    """

    shipped = "homoglyphs"
