"""Perturbations that replace what stands in a shipped table."""

from collections.abc import Iterator, Mapping
from random import Random
from typing import NamedTuple, TypeVar

from chattest.perturbation import AllSites, Sites
from chattest.words import Change, like, maybe_name, placed, table, words

V = TypeVar("V")


class Entry(NamedTuple):
    """A stretch of a text that stands in a table: `text[start:end]`, as it is written, and its table row."""

    start: int
    end: int
    text: str
    row: tuple[str, ...]


def entries(text: str, rows: Mapping[str, tuple[str, ...]], longest: int = 4) -> Iterator[Entry]:
    """Every word, or run of up to `longest` words parted by blanks alone, that is a key of `rows` in lower case.

    The longest at each place is taken; none overlap.
    """
    found = words(text)
    skip = 0
    for at, first in enumerate(found):
        if at < skip:
            continue
        run = first.text.lower()
        hit = (at, rows[run]) if run in rows else None
        for last in range(at + 1, min(at + longest, len(found))):
            if text[found[last - 1].end : found[last].start].strip():
                break
            run = f"{run} {found[last].text.lower()}"
            if run in rows:
                hit = (last, rows[run])
        if hit:
            skip = hit[0] + 1
            end = found[hit[0]].end
            yield Entry(first.start, end, text[first.start : end], hit[1])


class Lookup(Sites):
    """Replaces some of the words and phrases that are keys of a shipped table by one of their values.

    An "a" or "an" in front is made to suit. Capitalised words inside a sentence are left alone, and a row that
    begins with its own key.
    """

    shipped: str
    """Name of the table: `data/<shipped>.txt`."""

    def sites(self, text: str, kind: str, rng: Random) -> list[Change]:
        found = []
        for start, end, old, row in entries(text, table(self.shipped)):
            if row[0] != old.lower() and not maybe_name(text, start, old):
                found.append(placed(text, start, end, like(rng.choice(row), old)))
        return found


class FullLookup(Lookup, AllSites):
    """The same, replacing every one of them."""
