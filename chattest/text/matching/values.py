"""Compares names, numbers, dates, times, prices and places by value, not as strings or embeddings.

For a sentence embedding, "Tuesday" and "Thursday", or "13" and "12", are almost the same. For a string comparison,
"twelve" and "12" have nothing in common. `compare` parses both sides into values ("half past six" is 6:30 or 18:30,
"ten bucks" is 10 dollars, "NYC" is New York) and says whether they agree. Everything that it cannot decide is `UNKNOWN`
and left to the models. Its vocabulary is in `values.toml`.

It only compares values and ignores what is said about them: "not Tuesday" contains the value Tuesday. Pass it the
answer that a reading model extracted from a reply, not a reply that may deny or quote the value.
"""

from __future__ import annotations

import math
import re
import tomllib
import unicodedata
from dataclasses import dataclass
from enum import Enum
from functools import cache
from pathlib import Path
from typing import Any

from chattest.text.matching.numerals import with_digits

KNOWLEDGE = Path(__file__).with_suffix(".toml")
_WORDS: dict[str, list[str]] = tomllib.loads(KNOWLEDGE.read_text(encoding="utf-8"))["words"]
MONTHS = _WORDS["months"]
_FUNCTION_WORDS = {word for line in _WORDS["function"] for word in line.split()}
_AMBIGUOUS = {"may", "march", "mar", "us", "la", "turkey", "china"}
"""Names of months and places that are also other words in lower case."""


class Agreement(Enum):
    """How a text's value compares with the expected one."""

    SAME = "same"
    """The text gives the expected value."""
    DIFFERENT = "different"
    """The text gives another value of the same sort, or only a part of the expected one."""
    UNKNOWN = "unknown"
    """A side has no known value, or the text gives both the expected value and another."""


@dataclass(frozen=True, slots=True)
class Value:
    """A value parsed from a text."""

    sort: str
    """"price", "time", "date", "number", or a sort of `values.toml`."""
    content: Any
    """The value to compare; its type depends on the sort."""


def compare(expected: str, text: str) -> Agreement:
    """Whether a text gives the expected value.

    expected: the right answer, such as "12", "May 3", "half past six", "New York" or "red and white". text: what was
    answered, preferably the answer alone and not a whole reply. A value with an open part agrees with every value that
    fits it ("6:30" with "18:30", "10" with "$10"). If the text leaves out a part that the expected value has ("May" for
    "May 3"), the result is `UNKNOWN`.
    """
    if _plain(expected).split() == _plain(text).split() != []:
        return Agreement.SAME
    wanted, rest = read_values(expected)
    if not wanted:
        return _compare_names(expected, text)
    given, _ = read_values(text, like=wanted)
    verdicts = [[_agree(value, other) for other in given if other.sort == value.sort] for value in wanted]
    if any(not row for row in verdicts) and not any(True in row for row in verdicts):
        comparable = any(False in row for row in verdicts)
        return Agreement.DIFFERENT if comparable else Agreement.UNKNOWN
    if any(None in row and True not in row for row in verdicts):
        return Agreement.UNKNOWN
    if not all(True in row for row in verdicts):
        return Agreement.DIFFERENT
    sorts = {value.sort for value in wanted}
    others = [
        other
        for other in given
        if other.sort in sorts and not any(_agree(value, other) for value in wanted if value.sort == other.sort)
    ]
    said = set(_plain(text).split())
    return Agreement.UNKNOWN if others or not rest <= said else Agreement.SAME


def read_values(text: str, like: list[Value] | None = None) -> tuple[list[Value], set[str]]:
    """The values in a text, and the other words that carry meaning.

    like: a plain number is also read as these sorts of values: as an hour if one of them is a time, as an amount if one
    is a price, as a year if one is a date.
    """
    plain = with_digits(_plain(text))
    values: list[Value] = []
    for sort, pattern in _patterns().items():

        def take(match: re.Match[str], sort: str = sort) -> str:
            content = _READERS[sort](match) if sort in _READERS else _known_words()[sort][match[0]]
            if content is None or (match[0] in _AMBIGUOUS and not _is_meant(match[0], text)):
                return match[0]
            values.append(Value("date" if sort == "month" else sort, content))
            return " ~ "

        plain = pattern.sub(take, plain)
    sorts = {value.sort for value in like or ()}
    for value in [value for value in values if value.sort == "number" and value.content[1] is None]:
        amount = value.content[0]
        if "price" in sorts:
            values.append(Value("price", (None, amount)))
        if "time" in sorts and amount == int(amount) and 0 <= amount <= 24:
            values.append(Value("time", _clock(int(amount), 0, "")))
        if "date" in sorts and 1000 <= amount <= 2100:
            values.append(Value("date", (int(amount), None, None)))
    if "number" in sorts:
        values += [Value("number", (v.content[0], None)) for v in values if v.sort == "date" and v.content[0]]
        values += [Value("number", (v.content[1], None)) for v in values if v.sort == "price"]
    return values, set(re.findall(r"[^\W\d_]+", plain)) - _FUNCTION_WORDS


