"""Finds days, months, seasons and numbers that are told by their neighbours: "the day before Friday" is Thursday."""

from __future__ import annotations

import re
from functools import cache

from chattest.rules.values.knowledge import knowledge

NUMBER = r"(?<![\w.,:/-])\d{1,9}(?:\.\d{1,4})?(?![\w:/%]|[.,]\d)"
"""A number that is no part of a time, a date or a larger number."""
_CUES = ("between", "before", "after", "following", "preceding")
_ONE = "1|one|day|days|month|season|number|evening"
_WEEK = 7
_MOST_BETWEEN = 2
"""So many days at most are told by those around them."""


def as_text(number: float) -> str:
    """A number in digits, without decimals that say nothing."""
    return f"{number:.10g}" if abs(number) < 1e10 else f"{number:.0f}"


def beside(text: str) -> str:
    """The text with "the day before friday" as "thursday", and "the 1 between 3 and 5" as "4".

    text: lower case, numbers as digits.
    """
    if not any(cue in text for cue in _CUES):
        return text
    next_to, between = _patterns()
    return between.sub(_amid, next_to.sub(_next_to, text))


@cache
def _patterns() -> tuple[re.Pattern[str], re.Pattern[str]]:
    name = rf"(?:easter |a |the )?({'|'.join(_rounds())})\b"
    next_to = (
        rf"\b(?:the (?:very )?|(\d) )({_ONE}) (?:(?:right|just|immediately|directly) )?"
        rf"(before|after|following|preceding) (?:{name}(?! and\b)|({NUMBER}))"
    )
    between = (
        rf"\b(?:the (?:[23] )?(?:{_ONE}) |(half ?way ))(?:in )?between "
        rf"(?:{name} and {name}|(?:a )?({NUMBER}) and (?:a )?({NUMBER}))( in the\b| am\b| pm\b| o clock\b)?"
    )
    return re.compile(next_to), re.compile(between)


def _next_to(match: re.Match[str]) -> str:
    count, one, way, name, number = match.groups()
    step = int(count or 1) * (-1 if way in ("before", "preceding") else 1)
    if number:
        return match[0] if count or one in ("day", "days") else as_text(float(number) + step)
    round_of = _rounds()[name]
    # "two days after April" tells no month.
    if one.startswith("day") != (len(round_of) == _WEEK) and one not in ("1", "one", "evening"):
        return match[0]
    return round_of[step % len(round_of)]


def _amid(match: re.Match[str]) -> str:
    half, first, last, low, high, moment = match.groups()
    if first:
        round_of, end = _rounds()[first], _rounds()[last][0]
        between = round_of[1 : round_of.index(end)] if end in round_of else ()
        return " and ".join(between) if 1 <= len(between) <= _MOST_BETWEEN else match[0]
    a, b = sorted((float(low), float(high)))
    if moment:
        return f"half past {low}{moment}" if half and b - a == 1 else match[0]
    return as_text((a + b) / 2) if half or b - a == _MOST_BETWEEN else match[0]


@cache
def _rounds() -> dict[str, tuple[str, ...]]:
    """Spelling of a day, month or season -> the whole round of them, beginning with it."""
    sorts = knowledge()["sorts"]
    months = [[name] for name in knowledge()["words"]["months"]]
    rounds: dict[str, tuple[str, ...]] = {}
    for names in ([row[:1] for row in sorts["weekday"]], sorts["season"], months):
        for at, row in enumerate(names):
            rounds |= dict.fromkeys(row, tuple(other[0] for other in (*names[at:], *names[:at])))
    return rounds
