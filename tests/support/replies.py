"""Makes replies of words, numbers, units and marks from a seed, to ask rules and scorers what they make of them.

A reply is a few parts in a row, mostly with blanks between. The words are those that the rules know, since any other
word goes past them: number words, units, names of days, what joins two numbers, what denies, what asks.
"""

import tomllib
from collections.abc import Iterator
from functools import cache
from random import Random

from chattest.rules.values.common import knowledge
from chattest.rules.values.numerals import NUMBER_WORDS
from chattest.rules.values.units import units
from tests.support.stand_ins import ROOT

LONG_NUMBERS = (16, 25, 309, 310, 400, 1_000, 4_301, 5_000)
"""Digits of numbers that fit no float (309 and more), and no `int` of a text (more than 4,300)."""
JOINING = """
and or plus minus times twice double doubled half quarter third less fewer more than short shy off of up down from
between before after following over under below above about almost at most least a an the dozen score couple point
to past till by in on no not never n't cannot is are was it i you my your yes no maybe nope yeah but except only
who what why how when where which do does did can could would if because unless however actually sorry wait mean
rather noon midnight morning evening tonight am pm o'clock degrees freezing percent share tenner fiver bob quid
cents pence working business days day month number evening years old ago today tomorrow next last every each
fortnight decade all but count it together then another pair halfway three thirds first second third took
"""
NAMES = """
Mittens Anna Felix Paris London Germany Turkey US LA China May March Wed Sat Sun Friday June Easter red blue dog
"""
MARKS = (
    *".,;:!?-–—…'\"’‘“”()[]{}/\\|+*=<>%°$€£&#@^~`_−×½¼⅓²³①中é🙂٣",
    "...",
    "?!",
    "\n",
    "\t",
    "\u200b",
    "\u00a0",
    "\u0130",
    "ß",
    "\ue000",
)
JOINTS = (" ",) * 12 + ("", "", ", ", ". ", "-", "\n")
MOST_PARTS = 12
LIKE_ASCII = str.maketrans({"i": "\u0130", "s": "\u017f", "k": "\u212a", "1": "\u0661", "'": "\u2019"})
"""Letters that a pattern takes for i, s and k where it ignores case, a digit, and the other apostrophe."""


def replies(seed: int, number: int) -> Iterator[str]:
    """Yield so many replies; the same seed makes the same ones."""
    rng = Random(seed)
    for _ in range(number):
        yield reply(rng)


def reply(rng: Random) -> str:
    """Make a reply."""
    parts = [_part(rng) for _ in range(rng.randint(1, MOST_PARTS))]
    text = "".join(part + rng.choice(JOINTS) for part in parts)
    case = rng.random()
    if case < 0.05:
        return text.upper()
    if case < 0.08:
        return text.translate(LIKE_ASCII)
    return text.capitalize() if case < 0.3 else text


def _part(rng: Random) -> str:
    draw = rng.random()
    if draw < 0.28:
        return _number(rng)
    if draw < 0.45:
        return str(rng.choice(_units()))
    if draw < 0.75:
        return str(rng.choice(_known(JOINING)))
    if draw < 0.83:
        return str(rng.choice(_words()))
    if draw < 0.9:
        return str(rng.choice(_known(NAMES)))
    return str(rng.choice(MARKS))


def _number(rng: Random) -> str:
    """Make a number in one of its forms: plain, a decimal, a time, a date, a fraction, a word or a very long one."""
    small = str(rng.choice((0, 0, 1, 2, 3, rng.randint(0, 99), rng.randint(0, 9_999))))
    other = str(rng.choice((0, 1, 2, rng.randint(0, 99), rng.randint(0, 9_999))))
    form = rng.random()
    if form < 0.4:
        return small
    if form < 0.55:
        return str(rng.choice(sorted(NUMBER_WORDS)))
    if form < 0.97:
        ways: tuple[str, ...] = (
            "{0}.{1}",
            "{0},{1}",
            "{0}:{1}",
            "{0}/{1}",
            "{0}-{1}",
            "{0}.{1}.{0}",
            "{0}{2}",
            "-{0}",
            "+{0}",
            "{0}k",
        )
        ways += ("{0}th", "{0}x{1}", "{0}'{1}\"", "'{0}", "{0}s", "{0},000", "0{0}", "${0}", "{0}%", "{0}e{1}", "19{1}")
        return rng.choice(ways).format(small, other, rng.choice(_units()))
    digits = rng.choice(LONG_NUMBERS)
    return rng.choice("123456789") + rng.choice(("0", "7")) * (digits - 1) + rng.choice(("", "", ".5", ",000"))


@cache
def _known(words: str) -> tuple[str, ...]:
    return tuple(words.split())


@cache
def _units() -> tuple[str, ...]:
    return tuple(units())


@cache
def _words() -> tuple[str, ...]:
    """Return words of the lists that the rules go by."""
    known = {word for rows in knowledge()["sorts"].values() for row in rows for word in row}
    for name in ("dialogue_act", "questions", "contradiction"):
        data = tomllib.loads((ROOT / "chattest" / "rules" / f"{name}.toml").read_text(encoding="utf-8"))
        known |= {word for value in data.values() if isinstance(value, str) for word in value.replace(",", " ").split()}
    return tuple(sorted(known))
