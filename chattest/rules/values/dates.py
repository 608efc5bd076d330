"""Reads dates, weekdays and months, and separates short forms from other words that look like them."""

from __future__ import annotations

import re
from functools import cache

from chattest.rules.values.common import knowledge
from chattest.text.split import either

Day = tuple[int | None, int | None, int | None]
"""Year, month and day, each `None` where it is not told."""
_WEEKDAYS = {"wed", "sat", "sun"}
_OTHER_WORDS = {"may", "march", "mar", *_WEEKDAYS}
"""Names of months and weekdays that are also other words."""
_ASKS = re.compile(r" (?:i|we|you|he|she|it|they|the|this|that|my|your|be|have|not|as|or may)\b", re.IGNORECASE)
_PART_OF_DAY = re.compile(r" (?:morning|afternoon|evening|night|noon)\b", re.IGNORECASE)
_AT_A_TIME = re.compile(r"[.?!]?$|[.,]? ?(?:at |the )?\d|\.,|[.!?)] ")
_LIST = re.compile(r" ?(?:[,&/–-]|(?:and|or|to)\b)", re.IGNORECASE)
_DAYS = re.compile(r"\b(?:mon|tue|tues|wed|wednes|thu|thur|thurs|fri|sat|satur|sun)(?:day)?s?\b", re.IGNORECASE)
_LED = re.compile(r"\b(?:on|every|each|next|last) $", re.IGNORECASE)
_JOINED = re.compile(r"(?:,|&|/|-|–|\band|\bor|\bto) ?$", re.IGNORECASE)
_BEGINNING = re.compile(r"(?:^|[.!?] )$")
_NEAR = 16
"""Number of characters beside a word that show what it is."""


@cache
def months() -> list[str]:
    """Return the names of the months in lower case, in order."""
    names: list[str] = knowledge()["words"]["months"]
    return names


@cache
def pattern() -> str:
    """Return the pattern of a date in a text as `parse` prepares it, without a month alone."""
    month = "|".join(sorted({f"{name[:3]}(?:{name[3:]}|{name[3:4]})?" for name in months()}))
    return (
        r"\b(?:(?P<iso_year>\d{4})-(?P<iso_month>\d\d)-(?P<iso_day>\d\d)"
        rf"|(?P<day1>\d\d?) (?:of )?(?P<month1>{month})(?: (?:of )?(?P<year1>\d{{4}}))?"
        rf"|(?P<month2>{month}) (?:the )?(?P<day2>\d{{4}}|\d\d?)(?:,? (?P<year2>\d{{4}}))?"
        rf"|(?P<feast>{either(knowledge()['feasts'])}))\b"
    )


def read(match: re.Match[str]) -> Day | None:
    """Return the date that `pattern` matched; `None` if there is no such date."""
    part = match.groupdict()
    if part["feast"]:
        month, day = knowledge()["feasts"][part["feast"]].split("-")
        return None, int(month), int(day)
    if part["iso_year"]:
        return int(part["iso_year"]), int(part["iso_month"]), int(part["iso_day"])
    name = part["month1"] or part["month2"]
    number = next(i for i, month in enumerate(months(), 1) if month.startswith(name[:3]))
    day_text, year = part["day1"] or part["day2"], part["year1"] or part["year2"]
    if int(day_text) > 31:
        return (int(day_text), number, None) if int(day_text) >= 1000 else None
    return int(year) if year else None, number, int(day_text)


def is_other_word(word: str, text: str) -> bool:
    """Return True if "may", "march", "mar", "wed", "sat" or "sun" is no date in a text.

    "May" is a month if it is capitalised or the whole text, but not in "May I?". A weekday cut short needs a sign too:
    "on Wed", "sat and sun", "Sun.", but not "I wed her", "in the sun" or "Sat on the sofa".
    """
    if word not in _OTHER_WORDS or text.strip(" .!?,;:").casefold() == word:
        return False
    is_date = _is_weekday if word in _WEEKDAYS else _is_month
    return not any(is_date(match[0], text, *match.span()) for match in _occurrences(word).finditer(text))


@cache
def _occurrences(word: str) -> re.Pattern[str]:
    return re.compile(rf"\b{word}\b", re.IGNORECASE)


def _is_month(word: str, text: str, start: int, end: int) -> bool:
    return word[0].isupper() and not (word.casefold() == "may" and _ASKS.match(text, end))


def _is_weekday(word: str, text: str, start: int, end: int) -> bool:
    before, after = text[max(start - _NEAR, 0) : start], text[end : end + _NEAR]
    among_days = len(_DAYS.findall(text)) > 1 and bool(_JOINED.search(before) or _LIST.match(after))
    if among_days or _PART_OF_DAY.match(after):
        return True
    if word[0].islower() or _BEGINNING.search(before):
        return bool((_LED.search(before) or word[0].isupper()) and _AT_A_TIME.match(after))
    return not before.casefold().endswith("the ")
