"""Finds the values of answers (numbers, prices, times, dates, places), however they are written, and compares them."""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Sequence
from functools import cache

from chattest.rules.values import clock
from chattest.rules.values.common import plain
from chattest.rules.values.compare import Value, agree_plainly, in_order
from chattest.rules.values.numerals import SIMPLE, with_digits
from chattest.rules.values.units import units
from chattest.text.lexicon import table

_SIMPLE = "|".join(sorted((word for word in SIMPLE if "-" not in word), key=len, reverse=True))
_DIGIT = "zero|one|two|three|four|five|six|seven|eight|nine"
_DURATION = "minutes?|hours?|days?|weeks?|months?|years?"
_Replacement = str | Callable[[re.Match[str]], str]
_CONTRACTED: list[tuple[re.Pattern[str], _Replacement]] = [
    (re.compile(pattern, re.IGNORECASE), new)
    for pattern, new in (
        (r"\bcan(?:'?t|not)\b", "can not"),
        (r"\bwon'?t\b", "will not"),
        (r"\bshan't\b", "shall not"),
        (r"\b(\w+)n't\b", r"\1 not"),
        (r"\b(do|does|did|is|are|was|were|should|would|could|has|have)nt\b", r"\1 not"),
        (r"(?<=\w)'re\b", " are"),
        (r"(?<=\w)'ve\b", " have"),
        (r"(?<=\w)'ll\b", " will"),
        (r"(?<=\w)'m\b", " am"),
        (r"(?<=\w)'d\b", " would"),
        (r"\b(it|that|there|he|she|what|where|here)'s\b", r"\1 is"),
        (r"\b(have|has) got\b", r"\1"),
        (r"\b(?:it|that|this|there|here) (is|are|was|were)\b", r"\1"),
        (r"(?<=[a-z] )no\. ?(?=\d)", "number "),
    )
]
_IN_WORDS: list[tuple[re.Pattern[str], _Replacement]] = [
    (re.compile(pattern), new)
    for pattern, new in (
        # A telephone number is one number.
        (rf"\b(?:(?:{_DIGIT}) ){{2,12}}(?:{_DIGIT})\b", lambda match: _join(with_digits(match[0]))),
        (r"(?<![\w.])[0+]\d{1,5}(?:[ -]\d{2,8}){1,6}(?![\w.])", lambda match: _join(match[0])),
        # "three to four hundred"
        (
            rf"\b({_SIMPLE}|\d+) (to|or) ({_SIMPLE}|\d+) (hundred|thousand|million|grand)\b",
            r"\1 \4 \2 \3 \4",
        ),
        (r"\ban? (dollar|pound|euro|quid)\b", r"1 \1"),
        (r"\b(?:a )?tenner\b", "10 pounds"),
        (r"\b(?:a )?fiver\b", "5 pounds"),
        (r"\ba quarter of a (million|billion)\b", r"0.25 \1"),
        (r"\bhalf a day\b", "12 hours"),
        (r"\bhalf a year\b", "6 months"),
        (r"\btwice\b", "2 times"),
        (r"\bthrice\b", "3 times"),
        (
            r"\b(within|after|for|in|than|about|around|roughly|at most|at least|up to|least|most|full|whole) "
            rf"an? (?:full |whole )?({_DURATION})\b",
            r"\1 1 \2",
        ),
    )
]
"""What is put otherwise before number words become digits."""
_IN_DIGITS: list[tuple[re.Pattern[str], _Replacement]] = [
    (re.compile(pattern), new)
    for pattern, new in (
        (r"\b(\d+(?:\.\d+)?) ?h(?:rs?)?\b(?! ?\d)", r"\1 hours"),
        (r"\b(\d+) (dollars?|pounds?|euros?|shillings?) (?:and )?(\d\d?)(?: cents?| pence|p)?\b", r"\1.\3 \2"),
        (r"\b(\d\d?) ?(?:pence|p)\b", lambda match: f"{int(match[1]) / 100:.2f} pounds"),
        (r"\b(\d\d?) ?(?:cents?)\b", lambda match: f"{int(match[1]) / 100:.2f} dollars"),
        (r"\b(\d+(?:\.\d+)?) bob\b", r"\1 shillings"),
        (r"\b(\d+) (working|business) days?\b", r"\1 days \2"),
        (r"\b(\d{1,4}) (working|business) weeks?\b", lambda match: f"{int(match[1]) * 5} days {match[2]}"),
        (r"(?<=\d)/=(?!\S)", ""),
        (r"\b(\d+(?:\.\d+)?)(?: ?- ?| to | or )(\d+(?:\.\d+)?) ([a-z]+)\b", lambda match: _with_one_unit(match)),
        (r"\bfrom (\d\d?) to (\d\d?)\b", r"from \1 - \2"),
        (r"\b(\d{1,9}) to (\d{1,9})\b", lambda match: _apart(match)),
    )
]
"""What is put otherwise after that."""
_CAPITAL = re.compile(r"\b(?:May|March|Mar|Wed|Sat|Sun|US|LA|Turkey|China)\b")
_PIECES = re.compile(
    r"\bpoint (?:one|two|three|four|five|six|seven|eight|nine)\b"
    r"|\b(?:eleven|twelve|thirteen|fourteen|fifteen|sixteen|seventeen|eighteen|nineteen|twenty)"
    r" (?:twenty|thirty|forty|fifty|sixty|seventy|eighty|ninety)\b"
    r"|\b(?:two|three|four|five|six|seven|eight|nine)-(?:twenty|thirty|forty|fifty|sixty|seventy|eighty|ninety)\b",
    re.IGNORECASE,
)
"""Numbers said in pieces."""
_LIKE_A_CLOCK = {5, 10, 15, 20, 25}
"""Minutes that are said before or after an hour: "ten to six" is a time, "two to three" a range."""
_DAYS = {"second": 1 / 86400, "day": 1.0, "month": 365.25 / 12}
"""Base of a unit of time -> how many days it is."""
_WIDE_OR_NARROW = frozenset({"place", "animal", "sport", "colour"})
"""Sorts of values of which one may take in another: England and the United Kingdom, blue and navy."""
_APART = (
    frozenset({"red", "blue", "green", "yellow", "black", "white", "brown"}),
    frozenset({"dog", "cat", "rabbit", "hamster", "horse", "turtle", "snake", "cow", "pig", "sheep", "goat"}),
    frozenset({"basketball", "volleyball", "tennis", "golf", "rugby", "cricket", "swimming", "boxing", "chess"}),
)
"""Values of these sorts of which none takes in another."""
_LAST_HOUR = 24
_PARTS = {"england", "scotland", "wales"}
"""Countries that are parts of another."""
_NEAR, _FAR = 0.04, 0.1
"""Amounts in two units are the same up to the one, and others from the other: a month is 30 days, or four weeks."""


