"""How much of a reply only repeats what the reply has just said."""

import re
from collections import deque
from collections.abc import Sequence

from chattest.models.judges import Judges
from chattest.records.result import Score
from chattest.scorers.base import Item, Scorer, scorer
from chattest.text.format import distinct_digits

WORD = re.compile(r"\w+(?:['’]\w+)*")
NEARBY = 20
"""Two words in a row are a repetition when the same two occur in the 20 words before."""
LONG = 4
"""Four or more words in a row are a repetition wherever the same words occur before."""


def stuttering(text: str) -> float | None:
    """The share, 0 to below 1, of a text's words that only repeat earlier ones; `None` for fewer than four words.

    A word repeats when it belongs to a later occurrence of an n-gram: of order 2 or more whose earlier occurrence began
    at most 20 words before, or of order 4 or more anywhere before. Occurrences that overlap ("ha ha ha") do not count.

    Source: the requirement weighs an n-gram by its order times its occurrences, so that a 2-gram said six times counts
    as much as a 6-gram said twice; that product is the number of words these occurrences cover. Here the covered words
    are counted once each, whatever the orders they belong to, without the first occurrence, and divided by the number
    of words. The value is thus bounded, and the "of the" that every long text repeats does not add up.
    """
    words = WORD.findall(text.casefold())
    if len(words) < 4:
        return None
    covered: set[int] = set()
    for order, reach in ((2, NEARBY), (LONG, len(words))):
        starts: dict[tuple[str, ...], deque[int]] = {}
        for start in range(len(words) - order + 1):
            earlier = starts.setdefault(tuple(words[start : start + order]), deque())
            while earlier and start - earlier[0] > reach:
                earlier.popleft()
            if earlier and start - earlier[0] >= order:
                covered.update(range(start, start + order))
            earlier.append(start)
    return len(covered) / len(words)


@scorer("stutter")
class Stutter(Scorer):
    """Share of the reply's words that only repeat earlier ones, by n-grams."""

    threshold = "threshold_stuttering"
    needs = "at most {bar:.0%} of the words only repeat"

    def score(self, items: Sequence[Item], judges: Judges) -> list[Score]:
        """Asks no model."""
        values = {item.reply: stuttering(item.reply) for item in items}
        return [
            Score(value) if (value := values[item.reply]) is not None else Score(None, reason="fewer than four words")
            for item in items
        ]

    def passes(self, score: Score, item: Item, bar: float) -> bool:
        """At most the bar."""
        return score.value is not None and score.value <= bar

    def why(self, score: Score, item: Item, bar: float) -> str:
        """Gives the share."""
        share = distinct_digits(100 * (score.value or 0), 100 * bar, 0)
        return f"{share}% of the words only repeat; {100 * bar:g}% is allowed"
