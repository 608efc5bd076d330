"""Degrees of comparison."""

from functools import cache
from random import Random

from chattest.perturbations._lookup import Phrases, entries
from chattest.perturbations.base import Effect, Sites, perturbation
from chattest.text.edits import Change, like, placed
from chattest.text.grammar.degrees import adjectives, bases, comparative, superlative

_BEFORE_SUPERLATIVE = frozenset(("the", "my", "your", "his", "her", "our", "their"))


@perturbation("comparative")
class Comparative(Sites):
    """Some adjectives get another degree: "My cat is big" becomes "My cat is bigger".

    `superlative` applies after "the", "my" and the like ("my biggest cat"), `base` turns degrees back. A score
    that measures how strongly something is said should move. The dose is the number of adjectives; they come
    from a shipped list.
    """

    family = "grammar"
    kinds = ("comparative", "superlative", "base")
    effect = Effect.MOVES
    dose_unit = "adjectives"
    reverse = {"comparative": ("comparative", "base"), "superlative": ("comparative", "base")}

    def sites(self, text: str, kind: str, rng: Random) -> list[Change]:
        if kind == "base":
            return [
                placed(text, start, end, like(row[0], old))
                for start, end, old, row in entries(text, _degrees())
                if not text[end:].startswith(" than ")
            ]
        degree = comparative if kind == "comparative" else superlative
        return [
            placed(text, word.start, word.end, like(degree(word.text.lower()), word.text))
            for word in adjectives(text)
            if kind == "comparative" or word.before in _BEFORE_SUPERLATIVE
        ]


@cache
def _degrees() -> Phrases:
    """Comparatives and superlatives, each with its adjective."""
    return Phrases({degree: (base,) for degree, base in bases().items()})
