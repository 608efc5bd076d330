"""Replace names of people and places by others of the same kind."""

from functools import cache
from random import Random

from chattest.english.people import find_given_names, rename_people
from chattest.english.places import exchange_places, find_cities, find_countries
from chattest.english.verbatim import keep_free
from chattest.perturbations._graded import AllSites
from chattest.perturbations.base import perturbation
from chattest.text.edits import Change
from chattest.text.lexicon import table


@perturbation("entity_swap")
class EntitySwap(AllSites):
    """Every first name, city or country in the shipped lists becomes another one of the same kind.

    "I live in Paris." may become "I live in Nairobi.". A name that occurs twice gets the same replacement both
    times, and a person keeps the gender that the name and the words around it tell. Only capitalised words count. The
    answer changes with the entity, so pass the probe's own entity in `keep`. The lists are short, and other names
    stay. (LangTest: swap_entities.)
    """

    family = "robustness"
    kinds = ("person", "city", "country")
    dose_unit = "names"

    def find_sites(self, text: str, kind: str, rng: Random) -> list[Change]:
        if kind == "person":
            changes = rename_people(text, [(name, _people(name.gender)) for name in find_given_names(text)], rng)
            return changes if keep_free(text, changes) == changes else []  # "Bob's your uncle"
        if kind == "city":
            return exchange_places(text, find_cities(text), lambda _: _read_cities(), rng)
        return exchange_places(text, find_countries(text), lambda _: table("entities")["country"], rng)


@cache
def _people(gender: str) -> tuple[str, ...]:
    """Return the names of a gender that are nothing else."""
    return tuple(
        name for name in table("people")[gender] if name not in (*table("people")["words"], *table("people")["places"])
    )


@cache
def _read_cities() -> tuple[str, ...]:
    return tuple(city for row in table("cities").values() for city in row)
