"""Reads what only the wanted value can clarify: "'97" and "nineteen ninety-seven" as a year, "9-0-8-2" as a code.

Digits said one by one, dates in numbers and running times look like other numbers. What is looked for decides.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable
from functools import cache

from chattest.rules.values.dates import Day

_CUT_YEAR = re.compile(r"(?<![\w'’‘\"”])['’‘](\d\d)\b(?!['’\"”])")
_FEET = re.compile(r"(?<![\w.])(\d) ?(?:['’′]|ft\.?) ?(\d\d?)\b(?: ?(?:[\"”″]|''))?")
_FEET_ALONE = re.compile(r"(?<![\w.])(\d) ?['’′](?![\w'’])")
_HEIGHT = re.compile(r"(?<![\w.,:/-])([3-7]) (1[01]|\d)(?![\w:/%]|[.,]\d)")
_SPAN = re.compile(r"(?<![\w.,:/-])(\d\d?) ?- ?(\d\d?)(?![\w:/-]|[.,]\d)")
_NOTE = re.compile(r"\b(?:an? )?(fiver|tenner)s?\b")
_MINUS = re.compile(r"−(?=\d)")
_TWO_HALVES = re.compile(r"(?<![\w.,:/-])(1[1-9]|20) (?:(?:o|oh|0) ([1-9])|([1-9]\d))(?![\w:/%]|[.,]\d)")
_DIGITS = re.compile(r"(?<![\w.,:/+-])\d[\d .,-]{1,30}\d(?!\w)")
_DECIMALS = re.compile(r"[.,](?!\d{3}(?:\D|$))")
_DECADE = re.compile(
    r"\b(?:1[5-9]|20)?([0-9])0s\b|\b(twenties|thirties|forties|fifties|sixties|seventies|eighties|nineties)\b"
)
_DECADES = ("", "", "twenties", "thirties", "forties", "fifties", "sixties", "seventies", "eighties", "nineties")
_DATE = re.compile(r"(?<![\w.:/-])(\d\d?)([./-])(\d\d?)(?:\2(\d{4}|\d\d))?(?![\w:/]|[.,-]\d)")
_MONTH_AND_YEAR = re.compile(r"(?<![\w.:/-])(\d\d?)[./](\d{4})(?![\w:/]|[.,-]\d)")
_RUNNING = re.compile(r"(?<![\w.:])(\d\d?)(?::([0-5]\d):([0-5]\d)|h ?([0-5]\d)(?:m|min)?)(?![\w:])")
_LATEST_SHORT = 30
"""A year cut to less than this belongs to this century if nothing else tells."""


def raw(text: str, years: Iterable[int] = ()) -> str:
    """Write out years cut short and heights in feet: "'97" as "1997", 5'8" as "5 foot 8".

    A year cut short is taken for one of the wanted `years` if it can be.
    """
    if "−" in text:
        text = _MINUS.sub("-", text)
    if not any(mark in text for mark in "'’‘′") and "ft" not in text:
        return text
    wanted = {year % 100: year for year in years}

    def whole(match: re.Match[str]) -> str:
        short = int(match[1])
        return str(wanted.get(short, short + (2000 if short < _LATEST_SHORT else 1900)))

    return _FEET_ALONE.sub(r"\1 foot", _FEET.sub(r"\1 foot \2", _CUT_YEAR.sub(whole, text)))


def with_years(text: str, years: Collection[int]) -> str:
    """Join years said in two halves: "19 97" as "1997", "20 oh 6" as "2006". The text has digits.

    A decade that none of the wanted `years` is in becomes a year that they are not: "80s" as "1980".
    """
    if not years:
        return text
    text = _TWO_HALVES.sub(lambda match: match[1] + (match[3] or f"0{match[2]}"), text)

    def decade(match: re.Match[str]) -> str:
        tens = int(match[1]) if match[1] else _DECADES.index(match[2])
        within = [year for year in years if year // 10 % 10 == tens]
        if within:
            # "The 1840s" may be what is wanted itself; it is read as 1840.
            return next((str(year) for year in within if year % 10 == 0), "~")
        return str(1900 + 10 * tens if tens > 2 else 2000 + 10 * tens)

    return _DECADE.sub(decade, text)


def with_codes(text: str, codes: Collection[str]) -> str:
    """Join digits that are written apart where that makes a wanted number: "9 0 8 2" as "9082".

    `codes` are the wanted numbers of at least three digits.
    """
    if not codes:
        return text

    def joined(match: re.Match[str]) -> str:
        digits = re.sub(r"\D", "", match[0])
        return digits if digits in codes and not _DECIMALS.search(match[0]) else match[0]

    return _DIGITS.sub(joined, text)


def with_minutes(text: str) -> str:
    """Write running times of a plain text in minutes: "1h34m" as "94 minutes", "00:49:00" as "49 minutes"."""

    def minutes(match: re.Match[str]) -> str:
        hours, shown = int(match[1]), int(match[2] or match[4])
        return f"{hours * 60 + shown} minutes" if match[3] in (None, "00") else match[0]

    return _RUNNING.sub(minutes, text)


def with_heights(text: str) -> str:
    """Write a height as one, in a text with digits: "5 8" as "5 foot 8"."""
    return _HEIGHT.sub(r"\1 foot \2", text)


def with_notes(text: str) -> str:
    """Write bank notes of a plain text as numbers: "a fiver" as "5"."""
    return _NOTE.sub(lambda match: "5" if match[1] == "fiver" else "10", text) if "er" in text else text


def with_spans(text: str) -> str:
    """Write the hours of a span of a plain text as they are spoken: "9-5" as "9 to 5"."""
    return _SPAN.sub(r"\1 to \2", text)


def dates_in_numbers(text: str, wanted: Iterable[Day]) -> list[Day]:
    """Return the dates that a plain text gives in numbers: "30.4." is (None, 4, 30).

    Where day and month can be either, the order that makes one of the `wanted` dates is taken.
    """
    days: list[Day] = []
    for match in _DATE.finditer(text):
        first, second, short = int(match[1]), int(match[3]), match[4]
        year = None if not short else int(short) + (2000 if len(short) == 2 else 0)
        readings: list[Day] = [
            (year, month, day) for day, month in ((first, second), (second, first)) if _is_day(month, day)
        ]
        days += (
            [next((day for day in readings if day[1:] in {of[1:] for of in wanted}), readings[0])] if readings else []
        )
    days += [
        (int(match[2]), int(match[1]), None) for match in _MONTH_AND_YEAR.finditer(text) if 1 <= int(match[1]) <= 12
    ]
    return days


@cache
def _is_day(month: int, day: int) -> bool:
    return 1 <= month <= 12 and 1 <= day <= 31
