"""Texts with gaps: `{name} is {age} years old` and lists of words to fill them."""

import re
from collections.abc import Mapping, Sequence
from itertools import product
from random import Random
from string import Formatter

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
    every = [dict(zip(names, filler, strict=True)) for filler in product(*(words[name] for name in names))]
    return every if len(every) <= most else rng.sample(every, most)


def filled(text: str, filling: Mapping[str, Filler]) -> str:
    """The text with its gaps filled; a sentence that begins with a gap begins with a capital."""
    made = text.format(**filling)
    return made[0].upper() + made[1:] if text.startswith("{") else made