def join_spoken_numbers(text: str) -> str:
    """Write numbers in digits that are spoken in pieces: "eighteen eighty-nine", "eight point five"."""
    if not _PIECES.search(text):
        return text
    text = with_digits(re.sub(r"[.,!?](?=\s|$)", "", text.casefold().replace("-", " ")))
    text = re.sub(r"\b(1[1-9]|20) ([1-9]\d)\b", r"\1\2", text)
    text = re.sub(r"\b([2-9]) ([2-9]0)\b(?!\d| (?:am|pm|a\.m|p\.m|o'clock))", r"\1\2", text)
    return re.sub(r"\b(\d+) point (\d(?: \d)*)\b", lambda match: f"{match[1]}.{match[2].replace(' ', '')}", text)


def find_tokens(text: str) -> tuple[str | Value, ...]:
    """Return the words of an answer in order, in lower case, contractions in full, and its values in their places."""
    flat = text.replace("’", "'")
    capitals = set(_CAPITAL.findall(flat))
    flat = _rewritten(flat, _CONTRACTED)
    flat = re.sub(r"(?<=\d)M\b", " million", re.sub(r"[()]", " ", flat))
    flat = plain(join_spoken_numbers(flat))
    flat = _rewritten(with_digits(_rewritten(flat, _IN_WORDS)), _IN_DIGITS)
    for word in capitals:  # "May" is a month where "may" is none
        flat = re.sub(rf"\b{word.casefold()}\b", word, flat)
    return tuple(in_order(flat))


