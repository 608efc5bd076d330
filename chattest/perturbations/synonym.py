"""Words replaced by synonyms from the shipped list or from WordNet."""

from random import Random

from chattest.perturbations.base import Sites, perturbation
from chattest.text import synonyms
from chattest.text.edits import Change
from chattest.text.words import count_words


class _Synonym(Sites):
    family = "understanding"
    kinds = ("replaced",)
    dose_unit = "share of words"
    dose_step = 0.05
    dose_max = 1.0
    source = "shipped"

    def dose(self, edits: int, text: str) -> float:
        return edits / count_words(text)

    def sites(self, text: str, kind: str, rng: Random) -> list[Change]:
        return synonyms.replacements(text, rng, self.source)


@perturbation("synonym")
class ShippedSynonym(_Synonym):
    """Some of the words are replaced by synonyms from a small shipped list of everyday words.

    "What is my job?" may become "What is my occupation?". The dose is the share of words replaced.
    """


@perturbation("wordnet_synonym")
class WordNetSynonym(_Synonym):
    """Some of the words are replaced by synonyms from WordNet, taken from the word's most common sense.

    Needs WordNet (Debian's wordnet-base or nltk's copy). The dose is the share of words replaced.
    """

    source = "wordnet"

    def unavailable(self) -> str:
        return synonyms.unavailable()