def _agree(value: Value, other_value: Value) -> bool | None:
    """Whether the other value is the expected one; `None` if it leaves out a part that decides."""
    a, b = value.content, other_value.content
    if value.sort == "time":
        return bool(a & b)
    if value.sort == "date":
        if any(x is not None and y is not None and x != y for x, y in zip(a, b, strict=True)):
            return False
        return None if any(x is not None and y is None for x, y in zip(a[1:], b[1:], strict=True)) else True
    if value.sort == "price":
        return math.isclose(a[1], b[1]) and (a[0] is None or b[0] is None or a[0] == b[0])
    if value.sort == "number":
        if a[1] is None or b[1] is None:
            return math.isclose(a[0], b[0])
        (base, factor), (other_base, other_factor) = _units()[a[1]], _units()[b[1]]
        return base == other_base and math.isclose(a[0] * factor, b[0] * other_factor, rel_tol=1e-3)
    return bool(a == b)


def _compare_names(expected: str, text: str) -> Agreement:
    """Compares names of people and pets, that is, capitalised words."""
    wanted = re.findall(r"[^\W\d_]+(?:['’-][^\W\d_]+)*", expected)
    if not wanted or len(wanted) > 4 or not all(word[0].isupper() for word in wanted):
        return Agreement.UNKNOWN
    said = re.findall(r"[^\W\d_]+(?:['’-][^\W\d_]+)*", re.sub(r"['’]s\b", "", text))
    present = [any(_same_name(word, other) for other in said) for word in wanted]
    whole = len(said) <= 3
    names = [word for word in said if word[0].isupper() and _plain(word).replace(" ", "") not in _FUNCTION_WORDS]
    others = [word for word in names if not any(_same_name(name, word) for name in wanted)]
    if all(present):
        return Agreement.UNKNOWN if others and not whole else Agreement.SAME
    if any(present) or not others or (not whole and others == said[:1]):
        return Agreement.UNKNOWN
    nearly = any(_one_slip(_plain(name), _plain(other)) for name in wanted for other in others)
    return Agreement.UNKNOWN if nearly else Agreement.DIFFERENT


def _same_name(name: str, other_name: str) -> bool:
    a, b = _plain(name), _plain(other_name)
    return a == b or any(a in row and b in row for row in _knowledge()["names"]["nicknames"])


def _one_slip(word: str, other_word: str) -> bool:
    """Whether a long word differs from another by one extra, missing or wrong letter, as by a typing mistake."""
    if min(len(word), len(other_word)) < 5 or abs(len(word) - len(other_word)) > 1 or word[0] != other_word[0]:
        return False
    short, long = sorted((word, other_word), key=len)
    at = next((i for i, (x, y) in enumerate(zip(short, long, strict=False)) if x != y), len(short))
    return short[at + (len(short) == len(long)) :] == long[at + 1 :]


def _plain(text: str) -> str:
    """The text in lower case, without accents, and only with the punctuation of numbers, times and prices."""
    folded = unicodedata.normalize("NFKD", text.lower().replace("’", "'"))
    folded = "".join(c for c in folded if not unicodedata.combining(c))
    folded = re.sub(r"\b([a-z])\.(?=[a-z]\b)", r"\1", folded)  # u.s.a., p.m.
    folded = re.sub(r"(?<=\d),(?=\d{3}\b)", "", folded)
    folded = re.sub(r"[.,:](?!\d)|(?<!\d)[.,:](?=\s|$)", " ", folded)
    return re.sub(r"\s+", " ", re.sub(r"[^\w\s.,:%°$€£¥₹/-]|(?<=[a-z])-(?=[a-z])", " ", folded)).strip()


def _clock(hour: int, minute: int, half: str) -> frozenset[int] | None:
    """The minutes of the day that a time can mean; `None` if it is not a time."""
    if hour > 24 or minute > 59:
        return None
    moment = hour % 24 * 60 + minute
    if hour > 12 or hour == 0:
        return frozenset({moment})
    half = {"a": "am", "p": "pm"}.get(half[:1], "")
    morning, evening = hour % 12 * 60 + minute, hour % 12 * 60 + minute + 720
    return frozenset({"am": {morning}, "pm": {evening}}.get(half, {morning, evening}))


def _read_time(match: re.Match[str]) -> frozenset[int] | None:
    part = match.groupdict()
    half = (part["half"] or "").replace("morning", "am").replace("afternoon", "pm").replace("evening", "pm")
    if part["named"]:
        return frozenset({0 if part["named"] == "midnight" else 720})
    if part["past"]:
        minutes = {"half": 30, "quarter": 15}.get(part["past"]) or int(part["past"])
        hour = int(part["hour1"])
        if part["way"] in ("to", "before"):
            hour, minutes = (hour - 1) % 12 or 12, 60 - minutes
        return _clock(hour, minutes, half)
    if part["hour2"]:
        return _clock(int(part["hour2"]), int(part["minute"]), "am" if part["hour2"][0] == "0" and not half else half)
    return _clock(int(part["hour3"]), 0, half)


