"""Replace words by random words (ML-U6)."""

from collections.abc import Sequence
from functools import cache
from random import Random

from chattest.english.part_of_speech import NOUN, find_classes
from chattest.perturbations._drawing import sample
from chattest.perturbations._graded import Graded
from chattest.perturbations._little import find_little_words
from chattest.perturbations.base import perturbation
from chattest.records.dose import DoseRange
from chattest.text.edits import match_case
from chattest.text.lexicon import read_list
from chattest.text.words import around_words, changeable, count_words


@perturbation("random_word")
class RandomWord(Graded):
    """A random share of the words is replaced by random words from a shipped list of everyday words.

    "What is the name of my cat?" may become "What banana the name of my cat?". The dose is the share of words
    replaced. Up to a quarter of the words, only little ones are replaced, by things; beyond that, any word by any.
    """

    family = "understanding"
    kinds = ("replaced",)
    dose_unit = "share of words"
    dose_step = 0.05
    dose_max = 1.0
    understood_to = 0.25
    keeps_meaning_to = 0.25

    def dose(self, edits: int, text: str) -> float:
        return edits / count_words(text)

    def grade(self, text: str, kind: str, rng: Random, doses: DoseRange) -> tuple[str, int] | None:
        parts = around_words(text)
        fit = changeable(text, parts)
        # A thing in the place of "it" would be asked about: "How much did the jacket cost?" - "did banana cost?".
        lows = [parts[index].lower() for index in fit]
        little = [fit[index] for index in find_little_words(lows) if lows[index] != "it"]
        number = self.strength(text, len(little), len(fit), doses, rng)
        if number is None:
            return None
        if self.gentle(number, text):
            return _replace(parts, sample(rng, little, number), _read_things(), rng)
        return _replace(parts, sample(rng, fit, number), read_list("random_words"), rng)


@cache
def _read_things() -> tuple[str, ...]:
    """Return the words of the list that are only nouns: an adjective or a verb would describe its neighbours."""
    return tuple(word for word in read_list("random_words") if find_classes(word) == {NOUN})


def _replace(parts: list[str], chosen: Sequence[int], everyday: Sequence[str], rng: Random) -> tuple[str, int]:
    """Return the text with these of its parts replaced by random words of `everyday`, and how many they are."""
    for index in chosen:
        old = parts[index]
        new = everyday[rng.randrange(len(everyday))]
        while new.casefold() == old.casefold():
            new = everyday[rng.randrange(len(everyday))]
        # A single capital letter such as "I" does not make the new word all capitals.
        parts[index] = new if old.islower() else match_case(new, old)
    return "".join(parts), len(chosen)
