"""Items -> judgements: what one scorer makes of replies, with the threshold in force."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from chattest.models.judges import Judges
from chattest.records.result import Score, Verdict
from chattest.scorers.base import Item, Scorer


@dataclass(frozen=True, slots=True)
class Judgement:
    """What a scorer makes of one reply."""

    verdict: Verdict
    """PASS, FAIL, or NOT_APPLICABLE where the reply could not be scored."""
    score: Score
    reason: str
    """Why this verdict, in words."""


def judge_items(
    scorer: Scorer, items: Sequence[Item], threshold: Callable[[str], float], judges: Judges
) -> list[Judgement]:
    """One judgement for each item, in order; the scorer gets all items at once.

    threshold: setting -> the value in force. Raises `ModelError` when a model cannot be loaded.
    """
    bar = scorer.bar(threshold)
    return [
        _judgement(scorer, item, score, bar) for item, score in zip(items, scorer.score(items, judges), strict=True)
    ]


def _judgement(scorer: Scorer, item: Item, score: Score, bar: float) -> Judgement:
    if score.value is None:
        return Judgement(Verdict.NOT_APPLICABLE, score, score.reason)
    verdict = Verdict.PASS if scorer.passes(score, item, bar) else Verdict.FAIL
    return Judgement(verdict, score, scorer.why(score, item, bar))
