"""Remove or add commas and periods inside the text."""

import re
from itertools import pairwise
from random import Random

from chattest.perturbations._graded import AllSites
from chattest.perturbations.base import perturbation
from chattest.text.edits import Change, removal
from chattest.text.lexicon import read_list
from chattest.text.words import PUNCTUATION, movable

_NUMBERS = frozenset(read_list("numbers")) | {"quarter", "half"}  # "ten past two" is one time


class _InnerMark(AllSites):
    family = "azimuth"
    kinds = ("deletion", "insertion")
    dose_unit = "marks"
    mark: str
    inner: re.Pattern[str]  # matches the mark inside a text, but not in a number or a name

    def find_sites(self, text: str, kind: str, rng: Random) -> list[Change]:
        marks = list(self.inner.finditer(text, 0, len(text.rstrip(self.mark + " \t\n"))))
        if kind == "deletion":
            return [
                removal(text, *mark.span()) if text[mark.end()].isspace() else Change(*mark.span(), " ")
                for mark in marks
            ]
        slots = movable(text)
        ends = [
            word.end
            for word, after in pairwise(slots)
            if text[word.end] not in PUNCTUATION and _NUMBERS.isdisjoint((word.text.lower(), after.text.lower()))
        ]
        if marks or not ends:
            return []
        middle = min(ends, key=lambda end: abs(end - len(text) / 2))
        return [Change(middle, middle, self.mark)]


@perturbation("inner_comma")
class InnerComma(_InnerMark):
    """Removes all commas inside the text, or adds one near the middle of a text without any.

    "My cat is called Mimmi." becomes "My cat is, called Mimmi.". Commas in and between numbers stay.
    (Azimuth: Inner Comma.)
    """

    mark = ","
    inner = re.compile(r"(?<!\d),+|,+(?!\s*\d)")
    reverse = {"insertion": ("inner_comma", "deletion")}


@perturbation("inner_period")
class InnerPeriod(_InnerMark):
    """Removes all periods inside the text, or adds one near the middle of a text without any.

    "My cat is called Mimmi." becomes "My cat is. called Mimmi.". Only periods before whitespace count, so that
    "3.5" and "example.com" stay. (Azimuth: Inner Period.)
    """

    mark = "."
    inner = re.compile(r"(?<!\.)\.++(?=\s+[^\s.])")
    reverse = {"insertion": ("inner_period", "deletion")}
