"""Base classes of the perturbations with a strength: the number of changes is drawn from a range of doses."""

from abc import abstractmethod
from collections.abc import Sequence
from math import isinf
from random import Random

from chattest.english.verbatim import keep_free
from chattest.perturbations._drawing import choice, sample
from chattest.perturbations.base import Perturbation
from chattest.records.dose import TOLERANCE, DoseRange, Level
from chattest.text.edits import Change, change


class Graded(Perturbation):
    """A perturbation with a strength.

    Up to the dose `understood_to` it changes only what a person can do without; beyond it, anything.
    """

    @abstractmethod
    def grade(self, text: str, kind: str, rng: Random, doses: DoseRange) -> tuple[str, int] | None:
        """Alter as `alter` does, with the number of changes drawn uniformly from those with a dose in the range."""

    def alter(self, text: str, kind: str, rng: Random) -> tuple[str, int] | None:
        return self.grade(text, kind, rng, DoseRange.of(Level.MEDIUM, self.understood_to))

    def apply(self, text: str, kind: str, rng: Random, doses: DoseRange) -> tuple[str, int] | None:
        return self.grade(text, kind, rng, doses)

    def usual(self, doses: DoseRange) -> bool:
        """Return True if the range includes every dose that a person understands, so that none is compared."""
        return doses.low <= 0 and doses.high == self.understood_to

    def gentle(self, edits: int, text: str) -> bool:
        """Return True if a person still understands the text after so many changes."""
        return self.dose(edits, text) <= self.understood_to + TOLERANCE

    def strength(self, text: str, gentle: int, most: int, doses: DoseRange, rng: Random) -> int | None:
        """Return the number of changes to make; `None` if none can be made.

        `gentle` is how many changes a person can do without; more are made only beyond `understood_to`. `most` is how
        many changes are possible.
        """
        if most < 1:
            return None
        usual = self.usual(doses)
        any_number = range(doses.least, min(gentle, most) + 1)
        if usual and isinf(doses.high):
            return choice(rng, any_number) if any_number else None
        unit = self.dose(1, text)
        limit = self.understood_to + TOLERANCE
        if usual:
            counts = [count for count in any_number if count * unit <= limit]
            return choice(rng, counts) if counts else None
        options = [
            count
            for count in range(doses.least, most + 1)
            if (count <= gentle if count * unit <= limit else doses.high > limit)
        ]
        return doses.pick(options, lambda count: count * unit, rng)


class Sites(Graded):
    """A perturbation that lists the sites that can change, and changes a uniformly drawn number of them."""

    rewords: bool = False
    """Whether it puts things into other words, and so leaves quotations and set phrases as they are."""

    @abstractmethod
    def find_sites(self, text: str, kind: str, rng: Random) -> list[Change]:
        """Return the possible changes, in order and without overlap."""

    def open_sites(self, text: str, kind: str, rng: Random) -> list[Change]:
        """Return the sites that this perturbation may change, without those in stretches that it leaves as they are."""
        changes = self.find_sites(text, kind, rng)
        return keep_free(text, changes) if self.rewords else changes

    def most(self, sites: Sequence[Change]) -> int:
        """Return how many of the sites may change at once."""
        return len(sites)

    def grade(self, text: str, kind: str, rng: Random, doses: DoseRange) -> tuple[str, int] | None:
        changes = self.open_sites(text, kind, rng)
        most = self.most(changes) if changes else 0
        number = self.strength(text, most, most, doses, rng)
        if number is None:
            return None
        chosen = sample(rng, changes, number)
        return change(text, chosen), len(chosen)


class AllSites(Sites):
    """A perturbation that changes every site, for changes that only make sense throughout a text."""

    def grade(self, text: str, kind: str, rng: Random, doses: DoseRange) -> tuple[str, int] | None:
        changes = self.open_sites(text, kind, rng)
        return (change(text, changes), len(changes)) if changes else None
