"""Tells whether of two adjectives or adverbs one denies the other by its form: "reliable" and "unreliable"."""

from chattest.english.part_of_speech import ADJECTIVE, ADVERB, classes

_PREFIXES = ("un", "in", "im", "ir", "il", "dis", "non", "non-")
_ALIKE = frozenset(("flammable", "habitable", "valuable"))
"""Adjectives that mean nearly the same with "in-"."""
_NO_PREFIX = frozenset(("side", "doors", "just", "even"))
_SHORTEST = 4


def negated_form(one: str, other: str) -> bool:
    """Whether one of two lower-case words is the other with "un-", "in-" or the like, or with "-less" for "-ful"."""
    short, long = sorted((one, other), key=len)
    if "less" in short + long:
        return short.replace("less", "ful") == long or long.replace("less", "ful") == short
    if len(short) < _SHORTEST or short in _ALIKE | _NO_PREFIX:
        return False
    said_of = classes(long) & {ADJECTIVE, ADVERB} if not long.startswith("non") else {ADJECTIVE}
    return bool(said_of) and bool(classes(short)) and long in {prefix + short for prefix in _PREFIXES}
