"""Degrees of comparison."""

from functools import cache
from random import Random

from chattest.perturbations._lookup import Phrases, entries
from chattest.perturbations.base import Effect, Sites, perturbation
from chattest.text.edits import Change, match_case, with_article
from chattest.text.grammar.degrees import adjectives, bases, comparative, superlative

_BEFORE_SUPERLATIVE = frozenset(("the", "my", "your", "his", "her", "our", "their"))


@perturbation("comparative")
class Comparative(Sites):
    """Some adjectives change their degree of comparison: "My cat is big" becomes "My cat is bigger".

    `superlative` applies after "the", "my" and similar words ("my biggest cat"). `base` undoes a degree. A score
    for how strongly something is said should change. The dose is the number of adjectives, which come from a
    shipped list.
    """

    family = "grammar"
    kinds = ("comparative", "superlative", "base")
    effect = Effect.MOVES
    dose_unit = "adjectives"
    reverse = {"comparative": ("comparative", "base"), "superlative": ("comparative", "base")}

    def sites(self, text: str, kind: str, rng: Random) -> list[Change]:
        if kind == "base":
            return [
                with_article(text, start, end, match_case(row[0], old))
                for start, end, old, row in entries(text, _degrees())
                if not text[end:].startswith(" than ")
            ]
        degree = comparative if kind == "comparative" else superlative
        return [
            with_article(text, word.start, word.end, match_case(degree(word.text.lower()), word.text))
            for word in adjectives(text)
            if kind == "comparative" or word.before in _BEFORE_SUPERLATIVE
        ]


@cache
def _degrees() -> Phrases:
    """Every comparative and superlative, with the adjective it belongs to."""
    return Phrases({degree: (base,) for degree, base in bases().items()})
