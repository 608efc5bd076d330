"""Converts number words to digits: "twenty-two" is 22, "a hundred and five" is 105, "nine and a half" is 9.5.

`num2words` only converts numbers to words, so its output is inverted here.
"""

# text2num 3.1.0 was tried instead: it gets 12 of the 162 comparisons in tests/data/values.toml wrong. With the
# substitutions of `with_digits` around it, 3 are still wrong: it does not convert "a dozen", reads "1.5 million" as two
# numbers, and reads the "o" of "twelve o clock" as 0. It knows more ordinals: of those from 0 to 9,999 it misses 101,
# this module 999: "second" after a ten, which may be a time, and "hundredth" and "thousandth".

from __future__ import annotations

import re
from collections.abc import Iterator
from fractions import Fraction
from functools import cache

from num2words import num2words

from chattest.rules.values.common import knowledge

SIMPLE = {num2words(number): number for number in (*range(20), *range(20, 100, 10))}
"""Words for a number by themselves, cardinal and ordinal."""
SIMPLE |= {num2words(number, to="ordinal"): number for number in (*range(20), *range(20, 100, 10)) if number != 2}
SCALES = {"hundred": 100, "thousand": 1000, "grand": 1000, "million": 10**6, "billion": 10**9, "dozen": 12}
"""Words that multiply the number before them."""
_HALVED = {"thousand", "grand", "million", "billion", "dozen"}
"""Scales of which one can be halved: "a dozen and a half" are 18, but who says "a hundred and a half"?"""
NOT_ALONE = {"dozen", "grand"}
"""Scales that are other words without a number before them: "dozens", "a grand piano"."""
NUMBER_WORDS = frozenset({*SIMPLE, *SCALES})
"""Every word that a number is made of."""
_ORDINAL = re.compile(r"\b(\d+)(?:st|nd|rd|th)\b")
_SECOND = re.compile(r"\b(the|my|your) second\b")
_THOUSANDS = re.compile(r"\b(\d{1,15}(?:\.\d+)?)k\b")
_DIGITS = re.compile(r"\d{1,15}(?:\.\d+)?")
"""A number that is multiplied; one of more digits is a code, and may not fit a float."""
_POINT = re.compile(r"(?<![\w.])(\d{1,9}) point (\d{1,3}(?: \d\b){0,5})(?!\w)")
_DOZEN_AND = re.compile(rf"\bdozen and ({'|'.join(num2words(number) for number in range(1, 12))})\b")
_SCORE = re.compile(r"(?<![\w.])([2-9]) score(?: (?:and )?(\d\d?))?(?= years?\b| if\b|$)")
_ADDED = re.compile(r"\+\d{1,15}(?:\.\d+)?")
"""A part that was marked as added to the number before it; a plus sign of its own is none."""


def with_digits(plain: str) -> str:
    """Write the number words and ordinals of a plain text as digits: "twenty-two" as 22, "3rd" and "third" as 3."""
    plain = _SECOND.sub(r"\1 2", _ORDINAL.sub(r"\1", plain))
    if "dozen and " in plain:
        plain = _DOZEN_AND.sub(lambda match: f"dozen +{SIMPLE[match[1]]}", plain)
    plain = _THOUSANDS.sub(lambda match: f"{float(match[1]) * 1000:g}", mark_fractions(plain))
    text = " ".join(_write_number(plain.split()))
    if " point " in text:
        text = _POINT.sub(lambda match: f"{match[1]}.{match[2].replace(' ', '')}", text)
    return _SCORE.sub(lambda match: f"{int(match[1]) * 20 + int(match[2] or 0)}", text) if " score" in text else text


