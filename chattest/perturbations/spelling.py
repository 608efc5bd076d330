"""Change American to British spelling and back."""

from collections import Counter
from collections.abc import Sequence
from functools import cache
from random import Random

from chattest.perturbations._graded import AllSites
from chattest.perturbations._lookup import Phrases, entries
from chattest.perturbations.base import perturbation
from chattest.records.dose import Dose, Level
from chattest.records.plan import Perturbed
from chattest.text.edits import Change, match_case, spans
from chattest.text.lexicon import table
from chattest.text.words import maybe_name, movable


class _Spelling(AllSites):
    family = "robustness"
    dose_unit = "words"
    whole = True

    stays: str
    """Row of the table `spoken` with the words that show where the speaker is from, and have no other spelling."""

    def phrases(self) -> Phrases:
        """Words in one spelling, each with its other spelling."""
        raise NotImplementedError

    def variants(self, text: str, rng: Random, keep: Sequence[str] = (), dose: Dose = Level.MEDIUM) -> list[Perturbed]:
        return [] if self._holds_some(text, keep) else super().variants(text, rng, keep, dose)

    def draw(self, text: str, rng: Random, keep: Sequence[str] = (), dose: Dose = Level.MEDIUM) -> Perturbed:
        return Perturbed(text, "none") if self._holds_some(text, keep) else super().draw(text, rng, keep, dose)

    def _holds_some(self, text: str, keep: Sequence[str]) -> bool:
        """Whether a word that would change has to stay: a "grey" boat in a "harbor" is no English of one country."""
        protected = spans(text, keep)
        changes = self.find_sites(text, self.kinds[0], Random(0)) if protected else []
        return any(start < change.end and change.start < end for change in changes for start, end in protected)

    def find_sites(self, text: str, kind: str, rng: Random) -> list[Change]:
        # "Mum reckons the telly was better" would be half in one English and half in the other.
        if not {word.text.lower() for word in movable(text)}.isdisjoint(table("spoken")[self.stays]):
            return []
        changes = [
            Change(start, end, match_case(row[0], old))
            for start, end, old, row in entries(text, self.phrases())
            if not maybe_name(text, start, old)  # "Pearl Harbor"
        ]
        return [] if _is_half_done(text, changes) else changes


def _is_half_done(text: str, changes: list[Change]) -> bool:
    """Return True if another form of a word that changes would stay: "neighborliness" with "neighbor"."""
    starts = {change.start for change in changes}
    stems = tuple(text[change.start : change.end].lower() for change in changes)
    stay = (word.text for word in movable(text) if word.start not in starts)
    return any(word.startswith(stems) for word in stay if word.islower())


@perturbation("american_to_british")
class AmericanToBritish(_Spelling):
    """American spellings become British: "My favorite color" becomes "My favourite colour".

    A text with a word that only Americans say ("y'all") stays, and so does one of which a word has to stay: all words
    change or none.
    """

    kinds = ("british",)
    stays = "american"
    reverse = {"british": ("british_to_american", "american")}

    def phrases(self) -> Phrases:
        return _read_american()


@perturbation("british_to_american")
class BritishToAmerican(_Spelling):
    """British spellings become American: "My favourite colour" becomes "My favorite color".

    A text with a word that only the British say ("telly") stays, and so does one of which a word has to stay: all words
    change or none.
    """

    kinds = ("american",)
    stays = "british"
    reverse = {"american": ("american_to_british", "british")}

    def phrases(self) -> Phrases:
        return _read_british()


@cache
def _read_american() -> Phrases:
    """Return the table, with the possessives of its words."""
    return Phrases(_add_possessives({american: row[0] for american, row in table("american_british").items()}))


@cache
def _read_british() -> Phrases:
    """Return the table with keys and values swapped. Each British spelling must have a single American one."""
    pairs = table("american_british")
    twice = [british for british, count in Counter(row[0] for row in pairs.values()).items() if count > 1]
    assert not twice, f"data/american_british.txt gives {twice} twice"
    return Phrases(_add_possessives({row[0]: american for american, row in pairs.items()}))


def _add_possessives(pairs: dict[str, str]) -> dict[str, tuple[str, ...]]:
    """Return each word with its other spelling, and the same with an apostrophe and "s"."""
    return {f"{old}{ending}": (f"{new}{ending}",) for old, new in pairs.items() for ending in ("", "'s", "’s")}
