"""American and British spelling."""

from collections import Counter
from functools import cache
from random import Random

from chattest.perturbations._lookup import Phrases, entries, shipped_phrases
from chattest.perturbations.base import AllSites, perturbation
from chattest.text.edits import Change, match_case
from chattest.text.lexicon import table


class _Spelling(AllSites):
    family = "robustness"
    dose_unit = "words"

    def phrases(self) -> Phrases:
        """Words in one spelling, each with its other spelling."""
        raise NotImplementedError

    def sites(self, text: str, kind: str, rng: Random) -> list[Change]:
        return [Change(start, end, match_case(row[0], old)) for start, end, old, row in entries(text, self.phrases())]


@perturbation("american_to_british")
class AmericanToBritish(_Spelling):
    """American spellings become British: "My favorite color" becomes "My favourite colour"."""

    kinds = ("british",)
    reverse = {"british": ("british_to_american", "american")}

    def phrases(self) -> Phrases:
        return shipped_phrases("american_british")


@perturbation("british_to_american")
class BritishToAmerican(_Spelling):
    """British spellings become American: "My favourite colour" becomes "My favorite color"."""

    kinds = ("american",)
    reverse = {"american": ("american_to_british", "british")}

    def phrases(self) -> Phrases:
        return _british()


@cache
def _british() -> Phrases:
    """The table with keys and values swapped. Each British spelling must have a single American one."""
    pairs = table("american_british")
    twice = [british for british, count in Counter(row[0] for row in pairs.values()).items() if count > 1]
    assert not twice, f"data/american_british.txt gives {twice} twice"
    return Phrases({row[0]: (american,) for american, row in pairs.items()})
