"""Perturbations that replace the words and phrases of a shipped table."""

from collections.abc import Iterator, Mapping, Sequence
from functools import cache
from random import Random
from typing import NamedTuple

from chattest.perturbations.base import AllSites, Sites
from chattest.text.edits import Change, like, placed
from chattest.text.lexicon import table
from chattest.text.words import maybe_name, words


class Phrases:
    """Words and phrases to look for, each with its row of replacements."""

    def __init__(self, rows: Mapping[str, tuple[str, ...]]) -> None:
        """rows: what to look for, in lower case with single blanks -> what it stands for."""
        self.rows = rows
        self.longest: dict[str, int] = {}
        """First word -> how many words its longest run has."""
        for key in rows:
            run = key.split()
            self.longest[run[0]] = max(len(run), self.longest.get(run[0], 0))


@cache
def shipped_phrases(name: str) -> Phrases:
    """The keys of the shipped table `data/<name>.txt`."""
    return Phrases(table(name))


class Entry(NamedTuple):
    """A match in a text: `text[start:end]` as written, and its row."""

    start: int
    end: int
    text: str
    row: tuple[str, ...]


def entries(text: str, phrases: Phrases) -> Iterator[Entry]:
    """Every word or run of words of the text that is among the phrases, whatever its case.

    The longest at each place is taken; none overlap.
    """
    text_words = words(text)
    done = 0
    for at, first in enumerate(text_words):
        lowered = first[2].lower()
        longest = phrases.longest.get(lowered, 0)
        if not longest or at < done:
            continue
        if longest == 1:
            yield Entry(*first, phrases.rows[lowered])
            continue
        for last in range(min(at + longest, len(text_words)), at, -1):
            old = text[first.start : text_words[last - 1].end]
            row = phrases.rows.get(" ".join(old.lower().split()))
            if row:
                yield Entry(first.start, text_words[last - 1].end, old, row)
                done = last
                break


def swapped_names(text: str, known: Phrases, names: Sequence[str], rng: Random) -> list[Change]:
    """Every capitalised name of the text that is known, replaced by another one of `names`.

    A name that comes twice gets the same other name both times; a name that the text has already is drawn only when no
    other is left.
    """
    chosen: dict[str, str] = {}
    changes = []
    for start, end, old, row in entries(text, known):
        if not old[0].isupper():
            continue
        if row[0] not in chosen:
            others = [name for name in names if name != row[0]]
            fresh = [name for name in others if name not in chosen.values() and name not in text]
            chosen[row[0]] = rng.choice(fresh or others)
        changes.append(Change(start, end, chosen[row[0]]))
    return changes


class Lookup(Sites):
    """Replaces some of the words and phrases that are keys of a shipped table by one of their values.

    An "a" or "an" in front is made to suit. Capitalised words inside a sentence are left alone, and a row that
    begins with its own key.
    """

    shipped: str
    """Name of the table: `data/<shipped>.txt`."""

    def sites(self, text: str, kind: str, rng: Random) -> list[Change]:
        changes = []
        for start, end, old, row in entries(text, shipped_phrases(self.shipped)):
            if row[0] != old.lower() and not maybe_name(text, start, old):
                changes.append(placed(text, start, end, like(row[0] if len(row) == 1 else rng.choice(row), old)))
        return changes


class FullLookup(Lookup, AllSites):
    """A `Lookup` that replaces every match."""
