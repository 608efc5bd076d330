"""Adjectives replaced by synonyms or antonyms."""

from chattest.perturbations._lookup import FullLookup, Lookup
from chattest.perturbations.base import Effect, perturbation


@perturbation("adjective_synonym")
class AdjectiveSynonym(Lookup):
    """Some adjectives become synonyms: "a small cat" becomes "a little cat". The dose is the number of words.

    (LangTest: adjective_synonym_swap.)
    """

    family = "robustness"
    kinds = ("synonym",)
    dose_unit = "adjectives"
    shipped = "adjective_synonyms"


@perturbation("adjective_antonym")
class AdjectiveAntonym(FullLookup):
    """All adjectives in a shipped list become antonyms: "Is my cat small?" becomes "Is my cat big?".

    A yes should become a no. The dose is the number of words. (LangTest: adjective_antonym_swap.)
    """

    family = "robustness"
    kinds = ("antonym",)
    effect = Effect.FLIPS
    dose_unit = "adjectives"
    shipped = "adjective_antonyms"
