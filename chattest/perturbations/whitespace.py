"""Add whitespace."""

import re
from random import Random

from chattest.perturbations._graded import Sites
from chattest.perturbations.base import perturbation
from chattest.text.edits import Change

_PLACES = {
    "doubled": re.compile(r"(?<=\S) (?=\S)"),
    "no_break": re.compile(r"(?<=\S) (?=\S)"),
    "before_mark": re.compile(r"(?<=\w)(?=[,.;:!?](?:\s|$))"),
    "around": re.compile(r"(?<!.)(?=\S)|(?<=\S)(?!.)", re.DOTALL),
}
_NEW = {"doubled": "  ", "no_break": "\u00a0", "before_mark": " ", "around": " "}


@perturbation("whitespace")
class Whitespace(Sites):
    """Adds spaces: `doubled` between words, `before_mark` before punctuation, `around` before and after the text.

    "What is  the name of my cat ?". `no_break` replaces spaces by the no-break spaces that web pages use. The dose
    is the number of changes.
    """

    family = "noise"
    kinds = ("doubled", "no_break", "before_mark", "around")
    dose_unit = "places"

    def find_sites(self, text: str, kind: str, rng: Random) -> list[Change]:
        return [Change(*match.span(), _NEW[kind]) for match in _PLACES[kind].finditer(text)]
