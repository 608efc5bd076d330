"""Reads times of the day: "half past six", "half six", "quarter to nine", "6 pm", "18:00", "six in the evening", noon.

A time without the half of the day, such as "six o'clock", can mean two moments.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

_HOUR = r"\d\d?|noon|midday|midnight"
_PARTS = (
    r"am|pm|a m|p m|tonight|at night|"
    r"(?:(?:in|of) the|this|every|each) (?:early |late )?(?:morning|afternoon|evening|night)"
)
_APART = rf"[:h]|[. ](?=\d\d (?:{_PARTS})|\d\d(?:am|pm)|\d\d sharp|\d\d$)|(?<=at \d) |(?<=at \d\d) "
"""What stands between hours and minutes."""
PATTERN = (
    rf"\b(?:(?:a )?(?P<past>half|quarter|\d\d?)(?: minutes?)? (?P<way>past|to|till|til|after|before) (?P<hour1>{_HOUR})"
    rf"|(?:a )?quarter of (?P<quarter_of>\d\d?)(?= ?(?:am|pm|in the|morning|evening|$))"
    r"|(?<!\band )(?<!\ba )half (?P<half_hour>1[0-2]|[1-9])(?! ?[%°$€£]|[.,:/]?\d)"
    rf"|(?P<hour2>\d\d?)(?P<apart>{_APART})(?P<minute>[0-5]\d)"
    r"|(?P<military>0[1-9][0-5]\d)"
    rf"|(?P<hour3>\d\d?)(?= ?(?:o'?clock|o clock|{_PARTS})\b)"
    rf"|(?P<named>noon|midday|midnight))(?: o'? ?clock)?(?: (?:sharp|on the dot))?(?: ?(?P<half>{_PARTS}))?\b"
)
"""A time in a text as `values` prepares it: lower case, numbers as digits, no other punctuation."""
_DAY = 24 * 60
_NAMED = {"noon": 12, "midday": 12, "midnight": 0}


@dataclass(frozen=True, slots=True)
class Clock:
    """A time of the day, as far as it is told."""

    minutes: frozenset[int]
    """The minutes of the day that it can mean; `at(6)` can mean 6:00 and 18:00."""
    half_told: bool = False
    """Whether it names the half of the day in words or by am and pm."""
    shown: int | None = None
    """The minute of the day that a 24-hour clock means by it, if it is written as a clock shows it: 360 for 6:00."""

    def agrees(self, other: Clock) -> bool:
        """Return True if another time can be this one.

        "6:00" is the 24-hour clock's six in the morning to somebody who says "six in the evening"; for "18:00" and for
        "six" it can be either.
        """
        if self.shown is not None and other.half_told:
            return self.shown in other.minutes
        return bool(self.minutes & other.minutes)


def at(hour: int, minute: int = 0, half: str = "", *, digital: bool = False) -> Clock | None:
    """Return the time at an hour, 0 to 24, and minute; `None` if there is no such time.

    Args:
        hour: The hour, 0 to 24.
        minute: The minute.
        half: "am", "pm", "night" or empty.
        digital: Whether it is written as a clock shows it.
    """
    if hour > 24 or minute > 59:
        return None
    if hour > 12 or hour == 0:
        return Clock(frozenset({hour % 24 * 60 + minute}), bool(half))
    morning = hour % 12 * 60 + minute
    if half == "night":
        half = "pm" if 6 <= hour < 12 else "am"
    moments = {"am": {morning}, "pm": {morning + _DAY // 2}}.get(half, {morning, morning + _DAY // 2})
    return Clock(frozenset(moments), bool(half), hour * 60 + minute if digital and not half else None)


def read(match: re.Match[str]) -> Clock | None:
    """Return the time that `PATTERN` matched; `None` if there is no such time, as "12:99"."""
    part = match.groupdict()
    half = _half(part["half"] or "")
    if part["named"]:
        return Clock(frozenset({_NAMED[part["named"]] * 60}), True)
    if part["half_hour"]:
        return at(int(part["half_hour"]), 30, half)
    if part["quarter_of"]:
        return _shift(part["quarter_of"], -15, half)
    if part["past"]:
        minutes = {"half": 30, "quarter": 15}.get(part["past"]) or int(part["past"])
        return _shift(part["hour1"], -minutes if part["way"] in ("to", "till", "til", "before") else minutes, half)
    if part["military"]:
        return at(int(part["military"][:2]), int(part["military"][2:]), "am")
    if part["hour2"]:
        early = part["hour2"][0] == "0" and not half
        return at(
            int(part["hour2"]),
            int(part["minute"]),
            "am" if early else half,
            digital=match[0][len(part["hour2"])] == ":",
        )
    return at(int(part["hour3"]), 0, half)


def _half(words: str) -> str:
    if words[:1] in ("a", "p") and words != "at night":
        return "am" if words[0] == "a" else "pm"
    return "night" if "night" in words else "am" if "morning" in words else "pm" if words else ""


def _shift(hour: str, minutes: int, half: str) -> Clock | None:
    """Return the time some minutes after an hour, or before it if they are negative."""
    whole = Clock(frozenset({_NAMED[hour] * 60}), True) if hour in _NAMED else at(int(hour), 0, half)
    if whole is None or abs(minutes) > 59:
        return None
    return Clock(frozenset((moment + minutes) % _DAY for moment in whole.minutes), whole.half_told)
