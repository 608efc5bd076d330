"""Texts with gaps: `{name} is {age} years old` and lists of words to fill them."""

import re
from collections.abc import Mapping, Sequence
from itertools import product
from math import prod
from random import Random
from string import Formatter
from sys import maxsize

Filler = str | Sequence[str]
"""A word, or several that belong together: `{sum[0]} and {sum[1]} are {sum[2]}`."""

_GAP = re.compile(r"(\w+)(?:\[\d+\])?")


def gaps(texts: Sequence[str]) -> list[str]:
    """Names of the lists that the texts ask for, in order. Raises `ValueError` for a gap that is not a name."""
    names: list[str] = []
    for text in texts:
        for _, gap, form, _ in Formatter().parse(text):
            if gap is None:
                continue
            found = _GAP.fullmatch(gap)
            if found is None or form:
                raise ValueError(f'"{{{gap}}}" is no gap; write {{name}} or {{name[0]}}')
            names.append(found[1])
    return list(dict.fromkeys(names))


def fillings(
    names: Sequence[str], words: Mapping[str, Sequence[Filler]], most: int, rng: Random
) -> list[dict[str, Filler]]:
    """Different ways to fill the gaps called `names`, at most `most`: all in order where there are no more, else drawn.

    Raises `ValueError` for a name that has no list.
    """
    missing = [name for name in names if name not in words]
    if missing:
        raise ValueError(f"there is no list of words for {{{missing[0]}}}")
    lists = [words[name] for name in names]
    total = prod(map(len, lists))
    if total <= most:
        return [dict(zip(names, filler, strict=True)) for filler in product(*lists)]
    if total > maxsize:
        raise ValueError(f"{{{'}, {'.join(names)}}} can be filled in more ways than can be counted")
    return [dict(zip(names, _filler(lists, place), strict=True)) for place in rng.sample(range(total), most)]


def _filler(lists: Sequence[Sequence[Filler]], rest: int) -> list[Filler]:
    """The filler at a place in the product of the lists, which may be too long to be made whole."""
    filler: list[Filler] = []
    for words in reversed(lists):
        rest, number = divmod(rest, len(words))
        filler.append(words[number])
    return filler[::-1]


def filled(text: str, filling: Mapping[str, Filler]) -> str:
    """The text with its gaps filled; a sentence that begins with a gap begins with a capital."""
    made = text.format(**filling)
    return made[0].upper() + made[1:] if text.startswith("{") else made