def _read_date(match: re.Match[str]) -> tuple[int | None, int | None, int | None] | None:
    part = match.groupdict()
    if part["feast"]:
        month, day = _knowledge()["feasts"][part["feast"]].split("-")
        return None, int(month), int(day)
    if part["iso_year"]:
        return int(part["iso_year"]), int(part["iso_month"]), int(part["iso_day"])
    name = part["month1"] or part["month2"]
    number = next(i for i, month in enumerate(MONTHS, 1) if month.startswith(name[:3]))
    day_text, year = part["day1"] or part["day2"], part["year1"] or part["year2"]
    if int(day_text) > 31:
        return (int(day_text), number, None) if int(day_text) >= 1000 else None
    return int(year) if year else None, number, int(day_text)


def _read_price(match: re.Match[str]) -> tuple[str, float] | None:
    sign = match["sign"] or match["word"]
    amount = float((match["amount1"] or match["amount2"]).replace(",", "."))
    return _currencies()[sign], amount + float(match["cents"] or 0) / 100


def _read_number(match: re.Match[str]) -> tuple[float, str | None]:
    spelling = match["unit"]
    return float(match["number"].replace(",", ".")), spelling or None


_READERS = {"price": _read_price, "time": _read_time, "date": _read_date, "number": _read_number}


def _is_meant(word: str, text: str) -> bool:
    """Whether an ambiguous word is a month or a place: it is capitalised, or the whole text."""
    plain = text.replace(".", "")
    return bool(re.search(rf"\b({word.capitalize()}|{word.upper()})\b", plain)) or _plain(text) == word


@cache
def _knowledge() -> dict[str, Any]:
    return tomllib.loads(KNOWLEDGE.read_text(encoding="utf-8"))


@cache
def _currencies() -> dict[str, str]:
    return {s: name for name, spellings in _knowledge()["currencies"].items() for s in (name, *spellings)}


@cache
def _units() -> dict[str, tuple[str, float]]:
    return {s: (row[0], row[1]) for name, row in _knowledge()["units"].items() for s in (name, *row[2:])}


@cache
def _known_words() -> dict[str, dict[str, Any]]:
    """Sort -> spelling -> value."""
    known: dict[str, dict[str, Any]] = {
        sort: {spelling: row[0] for row in rows for spelling in row} for sort, rows in _knowledge()["sorts"].items()
    }
    months = [(spelling, number) for number, name in enumerate(MONTHS, 1) for spelling in (name, name[:3], name[:4])]
    known["month"] = {spelling: (None, number, None) for spelling, number in months}
    return known


@cache
def _patterns() -> dict[str, re.Pattern[str]]:
    """Sort -> pattern, in the order of the search. What a pattern matches, later patterns no longer see."""

    def either(words: Any) -> str:
        return "|".join(re.escape(word) for word in sorted(words, key=len, reverse=True))

    number = r"\d+(?:[.,]\d+)?"
    money = either(_currencies())
    month = "|".join(sorted({f"{name[:3]}(?:{name[3:]}|{name[3:4]})?" for name in MONTHS}))
    half = r"(?: ?(?:in the )?(?P<half>am|pm|morning|afternoon|evening))?"
    patterns = {
        "price": rf"(?P<sign>{money}) ?(?P<amount1>{number})(?!\w)"
        rf"|(?<![\w.])(?P<amount2>{number}) ?(?P<word>{money})(?!\w)(?: (?P<cents>\d\d)\b)?",
        "time": r"\b(?:(?:a )?(?P<past>half|quarter|\d\d?)(?: minutes)? (?P<way>past|to|after|before) (?P<hour1>\d\d?)"
        r"|(?P<hour2>\d\d?)(?:[:h]|[. ](?=\d\d (?:am|pm|in the)|\d\d(?:am|pm)|\d\d$))(?P<minute>\d\d)"
        r"|(?P<hour3>\d\d?)(?= ?(?:am|pm|o'?clock|o clock|in the (?:morning|afternoon|evening))\b)"
        rf"|(?P<named>noon|midday|midnight))(?: o'? ?clock)?{half}\b",
        "date": rf"\b(?:(?P<iso_year>\d{{4}})-(?P<iso_month>\d\d)-(?P<iso_day>\d\d)"
        rf"|(?P<day1>\d\d?) (?:of )?(?P<month1>{month})(?: (?:of )?(?P<year1>\d{{4}}))?"
        rf"|(?P<month2>{month}) (?:the )?(?P<day2>\d{{4}}|\d\d?)(?:,? (?P<year2>\d{{4}}))?"
        rf"|(?P<feast>{either(_knowledge()['feasts'])}))\b",
    }
    for sort, spellings in _known_words().items():
        patterns[sort] = rf"\b(?:{either(spellings)})\b"
    patterns["number"] = rf"(?<![\w.])(?P<number>{number})(?: ?(?P<unit>{either(_units())})(?!\w))?(?!\d)"
    return {sort: re.compile(pattern) for sort, pattern in patterns.items()}
