"""Base classes of perturbations that replace the words and phrases of a shipped table."""

from collections.abc import Iterator, Mapping, Sequence
from functools import cache
from random import Random
from typing import NamedTuple

from chattest.perturbations.base import AllSites, Sites
from chattest.text.edits import Change, match_case, with_article
from chattest.text.lexicon import table
from chattest.text.words import maybe_name, words


class Phrases:
    """Words and phrases to search for, each with its row of replacements."""

    def __init__(self, rows: Mapping[str, tuple[str, ...]]) -> None:
        """rows: phrase, in lower case with single spaces -> its replacements."""
        self.rows = rows
        self.longest: dict[str, int] = {}
        """First word -> the number of words in the longest phrase that begins with it."""
        for key in rows:
            phrase = key.split()
            self.longest[phrase[0]] = max(len(phrase), self.longest.get(phrase[0], 0))


@cache
def shipped_phrases(name: str) -> Phrases:
    """The phrases of the shipped table `data/<name>.txt`."""
    return Phrases(table(name))


class Entry(NamedTuple):
    """A match in a text: `text[start:end]` as written, and its row of replacements."""

    start: int
    end: int
    text: str
    row: tuple[str, ...]


def entries(text: str, phrases: Phrases) -> Iterator[Entry]:
    """Every phrase in the text, without regard to case.

    The longest phrase at each position is taken. Matches do not overlap.
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
    """Replaces every capitalised name in `known` by a random one of `names`.

    A name that occurs twice gets the same replacement both times. A name that the text already contains is only drawn
    when no other is left.
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

    An "a" or "an" in front is adapted. Capitalised words inside a sentence stay, as do rows that begin with their own
    key.
    """

    shipped: str
    """Name of the table: `data/<shipped>.txt`."""

    def sites(self, text: str, kind: str, rng: Random) -> list[Change]:
        changes = []
        for start, end, old, row in entries(text, shipped_phrases(self.shipped)):
            if row[0] != old.lower() and not maybe_name(text, start, old):
                changes.append(
                    with_article(text, start, end, match_case(row[0] if len(row) == 1 else rng.choice(row), old))
                )
        return changes


class FullLookup(Lookup, AllSites):
    """A `Lookup` that replaces every match."""
