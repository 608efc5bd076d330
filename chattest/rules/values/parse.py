"""Reads the values of a text: names of closed sorts, numbers with their units, prices, dates and times."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import cache, lru_cache
from typing import Any

from chattest.rules.values import clock, dates, wording
from chattest.rules.values.bounds import Bound, bound_of
from chattest.rules.values.common import function_words, knowledge, plain
from chattest.rules.values.numerals import SHARE, with_digits, with_shares
from chattest.rules.values.sums import work_out_sums
from chattest.rules.values.units import base_of, units
from chattest.text.split import LETTERS, either

_AMBIGUOUS_PLACES = {"us", "la", "turkey", "china"}
"""Names of places that are also other words in lower case."""
AMOUNTS, _MOMENTS = {"number", "price"}, {"time", "date", "weekday", "month"}
"""Sorts of values that can be bounds."""
_HEIGHTS = {"foot", "feet", "ft", "inch", "inches"}
_TWO_HALVES = re.compile(r"(?:in )?(?:19|20) (?:oh? )?\d\d?")
_LATEST_YEAR, _SMALLEST_CODE = 2100, 100
_FEWEST_DIGITS = 300
"""A number of so many digits is compared digit by digit: a float holds at most 309 of them."""


@dataclass(frozen=True, slots=True)
class Value:
    """A value parsed from a text."""

    sort: str
    """"price", "time", "date", "number", "digits", or a sort of `values.toml`."""
    content: Any
    """The value to compare; its type depends on the sort."""
    bound: Bound = ""
    """What the text makes of the value: "less than 300" has the bound "<"."""


def read_values(text: str, like: list[Value] | None = None) -> tuple[list[Value], set[str]]:
    """Return the values in a text, and the other words that carry meaning.

    Args:
        text: Any text.
        like: A plain number is also read as these sorts of values: as an hour if one of them is a time, as an amount if
            one is a price, as a year if one is a date.
    """
    remaining, values = _take_values(text, like)
    values += _read_otherwise(values, text, like or [])
    return values, set(LETTERS.findall(remaining)) - function_words()


def in_order(text: str) -> list[str | Value]:
    """Return the words of a text, in lower case and without punctuation, with each value in its place."""
    remaining, values = _take_values(text)
    return [
        values[ord(token) - _FIRST_MARK] if _FIRST_MARK <= ord(token[0]) < _FIRST_MARK + _MARKS else token
        for token in _TOKEN.findall(remaining)
    ]


def _take_values(text: str, like: list[Value] | None = None) -> tuple[str, list[Value]]:
    """Return the text with a mark and a tilde in place of each value, and the values, which the marks number."""
    remaining = prepare(text, like)
    values: list[Value] = []
    for sort, pattern in _patterns().items():

        def take(match: re.Match[str], sort: str = sort) -> str:
            content: Any = _READERS[sort](match) if sort in _READERS else _read_known_words()[sort][match[0]]
            if content is None or _is_other_word(match[0], text):
                return match[0]
            moment = sort in _MOMENTS or (sort == "number" and content[1] is None)
            bound = bound_of(match.string, *match.span(), amount=sort in AMOUNTS, moment=moment)
            if len(values) == _MARKS:
                return match[0]
            values.append(Value("date" if sort == "month" else sort, content, bound))
            return f" {chr(_FIRST_MARK + len(values) - 1)}~ "

        remaining = pattern.sub(take, remaining)
    return remaining, values


def prepare(text: str, like: list[Value] | None = None) -> str:
    """Return a text in lower case, with its numbers as digits and its sums worked out.

    Args:
        text: Any text.
        like: The values that are looked for; they decide how years, codes and running times are meant.
    """
    sought = _sought(tuple(like or ()))
    plain_text = wording.with_notes(plain(wording.raw(text, sought.years)))
    if sought.running:
        plain_text = wording.with_minutes(plain_text)
    if "time" in sought.sorts:
        plain_text = wording.with_spans(plain_text)
    plain_text = with_digits(with_shares(plain_text))
    if sought.heights:
        plain_text = wording.with_heights(plain_text)
    years = {0} if like is None and _TWO_HALVES.fullmatch(plain_text) else sought.years
    return work_out_sums(wording.with_codes(wording.with_years(plain_text, years), sought.codes))


@dataclass(frozen=True, slots=True)
class _Sought:
    """What the values that are looked for tell about the text that they are looked for in."""

    sorts: frozenset[str]
    kinds: frozenset[str]
    """What their units measure; empty for a plain number."""
    years: frozenset[int]
    codes: frozenset[str]
    """Numbers of at least three digits."""
    days: tuple[dates.Day, ...]
    heights: bool
    running: bool


@lru_cache(maxsize=1024)
def _sought(like: tuple[Value, ...]) -> _Sought:
    measures = [value.content for value in like if value.sort == "number"]
    days = tuple(value.content for value in like if value.sort == "date")
    years = {int(amount) for amount, unit in measures if unit is None and 1000 <= amount <= _LATEST_YEAR}
    amounts = [amount for amount, _ in measures] + [value.content[1] for value in like if value.sort == "price"]
    kinds = frozenset(base_of(unit) for _, unit in measures)
    return _Sought(
        frozenset(value.sort for value in like),
        kinds,
        frozenset(years | {day[0] for day in days if day[0]}),
        frozenset(f"{amount:.0f}" for amount in amounts if amount >= _SMALLEST_CODE and amount == int(amount)),
        days,
        any(unit in _HEIGHTS for _, unit in measures),
        "second" in kinds,
    )


def _read_otherwise(values: list[Value], text: str, like: list[Value]) -> list[Value]:
    """Return what the values also mean if they are compared with those of `like`.

    "10" is $10 where a price is expected.
    """
    sought = _sought(tuple(like))
    days = wording.dates_in_numbers(plain(text), sought.days) if sought.days else []
    more = [Value("date", day) for day in days]
    for value in values:
        if value.sort == "number":
            more += _number_otherwise(value, sought, dated=bool(days))
        elif value.sort == "price" and "" in sought.kinds:
            more.append(replace(value, sort="number", content=(value.content[1], None)))
        elif value.sort == "date" and "" in sought.kinds and value.content[0]:
            more.append(replace(value, sort="number", content=(value.content[0], None)))
        elif value.sort == "share" and "percent" in sought.kinds:
            more.append(replace(value, sort="number", content=(value.content * 100, "percent")))
        if value.sort == "price" and value.content[0] == "pound" and "gram" in sought.kinds:
            more.append(replace(value, sort="number", content=(value.content[1], "lb")))
    return more


def _number_otherwise(value: Value, sought: _Sought, *, dated: bool) -> list[Value]:
    """Return what a number also means. In a text `dated` in numbers, those of the date are no years by themselves."""
    (amount, unit), more = value.content, []
    if unit is not None:
        is_share = "share" in sought.sorts and base_of(unit) == "percent"
        return [replace(value, sort="share", content=amount / 100)] if is_share else []
    if "price" in sought.sorts:
        more.append(replace(value, sort="price", content=(None, amount)))
    if "time" in sought.sorts and amount == int(amount) >= 0 and (hour := clock.at(int(amount))):
        more.append(replace(value, sort="time", content=hour))
    if "date" in sought.sorts and not dated and 1000 <= amount <= _LATEST_YEAR:
        more.append(replace(value, sort="date", content=(int(amount), None, None)))
    return more


def _read_price(match: re.Match[str]) -> tuple[str | None, float]:
    sign = match["sign"] or match["word"]
    amount = float((match["amount1"] or match["amount2"]).replace(",", "."))
    if sign in knowledge()["coins"]["cents"]:
        return None, amount / 100
    return _currencies()[sign], amount + float(match["cents"] or match["small"] or 0) / 100


def _read_number(match: re.Match[str]) -> tuple[float, str | None]:
    spelling = match["unit"]
    amount = float(match["number"].replace(",", "."))
    return -amount if match["minus"] else amount, spelling or None


_READERS: dict[str, Callable[[re.Match[str]], Any]] = {
    "digits": lambda match: match[0].replace(",", ".").lstrip("0"),
    "price": _read_price,
    "number": _read_number,
    "time": clock.read,
    "date": dates.read,
    "share": lambda match: float(match["share"]),
}
_FIRST_MARK = 0xE000
_MARKS = 6400
"""Number of characters from the first on that are kept from texts by `plain`: they are no letters, digits or marks."""
_TOKEN = re.compile(r"[\ue000-\uf8ff]|[^\W_]+(?:\.\d+)?")


def _is_other_word(word: str, text: str) -> bool:
    """Return True if an ambiguous word is no month, weekday or place in the text."""
    if word not in _AMBIGUOUS_PLACES:
        return dates.is_other_word(word, text)
    capitalised = re.search(rf"\b({word.capitalize()}|{word.upper()})\b", text.replace(".", ""))
    return not capitalised and plain(text) != word


@cache
def _currencies() -> dict[str, str]:
    return {s: name for name, spellings in knowledge()["currencies"].items() for s in (name, *spellings)}


@cache
def _read_known_words() -> dict[str, dict[str, Any]]:
    """Return sort -> spelling -> value."""
    known: dict[str, dict[str, Any]] = {
        sort: {spelling: row[0] for row in rows for spelling in row} for sort, rows in knowledge()["sorts"].items()
    }
    months = enumerate(dates.months(), 1)
    known["month"] = {
        spelling: (None, number, None) for number, name in months for spelling in (name, name[:3], name[:4])
    }
    return known


@cache
def _patterns() -> dict[str, re.Pattern[str]]:
    """Return sort -> pattern, in the order of the search. What a pattern matches, later patterns no longer see."""
    number = r"\d+(?:[.,]\d+)?"
    cents = either(knowledge()["coins"]["cents"])
    money = either([*_currencies(), *knowledge()["coins"]["cents"]])
    patterns = {
        "digits": rf"\d{{{_FEWEST_DIGITS},}}(?:[.,]\d+)?",
        "share": rf"(?<![\w.])(?P<share>0\.\d{{1,15}}) {SHARE}\b",
        "price": rf"(?<![a-z])(?P<sign>{money}) ?(?P<amount1>{number})(?!\w)"
        rf"|(?<![\w.])(?P<amount2>{number}) ?(?P<word>{money})(?!\w)"
        rf"(?: (?P<cents>\d\d)\b|(?: and)? (?P<small>\d\d?) ?(?:{cents})\b)?",
        "time": clock.PATTERN,
        "date": dates.pattern(),
    }
    for sort, spellings in _read_known_words().items():
        patterns[sort] = rf"\b(?:{either(spellings)})\b"
    minus = r"(?P<minus>\bminus |(?<![\w.+-])-)"
    unit = rf"(?: ?(?P<unit>{either(units())})(?!\w))?"
    patterns["number"] = rf"(?:{minus}|(?<![\w.]))(?P<number>{number}){unit}(?!\d)"
    return {sort: re.compile(pattern) for sort, pattern in patterns.items()}
