"""Finds the values of answers (numbers, prices, times, dates, places), however they are written, and compares them."""

from __future__ import annotations

import math
import re
from collections.abc import Callable
from functools import cache

from chattest.rules.tables import pattern, read_table
from chattest.rules.values import clock
from chattest.rules.values.common import plain
from chattest.rules.values.compare import Value, agree_plainly, in_order
from chattest.rules.values.numerals import SIMPLE, with_digits
from chattest.rules.values.units import units
from chattest.text.lexicon import table
from chattest.text.split import either

_CAPITAL = re.compile(r"\b(?:May|March|Mar|Wed|Sat|Sun|US|LA|Turkey|China)\b")
_LIKE_A_CLOCK = {5, 10, 15, 20, 25}
"""Minutes that are said before or after an hour: "ten to six" is a time, "two to three" a range."""
_DAYS = {"second": 1 / 86400, "day": 1.0, "month": 365.25 / 12}
"""Base of a unit of time -> how many days it is."""
_WIDE_OR_NARROW = frozenset({"place", "animal", "sport", "colour"})
"""Sorts of values of which one may take in another: England and the United Kingdom, blue and navy."""
_LAST_HOUR = 24
_PARTS = {"england", "scotland", "wales"}
"""Countries that are parts of another."""
_NEAR, _FAR = 0.04, 0.1
"""Amounts in two units are the same up to the one, and others from the other: a month is 30 days, or four weeks."""


def join_spoken_numbers(text: str) -> str:
    """Write numbers in digits that are spoken in pieces: "eighteen eighty-nine", "eight point five"."""
    if not pattern("answer_values", "pieces").search(text):
        return text
    text = with_digits(re.sub(r"[.,!?](?=\s|$)", "", text.casefold().replace("-", " ")))
    text = re.sub(r"\b(1[1-9]|20) ([1-9]\d)\b", r"\1\2", text)
    text = re.sub(r"\b([2-9]) ([2-9]0)\b(?!\d| (?:am|pm|a\.m|p\.m|o'clock))", r"\1\2", text)
    return re.sub(r"\b(\d+) point (\d(?: \d)*)\b", lambda match: f"{match[1]}.{match[2].replace(' ', '')}", text)


def find_tokens(text: str) -> tuple[str | Value, ...]:
    """Return the words of an answer in order, in lower case, contractions in full, and its values in their places."""
    flat = text.replace("’", "'")
    capitals = set(_CAPITAL.findall(flat))
    flat = _rewrite(flat, "contracted")
    flat = re.sub(r"(?<=\d)M\b", " million", re.sub(r"[()]", " ", flat))
    flat = plain(join_spoken_numbers(flat))
    flat = _rewrite(with_digits(_rewrite(flat, "in_words")), "in_digits")
    for word in capitals:  # "May" is a month where "may" is none
        flat = re.sub(rf"\b{word.casefold()}\b", word, flat)
    return tuple(in_order(flat))


def _rewrite(text: str, rules: str) -> str:
    """Apply the rules of a table of `answer_values.toml`, one after the other."""
    for old, new in _read_rules(rules):
        text = old.sub(new, text)
    return text


@cache
def _read_rules(name: str) -> list[tuple[re.Pattern[str], str | Callable[[re.Match[str]], str]]]:
    number_words = either(word for word in SIMPLE if "-" not in word)
    flags = re.IGNORECASE if name == "contracted" else 0
    return [
        (re.compile(old.replace("NUMBER", number_words), flags), _WRITERS.get(new, new))
        for old, new in read_table("answer_values")[name]
    ]


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
    return any({one, other} <= row for row in _exclusive_values())


@cache
def _exclusive_values() -> tuple[frozenset[str], ...]:
    """Return the rows of values of which none takes in another, in lower case."""
    rows = (frozenset(row.split()) for row in read_table("answer_values")["apart"])
    cities = frozenset(city.casefold() for row in table("cities").values() for city in row)
    listed = (country for row in table("countries").values() for country in row)
    return *rows, cities, frozenset(country.casefold() for country in (*table("cities"), *listed)) - _PARTS


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


def _with_one_unit(match: re.Match[str]) -> str:
    """Write a range with its unit at both ends: "two to three hours"."""
    low, high, word = match.groups()
    return f"{low} {word} - {high} {word}" if _is_measure(word) else match[0]


def _is_measure(word: str) -> bool:
    values = [token for token in in_order(f"1 {word}") if isinstance(token, Value)]
    return any(value.sort in ("number", "price") and value.content[1] is not None for value in values)


def _as_range(match: re.Match[str]) -> str:
    low, high = int(match[1]), int(match[2])
    return match[0] if low in _LIKE_A_CLOCK and high <= 12 else f"{low} - {high}"


_WRITERS: dict[str, Callable[[re.Match[str]], str]] = {
    "<joined>": lambda match: re.sub(r"[ -]", "", with_digits(match[0])),
    "<hundredths> pounds": lambda match: f"{int(match[1]) / 100:.2f} pounds",
    "<hundredths> dollars": lambda match: f"{int(match[1]) / 100:.2f} dollars",
    "<five times> days \\2": lambda match: f"{int(match[1]) * 5} days {match[2]}",
    "<with one unit>": _with_one_unit,
    "<as range>": _as_range,
}
