"""Works out amounts that are told by others: "a dozen plus two" is 14, "one less than ten" 9, "half of eight" 4.

Whoever says "twenty minutes short of an hour" has said forty minutes, though no number in it is forty. Where the parts
make no sum ("12, up from 10") the text stays as it is.
"""

from __future__ import annotations

import re
from functools import cache

from chattest.rules.values.common import knowledge
from chattest.rules.values.units import units
from chattest.text.split import either

NUMBER = r"(?<![\w.,:/-])\d{1,9}(?:\.\d{1,4})?(?![\w:/%]|[.,]\d)"
"""A number that is no part of a time, a date or a larger number."""
_NEIGHBOUR_CUES = ("between", "before", "after", "following", "preceding")
_ONE = "1|one|day|days|month|season|number|evening"
_WEEK = 7
_MOST_BETWEEN = 2
"""So many days at most are told by those around them."""


def as_text(number: float) -> str:
    """Write a number in digits, without decimals that say nothing."""
    return f"{number:.10g}" if abs(number) < 1e10 else f"{number:.0f}"


def beside(text: str) -> str:
    """Work out values given by their neighbours: "the day before friday", "the 1 between 3 and 5".

    The text must be in lower case, with numbers as digits.
    """
    if not any(cue in text for cue in _NEIGHBOUR_CUES):
        return text
    next_to, between = _neighbour_patterns()
    return between.sub(_amid, next_to.sub(_next_to, text))


@cache
def _neighbour_patterns() -> tuple[re.Pattern[str], re.Pattern[str]]:
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
    """Return spelling of a day, month or season -> the whole round of them, beginning with it."""
    sorts = knowledge()["sorts"]
    months = [[name] for name in knowledge()["words"]["months"]]
    rounds: dict[str, tuple[str, ...]] = {}
    for names in ([row[:1] for row in sorts["weekday"]], sorts["season"], months):
        for index, row in enumerate(names):
            rounds |= dict.fromkeys(row, tuple(other[0] for other in (*names[index:], *names[:index])))
    return rounds


_CUES = frozenset(knowledge()["sums"]["cues"].split())
_ASIDE = r"(?:(?:an?|the|full|whole|round|size|number|old|usual|no) |today s )"
"""A word before the second number of a sum."""
_MOST_OF_LITTLE = 3
_PRODUCT = re.compile(rf"({NUMBER}) times ({NUMBER})")
_DOUBLE = re.compile(rf"\b(?:twice|double) ({NUMBER})|({NUMBER}) doubled\b")
_SHARE = re.compile(rf"(?:\bhalf|(?<![\w.])(0\.\d{{1,15}})) of ({NUMBER})")
_PART = re.compile(r"(?<![\w.])(0\.\d{1,15}) of an? (?=[a-z])")
_BELOW_ZERO = re.compile(rf"({NUMBER})( degrees)? (?:below 0|(?:below|under) freezing(?: point)?)\b")
_PAIR = re.compile(
    rf"({NUMBER}) (?:(plus|minus|less|take away) ({NUMBER})"
    rf"|and (?:then )?({NUMBER}) (?:more|on top|extra|added)\b(?! than))"
    r"(?![\d.]| (?:makes?|is|are|equals?|gives?|leaves?)\b)"
)
"""What a sum makes, where it is said, counts and not what it ought to make."""


def work_out_sums(text: str) -> str:
    """Replace sums by their results.

    The text must be in lower case, with numbers as digits, as `parse` prepares it.
    """
    if _CUES.intersection(text.split()):
        text = beside(text)
        text = _PRODUCT.sub(lambda match: as_text(float(match[1]) * float(match[2])), text)
        text = _DOUBLE.sub(lambda match: as_text(2 * float(match[1] or match[2])), text)
        text = _SHARE.sub(lambda match: as_text(float(match[1] or 0.5) * float(match[2])), text)
        text = _PART.sub(r"\1 ", text)
        text = _BELOW_ZERO.sub(r"-\1\2", text)
        text = _PAIR.sub(_add, text)
        text = _difference().sub(_differing, text)
    return _compound().sub(_join_units, text) if any(letter.isdigit() for letter in text) else text


def is_unfinished(text: str) -> bool:
    """Return True if a text in lower case has a sum that is not followed here: "3 km each way, so double that"."""
    return bool(_unfinished().search(text))


@cache
def _unfinished() -> re.Pattern[str]:
    return re.compile(knowledge()["sums"]["unfinished"])


def _add(match: re.Match[str]) -> str:
    a, b = float(match[1]), float(match[3] or match[4])
    if match[2] in (None, "plus"):
        return as_text(a + b)
    return as_text(a - b) if a > b else match[0]


@cache
def _unit() -> str:
    return either(units())


@cache
def _difference() -> re.Pattern[str]:
    words = knowledge()["sums"]
    return re.compile(
        rf"(?:(?P<a>{NUMBER})|\b(?P<one>an?)(?= (?!(?:{words['some']})\b)[a-z]))"
        rf"(?: ?(?P<u>{_unit()})(?!\w))?(?: (?P<noun>[a-z]{{1,12}}))? (?P<way>{words['ways']}) {_ASIDE}{{0,3}}"
        rf"(?:(?P<b>{NUMBER})(?: ?(?P<v>{_unit()})(?!\w))?|(?P<w>{_unit()})(?!\w))"
    )


def _differing(match: re.Match[str]) -> str:
    """Return the sum or difference of two numbers; the text as it is if they make none."""
    part = match.groupdict()
    a, way, noun = float(part["a"] or 1), part["way"], part["noun"]
    ways = knowledge()["sums"]
    # "5 children under 12" and "8 over 10" are no sums.
    if way in ways["little"] and (a > _MOST_OF_LITTLE or (noun and not part["one"])):
        return match[0]
    if (way in ways["of_ages"] and noun) or (part["w"] and not part["u"]):
        return match[0]
    b, unit = float(part["b"] or 1), part["v"] or part["w"] or part["u"]
    if part["u"] and part["u"] != unit:
        (base, factor), (other_base, other_factor) = units()[part["u"]], units()[unit]
        if base != other_base:
            return match[0]
        b, unit = b * other_factor / factor, part["u"]
    if not 0 < a < b:
        return match[0]
    return f"{as_text(a + b if way in ways['more'] else b - a)} {unit or ''}".rstrip()


@cache
def _compound() -> re.Pattern[str]:
    joined = r"(?<![\w.,:/-])\d{1,6}(?:\.\d{1,4})?(?=h|m|ft|km|kg|lb|st)"
    return re.compile(
        rf"(?:(?P<a>{NUMBER}|{joined}) ?|\b(?P<one>an?|the) )(?P<u>{_unit()}) ?(?:(?:and|plus) )?"
        rf"(?P<b>{NUMBER}|\d\d?(?=m\b|min))(?: ?(?P<v>{_unit()})(?!\w))?"
    )


def _join_units(match: re.Match[str]) -> str:
    """Return an amount in two units as one in the smaller: "1 week and 3 days" as "10 days"."""
    part = match.groupdict()
    a, b, unit = float(part["a"] or 1), float(part["b"]), part["v"]
    if unit is None:
        unit, most = knowledge()["smaller"].get(part["u"], ("", 0))
        if not unit or part["one"] == "the" or b > most:
            return match[0]
    (base, factor), (other_base, other_factor) = units()[part["u"]], units()[unit]
    if base != other_base or factor <= other_factor or b * other_factor >= a * factor:
        return match[0]
    return f"{as_text(a * factor / other_factor + b)} {unit}"
