"""Templates: texts with gaps, such as `{name} is {age} years old`, and lists of words to fill them."""

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


def find_gaps(texts: Sequence[str]) -> list[str]:
    """Return the names of the gaps in the texts, in order.

    Raises:
        ValueError: A gap is not a name.
    """
    names: list[str] = []
    for text in texts:
        for _, gap, form, _ in Formatter().parse(text):
            if gap is None:
                continue
            match = _GAP.fullmatch(gap)
            if match is None or form:
                raise ValueError(f'"{{{gap}}}" is not a gap; write {{name}} or {{name[0]}}')
            names.append(match[1])
    return list(dict.fromkeys(names))


def choose_fillings(
    names: Sequence[str], words: Mapping[str, Sequence[Filler]], most: int, rng: Random
) -> list[dict[str, Filler]]:
    """Return different ways to fill the gaps: all in order if there are at most `most`, else a random sample.

    Args:
        names: The gaps.
        words: The words of each gap.
        most: How many ways to return at most.
        rng: Draws the sample.

    Raises:
        ValueError: A name has no list of words.
    """
    missing = [name for name in names if name not in words]
    if missing:
        raise ValueError(f"there is no list of words for {{{missing[0]}}}")
    lists = [words[name] for name in names]
    total = prod(map(len, lists))
    if total <= most:
        return [dict(zip(names, filler, strict=True)) for filler in product(*lists)]
    if total > maxsize:
        raise ValueError(f"{{{'}, {'.join(names)}}} can be filled in too many ways to count")
    return [dict(zip(names, _find_filler(lists, index), strict=True)) for index in rng.sample(range(total), most)]


def _find_filler(lists: Sequence[Sequence[Filler]], rest: int) -> list[Filler]:
    """Return the filler at an index of the lists' product, which may be too large to build."""
    filler: list[Filler] = []
    for words in reversed(lists):
        rest, number = divmod(rest, len(words))
        filler.append(words[number])
    return filler[::-1]


def fill_gaps(text: str, filling: Mapping[str, Filler]) -> str:
    """Return a text with its gaps filled; a text that begins with a gap gets a capital letter."""
    sentence = text.format(**filling)
    return sentence[0].upper() + sentence[1:] if text.startswith("{") else sentence
