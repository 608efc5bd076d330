"""Replace adjectives by synonyms."""

import re
from random import Random

from chattest.english.degrees import fits_degree
from chattest.perturbations._lookup import Lookup
from chattest.perturbations.base import perturbation
from chattest.text.edits import Change

# Before one of these a word is a verb: "Please correct my spelling".
_OBJECT = re.compile(r" (?:the|an?|my|your|his|her|its|our|their|this|that|these|those|it|them|me|us)\b", re.IGNORECASE)


@perturbation("adjective_synonym")
class AdjectiveSynonym(Lookup):
    """Some adjectives become synonyms: "a huge cat" becomes "an enormous cat". The dose is the number of words.

    The shipped table lists those that fit nearly everywhere; many adjectives change only beside nouns that it names.
    (LangTest: adjective_synonym_swap.)
    """

    family = "robustness"
    kinds = ("synonym",)
    dose_unit = "adjectives"
    rewords = True
    shipped = "adjective_synonyms"

    def find_sites(self, text: str, kind: str, rng: Random) -> list[Change]:
        return [
            new
            for new in super().find_sites(text, kind, rng)
            if fits_degree(text, new.start, new.new) and not _is_verb(text, new)
        ]


def _is_verb(text: str, new: Change) -> bool:
    """Return True if a single word has an object, and so is a verb here."""
    return " " not in text[new.start : new.end] and _OBJECT.match(text, new.end) is not None
