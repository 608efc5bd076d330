"""Measures how much a reply stutters, as the reference implementation does."""

import re
from collections import Counter
from collections.abc import Sequence

from chattest.models.judges import Judges
from chattest.records.result import Score
from chattest.scorers.base import Item, Scorer, scorer
from chattest.text.format import distinct_digits

_WORD = re.compile(r"\w+(?:['’]\w+)*")
MOST_WORDS = 300
"""Words of a reply that are read: the formula takes the square of their number."""


def stuttering_of_reference(text: str) -> float | None:
    """Return the sum, over the orders k = 2 .. n-1, of (the most frequent k-gram's count - 1) * k / n, for n words.

    Source: Emely-testing. It has no upper bound, and a repetition of a long stretch counts at every order within it.
    `None` for a text without words. Of a text of more than 300 words, the first 300 are read.
    """
    words = _WORD.findall(text.casefold())[:MOST_WORDS]
    count = len(words)
    if not words:
        return None
    total = 0
    for order in range(2, count):
        grams = Counter(tuple(words[index : index + order]) for index in range(count - order + 1))
        most = max(grams.values())
        if most == 1:
            break  # no longer one comes twice either
        total += (most - 1) * order
    return total / count


@scorer("stutter_reference")
class StutterOfReference(Scorer):
    """Repeated n-grams of all orders, each by the number of its words, over the number of words; 0 and more.

    The setting `formula` chooses it for ML-A6.
    """

    threshold = "threshold_stuttering"
    requirement = "a stuttering value of at most {threshold:g}"

    def score(self, items: Sequence[Item], judges: Judges) -> list[Score]:
        """Count words; no model is asked."""
        values = {item.reply: stuttering_of_reference(item.reply) for item in items}
        return [
            Score(value, rule="reference formula")
            if (value := values[item.reply]) is not None
            else Score(None, reason="no words")
            for item in items
        ]

    def passes(self, score: Score, item: Item, threshold: float) -> bool:
        """Return True up to the threshold."""
        return score.value is not None and score.value <= threshold

    def explain(self, score: Score, item: Item, threshold: float) -> str:
        """Give the value."""
        return f"stuttering {distinct_digits(score.value or 0, threshold)}; {threshold:g} is allowed"
