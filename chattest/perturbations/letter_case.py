"""Change letters to upper case, lower case, title case or swapped case."""

import re
from operator import ne
from random import Random

from chattest.perturbations.base import Perturbation, perturbation

_FIRST = re.compile(r"(?<![\w'’])[^\W\d_]")
_INSIDE = re.compile(r"[\d_']")


class _LetterCase(Perturbation):
    family = "robustness"
    kinds = ("case",)
    dose_unit = "letters"

    def convert(self, text: str) -> str:
        """Return the text with the case of its letters changed."""
        raise NotImplementedError

    def alter(self, text: str, kind: str, rng: Random) -> tuple[str, int] | None:
        new = self.convert(text)
        if text.isascii():
            # A letter and its capital differ in one bit, and so all letters are compared at once.
            return new, (int.from_bytes(text.encode()) ^ int.from_bytes(new.encode())).bit_count()
        return new, sum(map(ne, text, new))


@perturbation("uppercase")
class Uppercase(_LetterCase):
    """All letters become upper case: "WHAT IS THE NAME OF MY CAT?". The dose is the number of letters changed.

    A letter whose upper case has more than one letter, such as the German sharp s, stays.
    """

    def convert(self, text: str) -> str:
        new = text.upper()
        return new if len(new) == len(text) else "".join(map(_write_capital, text))


@perturbation("lowercase")
class Lowercase(_LetterCase):
    """All letters become lower case: "what is the name of my cat?". The dose is the number of letters changed."""

    def convert(self, text: str) -> str:
        new = text.lower()
        return new if len(new) == len(text) else "".join(map(_write_small, text))


@perturbation("titlecase")
class Titlecase(_LetterCase):
    """The first letter of every word becomes upper case, the rest lower case: "What Is The Name Of My Cat?".

    The dose is the number of letters changed. Letters after an apostrophe become lower case ("Don't").
    """

    def convert(self, text: str) -> str:
        small = text.lower()
        if len(small) != len(text):
            small = "".join(map(_write_small, text))
        if small.isascii() and not _INSIDE.search(small):
            return small.title()
        return _FIRST.sub(lambda first: _write_capital(first[0]), small)


@perturbation("swapcase")
class Swapcase(_LetterCase):
    """Upper case becomes lower case and lower case upper case: "wHAT IS THE NAME OF MY CAT?".

    The dose is the number of letters changed. Letters that a second swap would not restore stay.
    """

    reverse = {"case": ("swapcase", "case")}

    def convert(self, text: str) -> str:
        return text.swapcase() if text.isascii() else "".join(map(_swap, text))


def _write_capital(letter: str) -> str:
    new = letter.upper()
    return new if len(new) == 1 else letter


def _write_small(letter: str) -> str:
    new = letter.lower()
    return new if len(new) == 1 else letter


def _swap(letter: str) -> str:
    new = letter.swapcase()
    return new if len(new) == 1 and new.swapcase() == letter else letter
