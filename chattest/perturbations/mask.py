"""Leave words out (ML-U5)."""

import re
from random import Random

from chattest.perturbations._drawing import sample
from chattest.perturbations._graded import Graded
from chattest.perturbations._little import find_little_words
from chattest.perturbations.base import perturbation
from chattest.records.dose import DoseRange
from chattest.text.words import ENDING, PROTECTED_MARK, PUNCTUATION, count_words

_BLANKS = re.compile(r"(\s+)")
_DENIES = re.compile(
    r"n['’]t\b|\b(?:not|never|no|nor|neither|none|nobody|nothing|nowhere|without|cannot)\b", re.IGNORECASE
)


@perturbation("mask")
class Mask(Graded):
    """A random share of the words is left out, never all of them.

    "What is the name of my cat?" may become "What the name my cat?". The dose is the share of words left out. Up to a
    quarter of the words, only little ones go; beyond that, any but those that deny ("not", "isn't"), as the meaning
    would turn. Commas and brackets are removed with their word; the mark at the end of a sentence stays.
    """

    family = "understanding"
    kinds = ("left_out",)
    dose_unit = "share of words"
    dose_step = 0.05
    dose_max = 1.0
    understood_to = 0.25
    keeps_meaning_to = 0.25

    def dose(self, edits: int, text: str) -> float:
        return edits / count_words(text)

    def grade(self, text: str, kind: str, rng: Random, doses: DoseRange) -> tuple[str, int] | None:
        parts = _BLANKS.split(text)
        word_indexes = [index for index in range(0, len(parts), 2) if parts[index].isalnum() or _is_word(parts[index])]
        little = [
            word_indexes[index]
            for index in find_little_words([parts[index].strip(PUNCTUATION).lower() for index in word_indexes])
        ]
        fit = [index for index in word_indexes if not _DENIES.search(parts[index])] if _may_deny(text) else word_indexes
        most = len(fit) if len(fit) < count_words(text) else len(fit) - 1
        number = self.strength(text, len(little), most, doses, rng)
        if number is None:
            return None
        removed = set(sample(rng, little if self.gentle(number, text) else fit, number))
        return _leave_out(parts, removed), number


def _is_word(part: str) -> bool:
    """Return True if there is more than marks between two blanks, and no protected stretch."""
    return bool(part.strip(PUNCTUATION)) and not PROTECTED_MARK.search(part)


def _may_deny(text: str) -> bool:
    """Return True if `_DENIES`, which takes far longer, may match."""
    low = text.lower()
    return not text.isascii() or "n't" in low or "no" in low or "ne" in low or "without" in low


def _leave_out(parts: list[str], removed: set[int]) -> str:
    """Return a text without the words at these indexes of its parts; every second part is whitespace."""
    kept: list[str] = []
    for index in range(0, len(parts), 2):
        part = parts[index]
        if index not in removed:
            if part:
                kept += (parts[index - 1], part) if kept else (part,)
        elif kept and part[-1] in ENDING and kept[-1][-1] not in ENDING:
            kept.append(part[len(part.rstrip(ENDING)) :])
    lead = parts[1] if not parts[0] and len(parts) > 1 else ""
    trail = parts[-2] if not parts[-1] and len(parts) > 1 else ""
    return lead + "".join(kept) + trail
