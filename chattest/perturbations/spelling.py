"""American and British spelling."""

from collections import Counter
from functools import cache
from random import Random

from chattest.perturbations._graded import AllSites
from chattest.perturbations._lookup import Phrases, entries
from chattest.perturbations.base import perturbation
from chattest.text.edits import Change, match_case
from chattest.text.lexicon import table
from chattest.text.words import maybe_name, movable


class _Spelling(AllSites):
    family = "robustness"
    dose_unit = "words"

    stays: str
    """Row of the table `spoken` with the words that show where the speaker is from, and have no other spelling."""

    def phrases(self) -> Phrases:
        """Words in one spelling, each with its other spelling."""
        raise NotImplementedError

    def sites(self, text: str, kind: str, rng: Random) -> list[Change]:
        # "Mum reckons the telly was better" would be half in one English and half in the other.
        if not {word.text.lower() for word in movable(text)}.isdisjoint(table("spoken")[self.stays]):
            return []
        changes = [
            Change(start, end, match_case(row[0], old))
            for start, end, old, row in entries(text, self.phrases())
            if not maybe_name(text, start, old)  # "Pearl Harbor"
        ]
        return [] if _half_done(text, changes) else changes


def _half_done(text: str, changes: list[Change]) -> bool:
    """Whether another form of a word that changes would stay: "neighborliness" beside "neighbor"."""
    starts = {change.start for change in changes}
    stems = tuple(text[change.start : change.end].lower() for change in changes)
    stay = (word.text for word in movable(text) if word.start not in starts)
    return any(word.startswith(stems) for word in stay if word.islower())


@perturbation("american_to_british")
class AmericanToBritish(_Spelling):
    """American spellings become British: "My favorite color" becomes "My favourite colour".

    A text with a word that only Americans say ("y'all") stays.
    """

    kinds = ("british",)
    stays = "american"
    reverse = {"british": ("british_to_american", "american")}

    def phrases(self) -> Phrases:
        return _american()


@perturbation("british_to_american")
class BritishToAmerican(_Spelling):
    """British spellings become American: "My favourite colour" becomes "My favorite color".

    A text with a word that only the British say ("telly") stays.
    """

    kinds = ("american",)
    stays = "british"
    reverse = {"american": ("american_to_british", "british")}

    def phrases(self) -> Phrases:
        return _british()


@cache
def _american() -> Phrases:
    """The table, with the possessives of its words."""
    return Phrases(_with_possessives({american: row[0] for american, row in table("american_british").items()}))


@cache
def _british() -> Phrases:
    """The table with keys and values swapped. Each British spelling must have a single American one."""
    pairs = table("american_british")
    twice = [british for british, count in Counter(row[0] for row in pairs.values()).items() if count > 1]
    assert not twice, f"data/american_british.txt gives {twice} twice"
    return Phrases(_with_possessives({row[0]: american for american, row in pairs.items()}))


def _with_possessives(pairs: dict[str, str]) -> dict[str, tuple[str, ...]]:
    """Each word with its other spelling, and the same behind an apostrophe and "s"."""
    return {f"{old}{ending}": (f"{new}{ending}",) for old, new in pairs.items() for ending in ("", "'s", "’s")}