def _rewritten(text: str, rules: Sequence[tuple[re.Pattern[str], _Replacement]]) -> str:
    for pattern, new in rules:
        text = pattern.sub(new, text)
    return text


def same_value(one: Value, other: Value) -> bool | None:
    """Return True if two values are the same, and `None` where they may be.

    They may be where they differ in sort, bound, unit or precision.
    """
    if one.bound != other.bound:
        return None
    if one.sort != other.sort:
        return _same_amount(one, other)
    if one.sort == "number":
        return _same_number(one, other)
    if one.sort in _WIDE_OR_NARROW and one.content != other.content and not _both_listed(one.content, other.content):
        return None
    verdicts = {agree_plainly(one, other), agree_plainly(other, one)}
    return verdicts.pop() if len(verdicts) == 1 else None


def _both_listed(one: str, other: str) -> bool:
    """Return True if two values are both cities, countries, plain colours or the like: neither includes the other."""
    return any({one, other} <= row for row in (*_places(), *_APART))


@cache
def _places() -> tuple[frozenset[str], frozenset[str]]:
    """Return the cities and the countries that are listed, in lower case."""
    cities = frozenset(city.casefold() for row in table("cities").values() for city in row)
    listed = (country for row in table("countries").values() for country in row)
    return cities, frozenset(country.casefold() for country in (*table("cities"), *listed)) - _PARTS


def _same_amount(one: Value, other: Value) -> bool | None:
    """Compare a plain number with a price or an hour; other sorts are left open."""
    sides = {value.sort: value.content for value in (one, other)}
    amount, unit = sides.pop("number", (None, None))
    if amount is None or unit is not None:
        return None
    if "price" in sides:
        return True if math.isclose(amount, sides["price"][1]) else None
    hour = clock.at(int(amount)) if 0 <= amount <= _LAST_HOUR and amount == int(amount) else None
    return True if "time" in sides and hour and hour.agrees(sides["time"]) else None


def _same_number(one: Value, other: Value) -> bool | None:
    (amount, unit), (other_amount, other_unit) = one.content, other.content
    if unit == other_unit:
        return math.isclose(amount, other_amount)
    if unit is None or other_unit is None:
        return True if math.isclose(amount, other_amount) else None
    (base, factor), (other_base, other_factor) = units()[unit], units()[other_unit]
    if base != other_base:
        if base not in _DAYS or other_base not in _DAYS:
            return None
        factor, other_factor = factor * _DAYS[base], other_factor * _DAYS[other_base]
    sizes = sorted((amount * factor, other_amount * other_factor))
    if sizes[0] >= sizes[1] * (1 - (_NEAR if (base, factor) != (other_base, other_factor) else 1e-9)):
        return True
    return False if sizes[0] < sizes[1] * (1 - _FAR) or factor == other_factor else None


def _join(number: str) -> str:
    return re.sub(r"[ -]", "", number)


def _with_one_unit(match: re.Match[str]) -> str:
    """Write a range with its unit at both ends: "two to three hours"."""
    low, high, word = match.groups()
    return f"{low} {word} - {high} {word}" if _is_measure(word) else match[0]


def _is_measure(word: str) -> bool:
    return any(
        isinstance(token, Value) and token.sort in ("number", "price") and token.content[1] is not None
        for token in in_order(f"1 {word}")
        if not (isinstance(token, Value) and token.content == (1.0, None))
    )


def _apart(match: re.Match[str]) -> str:
    low, high = int(match[1]), int(match[2])
    clock = low in _LIKE_A_CLOCK and high <= 12
    return match[0] if clock else f"{low} - {high}"
