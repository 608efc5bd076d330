"""Marks the fractions of a text, so that they can be added to the number before them.

"nine and a half", "9 1/2" and "an hour and a half" hold a number that no word or digit shows by itself.
"""

import re
from fractions import Fraction

_TIMES = "hour|day|week|month|year"
_THINGS = rf"{_TIMES}|minute|mile|metre|meter|kilometre|kilometer|kilo|pound|litre|liter|inch|foot"
_MOVED = [
    (re.compile(pattern), replacement)
    for pattern, replacement in (
        # The unit goes behind the fraction: "2 hours and a half" is 2.5 hours.
        (rf"\ban? ({_THINGS}) and (a half|a quarter|three quarters)\b", r"1 and \2 \1"),
        (rf"\b([a-z]+|\d+) ((?:{_THINGS})s?) and (a half|a quarter|three quarters)\b", r"\1 and \3 \2"),
        (rf"\bhalf an? ({_THINGS})\b", r"0.5 \1"),
        (rf"(?<![\w./])(?<!\d )1/2 (?:an? )?({_THINGS}|lb|kg|km|l)s?\b", r"0.5 \1"),
        (r"\bhalf a dozen\b", "6"),
        (r"\bhalf a (hundred|thousand|million|billion)\b", r"0.5 \1"),
        (r"\ba couple(?: of)?\b", "2"),
        (r"\b(?:a |1 )?fortnight\b", "1 fortnight"),
        (r"\band a half\b", "+0.5"),
        (r"\band a quarter\b", "+0.25"),
        (r"\band three quarters\b", "+0.75"),
    )
]
_PARTS = {"half": 2, "third": 3, "quarter": 4, "fourth": 4, "fifth": 5, "sixth": 6, "seventh": 7, "eighth": 8} | {
    "ninth": 9,
    "tenth": 10,
}
_COUNTS = {"a": 1, "an": 1, "one": 1, "two": 2, "three": 3, "four": 4, "five": 5, "six": 6, "seven": 7} | {
    "eight": 8,
    "nine": 9,
}
_SHARE = re.compile(
    rf"\b(?:({'|'.join(_COUNTS)}|[1-9]) )?({'|'.join(_PARTS)})(s)?"
    r"(?= of (?:an?|the|it|my|your|our|his|her|their|all|one|everything)\b| (?:the|my|your|our|his|her|their|give)\b|$)"
)
"""A share by itself or of something; "a quarter" beside an hour is a time."""
SHARE = "share"
"""The mark behind a number that is a share of something: "a third of it" is "0.333333333333333 share of it"."""
_CUES = ("hal", "quarter", "couple", "fortnight", "/")
_SLASHED = re.compile(r"(?<=\w) ([1-9])/([2-9])\b(?!/)")


def marked(plain: str) -> str:
    """The text with fractions as marks: "nine and a half" as "nine +0.5", "9 1/2" as "9 +0.5", "half a dozen" as "6".

    plain: a text in lower case. A fraction without a number before it stays as it is.
    """
    if not any(cue in plain for cue in _CUES):
        return plain
    for pattern, replacement in _MOVED:
        plain = pattern.sub(replacement, plain)
    return _SLASHED.sub(_mark, plain)


def with_shares(plain: str) -> str:
    """The text with shares as decimals: "a third of it" as "0.333 share of it", "a tenth of a ton" as "0.1 of a ton".

    The mark `SHARE` stands behind those that are a share of something that is no unit or number.
    """
    return _SHARE.sub(_as_share, plain) if any(part in plain for part in _PARTS) else plain


def _as_share(match: re.Match[str]) -> str:
    count, part = match[1], _PARTS[match[2]]
    number = int(count) if count and count.isdigit() else _COUNTS.get(count or "", 0)
    if bool(match[3]) != (number > 1) or number >= part or (not number and part != 2):
        return match[0]
    before = match.string[max(match.start() - 9, 0) : match.start()].split()[-1:]
    if before and before[0] in ("and", "the", "my", "your", "to", "past", "till"):
        return match[0]
    following = match.string[match.end() : match.end() + 7]
    if following.startswith((" an ", " a ")):
        return match[0]
    of_one = following.startswith((" of an ", " of a "))
    return f"{number / part if number else 0.5:.15g}" + ("" if of_one else f" {SHARE}")


def _mark(match: re.Match[str]) -> str:
    share = Fraction(int(match[1]), int(match[2]))
    return f" +{float(share):.15g}" if share < 1 else match[0]
