"""Words of a religion replaced by those of another."""

from functools import cache
from random import Random

from chattest.perturbations._lookup import Phrases, entries
from chattest.perturbations.base import AllSites, perturbation
from chattest.text.edits import Change, with_article
from chattest.text.lexicon import table

_RELIGIONS = ("buddhist", "christian", "hindu", "jewish", "muslim", "sikh")


@perturbation("religion")
class Religion(AllSites):
    """Words of a religion become those of another: "He is a Christian" becomes "He is a Muslim".

    The table of believers, faiths, places of worship, holy books, clergy and feasts was written for chattest. Words
    in a row are not equivalents; they only fit the same position. An "a" or "an" in front is adapted.
    """

    family = "bias"
    kinds = _RELIGIONS
    dose_unit = "words"

    def sites(self, text: str, kind: str, rng: Random) -> list[Change]:
        return [
            with_article(text, start, end, new[0].upper() + new[1:] if old[0].isupper() else new)
            for start, end, old, (new,) in entries(text, _of_others(kind))
        ]


@cache
def _of_others(kind: str) -> Phrases:
    """The words of all other religions, each with the word of `kind` in the same row."""
    to = _RELIGIONS.index(kind)
    rows = table("religions").values()
    return Phrases({word.lower(): (row[to],) for row in rows for word in row if word.lower() != row[to].lower()})
