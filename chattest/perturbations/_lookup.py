"""Base classes of perturbations that replace the words and phrases of a shipped table."""

from random import Random

from chattest.english.phrases import Entry as Entry
from chattest.english.phrases import Phrases as Phrases
from chattest.english.phrases import entries as entries
from chattest.english.phrases import read_phrases as read_phrases
from chattest.perturbations._drawing import choice
from chattest.perturbations._graded import Sites
from chattest.text.edits import Change, match_case, with_article
from chattest.text.words import maybe_name


class Lookup(Sites):
    """Replaces some of the words and phrases that are keys of a shipped table by one of their values.

    An "a" or "an" in front is adapted. Capitalised words inside a sentence stay, as do rows that begin with their own
    key. `chattest/english/phrases.py` says what a key may ask of its place in the sentence.
    """

    shipped: str
    """Name of the table: `data/<shipped>.txt`."""
    adapts_article: bool = True
    """Whether an "a" or "an" in front is adapted; a mistaken word leaves the article that the right one had."""

    def find_sites(self, text: str, kind: str, rng: Random) -> list[Change]:
        changes = []
        for start, end, old, row in entries(text, read_phrases(self.shipped)):
            if row[0] != old.lower() and not maybe_name(text, start, old):
                new = match_case(row[0] if len(row) == 1 else choice(rng, row), old)
                changes.append(with_article(text, start, end, new) if self.adapts_article else Change(start, end, new))
        return changes
