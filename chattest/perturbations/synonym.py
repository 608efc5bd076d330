"""Replace words by synonyms from the shipped list or from WordNet."""

from random import Random

from chattest.english import synonyms, wordnet
from chattest.english.wordnet_synonyms import find_contextual_synonyms
from chattest.perturbations._graded import Sites
from chattest.perturbations.base import perturbation
from chattest.text.edits import Change, change
from chattest.text.words import count_words

LEAST_LIKENESS = 0.9
"""Cosine of the sentence embeddings before and after, below which WordNet's synonym is taken for another meaning."""
_LONGEST = 400
"""Characters of a text that the encoder is asked about; in a longer one a word moves the embedding by nothing."""


class _Synonym(Sites):
    family = "understanding"
    kinds = ("replaced",)
    rewords = True
    dose_unit = "share of words"
    dose_step = 0.05
    dose_max = 1.0

    def dose(self, edits: int, text: str) -> float:
        return edits / count_words(text)


@perturbation("synonym")
class ShippedSynonym(_Synonym):
    """Some of the words are replaced by synonyms from a small shipped list of everyday words.

    "Is my job boring?" may become "Is my job dull?". A word stays where its sentence asks for another class of word,
    and in phrases such as "movie star". The dose is the share of words replaced.
    """

    def find_sites(self, text: str, kind: str, rng: Random) -> list[Change]:
        return synonyms.find_replacements(text, rng)


@perturbation("wordnet_synonym")
class WordNetSynonym(_Synonym):
    """Some of the words are replaced by synonyms from WordNet, of the same class and in the commonest sense.

    Of several synonyms, the one is taken that moves the sentence's embedding least; below a bar the word stays. Needs
    WordNet (Debian's wordnet-base or nltk's copy). The dose is the share of words replaced.
    """

    needs = "WordNet (Debian's wordnet-base)"

    def find_sites(self, text: str, kind: str, rng: Random) -> list[Change]:
        options = find_contextual_synonyms(text) if len(text) <= _LONGEST else []
        if not options:
            return []
        likeness = iter(_measure_likeness(text, [change(text, [option]) for site in options for option in site]))
        best = [max(((next(likeness), option) for option in site), key=lambda scored: scored[0]) for site in options]
        return [option for score, option in best if score >= LEAST_LIKENESS]

    def unavailable(self) -> str:
        return wordnet.explain_missing()


def _measure_likeness(text: str, altered: list[str]) -> list[float]:
    """Return the cosine between the embedding of the text and that of each altered text, computed in one batch."""
    from chattest.models.embedded.similarity import EmbeddedSimilarity

    return EmbeddedSimilarity("cpu").similarity([text] * len(altered), altered)
