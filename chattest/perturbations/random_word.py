"""Words replaced by random words (ML-U6)."""

from random import Random

from chattest.perturbations.base import Graded, perturbation
from chattest.text.edits import Change, change, match_case
from chattest.text.lexicon import listed
from chattest.text.words import below, count_words, words


@perturbation("random_word")
class RandomWord(Graded):
    """A random share of the words is replaced by random words from a shipped list of everyday words.

    "What is the name of my cat?" may become "What banana the name of my cat?". The dose is the share of words
    replaced.
    """

    family = "understanding"
    kinds = ("replaced",)
    dose_unit = "share of words"
    dose_step = 0.05
    dose_max = 1.0

    def dose(self, edits: int, text: str) -> float:
        return edits / count_words(text)

    def grade(self, text: str, kind: str, rng: Random, least: int) -> tuple[str, int] | None:
        fit = words(text)
        if not fit:
            return None
        chosen = rng.sample(fit, rng.randint(least, len(fit)))
        everyday = listed("random_words")
        changes = []
        for start, end, old in chosen:
            new = everyday[below(rng, len(everyday))]
            while new.casefold() == old.casefold():
                new = everyday[below(rng, len(everyday))]
            # A single capital letter such as "I" does not make the new word all capitals.
            changes.append(Change(start, end, new if old.islower() else match_case(new, old)))
        return change(text, changes), len(chosen)
