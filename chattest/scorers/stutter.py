"""Measures how much of a reply only repeats what the reply has just said."""

from collections.abc import Sequence

from chattest.models.judges import Judges
from chattest.records.result import Score
from chattest.rules.repetition import Repetition, repetitions
from chattest.scorers.base import Item, LabelledReplies, Scorer, scorer
from chattest.text.format import distinct_digits


def stuttering(text: str) -> float | None:
    """Return the share, 0 to below 1, of a text's words that only repeat earlier ones; `None` without words.

    `chattest.rules.repetition` says which words count, and which repetitions people make on purpose: those count for
    nothing. Source: the requirement weighs an n-gram by its order times its occurrences, so that a 2-gram said six
    times counts as much as a 6-gram said twice; that product is the number of words these occurrences cover. Here the
    covered words are counted once each, without the first occurrence, and divided by the number of words, so that the
    value is bounded.
    """
    return _read(text)[0]


def _read(text: str) -> tuple[float | None, list[Repetition]]:
    found, count = repetitions(text)
    if not count:
        return None, []
    return len(frozenset().union(*(repetition.words for repetition in found))) / count, found


@scorer("stutter")
class Stutter(Scorer):
    """Share of the reply's words that only repeat what was just said, in a way that language does not use.

    The interpretation is what is said most often, with how often.
    """

    threshold = "threshold_stuttering"
    requirement = "at most {threshold:.0%} of the words only repeat"
    labelled = LabelledReplies("stutter", form="stutter", true_passes=False)
    reference = "stutter_reference"

    def score(self, items: Sequence[Item], judges: Judges) -> list[Score]:
        """Count words; no model is asked."""
        scores = {item.reply: _score(item.reply) for item in items}
        return [scores[item.reply] for item in items]

    def passes(self, score: Score, item: Item, threshold: float) -> bool:
        """Return True up to the threshold."""
        return score.value is not None and score.value <= threshold

    def explain(self, score: Score, item: Item, threshold: float) -> str:
        """Give the share."""
        share = distinct_digits(100 * (score.value or 0), 100 * threshold, 0)
        return f"{share}% of the words only repeat; {100 * threshold:g}% is allowed"


def _score(reply: str) -> Score:
    share, found = _read(reply)
    if share is None:
        return Score(None, reason="no words")
    most = max(found, key=lambda repetition: len(repetition.words), default=None)
    return Score(share, f'"{most.text}" {most.times} times' if most else "", rule="repetition")
