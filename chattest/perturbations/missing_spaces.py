"""Leave spaces out."""

import re
from random import Random

from chattest.perturbations._graded import Sites
from chattest.perturbations.base import perturbation
from chattest.text.edits import Change

_BLANK = re.compile(r"(?<=\w) (?=\w)")


@perturbation("missing_spaces")
class MissingSpaces(Sites):
    """Some spaces between words are left out: "What isthe name of mycat?". The dose is the number of spaces."""

    family = "noise"
    kinds = ("removed",)
    dose_unit = "blanks"

    def find_sites(self, text: str, kind: str, rng: Random) -> list[Change]:
        return [Change(*blank.span(), "") for blank in _BLANK.finditer(text)]