def _write_number(words: list[str]) -> Iterator[str]:
    total, current, open_number = 0.0, 0.0, False
    for position, word in enumerate([*words, ""]):
        previous = words[position - 1] if position else ""
        following = words[position + 1] if position + 1 < len(words) else ""
        if word in SIMPLE and (not open_number or ((current or total) and _fits(current, SIMPLE[word]))):
            current, open_number = current + SIMPLE[word], True
        elif _ADDED.fullmatch(word) and open_number:
            share = float(word)
            scale = SCALES[previous] if share < 1 and previous in _HALVED else 1
            total, current = (total + share * scale, current) if scale >= 1000 else (total, current + share * scale)
        elif word in SCALES and (open_number or word not in NOT_ALONE or (previous, word) == ("a", "dozen")):
            current = (current or 1.0) * SCALES[word]
            if SCALES[word] >= 1000:
                total, current = total + current, 0.0
            open_number = True
        elif _DIGITS.fullmatch(word) and (following in SCALES or _ADDED.fullmatch(following)):
            if open_number:
                yield f"{total + current:.15g}"
            total, current, open_number = 0.0, float(word), True
        elif (word == "and" and open_number and current % 100 == 0 and following in SIMPLE) or (
            word == "a" and following in SCALES and following != "grand"
        ):
            continue
        else:
            if open_number:
                yield f"{total + current:.15g}"
                total, current, open_number = 0.0, 0.0, False
            if word in SIMPLE:
                current, open_number = float(SIMPLE[word]), True
            elif word:
                yield word.removeprefix("+") or word


def _fits(current: float, number: int) -> bool:
    """Return True if a number word continues the number so far: "twenty" + "two" does, "seven" + "thirty" does not."""
    below = current % 100
    return below == 0 or (below >= 20 and below % 10 == 0 and 0 < number < 10)


_FRACTIONS: dict[str, int] = knowledge()["fractions"]["parts"]
_FEW: dict[str, int] = knowledge()["fractions"]["few"]
_SHARE_OF = re.compile(
    rf"\b(?:({'|'.join(_FEW)}|[1-9]) )?({'|'.join(_FRACTIONS)})(s)?"
    r"(?= of (?:an?|the|it|my|your|our|his|her|their|all|one|everything)\b| (?:the|my|your|our|his|her|their|give)\b|$)"
)
"""A share by itself or of something; "a quarter" beside an hour is a time."""
SHARE = "share"
"""The mark behind a number that is a share of something: "a third of it" is "0.333333333333333 share of it"."""
_FRACTION_CUES = ("hal", "quarter", "couple", "fortnight", "/")
_SLASHED = re.compile(r"(?<=\w) ([1-9])/([2-9])\b(?!/)")


def mark_fractions(plain: str) -> str:
    """Write fractions as marks: "nine and a half" as "nine +0.5", "9 1/2" as "9 +0.5", "half a dozen" as "6".

    A fraction without a number before it stays as it is. The text must be in lower case.
    """
    if not any(cue in plain for cue in _FRACTION_CUES):
        return plain
    for old, new in _read_moved_units():
        plain = old.sub(new, plain)
    return _SLASHED.sub(_mark_fraction, plain)


@cache
def _read_moved_units() -> list[tuple[re.Pattern[str], str]]:
    rows = knowledge()["fractions"]
    return [(re.compile(old.replace("THING", rows["things"])), new) for old, new in rows["moved"]]


def with_shares(plain: str) -> str:
    """Write shares as decimals: "a third of it" as "0.333 share of it", "a tenth of a ton" as "0.1 of a ton".

    The mark `SHARE` follows those that are a share of something other than a unit or number.
    """
    return _SHARE_OF.sub(_as_share, plain) if any(part in plain for part in _FRACTIONS) else plain


def _as_share(match: re.Match[str]) -> str:
    count, part = match[1], _FRACTIONS[match[2]]
    number = int(count) if count and count.isdigit() else _FEW.get(count or "", 0)
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


def _mark_fraction(match: re.Match[str]) -> str:
    share = Fraction(int(match[1]), int(match[2]))
    return f" +{float(share):.15g}" if share < 1 else match[0]
