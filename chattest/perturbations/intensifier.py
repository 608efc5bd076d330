"""Adjectives strengthened or weakened by an adverb."""

import re
from random import Random

from chattest.perturbations.base import Effect, Sites, perturbation
from chattest.text.edits import Change, match_case, with_article
from chattest.text.grammar.degrees import adjectives
from chattest.text.lexicon import listed

STRONGER = ("very", "really", "truly")
WEAKER = ("slightly", "somewhat", "fairly")
_DEGREES = re.compile(rf"\b(?:{'|'.join(STRONGER + WEAKER)}) ([\w-]+)", re.IGNORECASE)


@perturbation("intensifier")
class Intensifier(Sites):
    """Some adjectives get stronger or weaker: "I am happy" becomes "I am very happy" or "I am slightly happy".

    `remove` removes such an adverb. A score for feelings should change. The dose is the number of adjectives, which
    come from a shipped list.
    """

    family = "grammar"
    kinds = ("strengthen", "weaken", "remove")
    effect = Effect.MOVES
    dose_unit = "adjectives"
    reverse = {"strengthen": ("intensifier", "remove"), "weaken": ("intensifier", "remove")}

    def sites(self, text: str, kind: str, rng: Random) -> list[Change]:
        if kind == "remove":
            return [
                with_article(text, *match.span(), match_case(match[1], match[0]))
                for match in _DEGREES.finditer(text)
                if match[1].lower() in listed("gradable")
            ]
        degrees = STRONGER if kind == "strengthen" else WEAKER
        return [
            with_article(
                text, word.start, word.end, match_case(f"{rng.choice(degrees)} {word.text.lower()}", word.text)
            )
            for word in adjectives(text)
        ]
