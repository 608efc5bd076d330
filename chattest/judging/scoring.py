"""Runs one scorer over items, with the threshold and the band of doubt in force."""

from collections.abc import Sequence
from dataclasses import dataclass

from chattest.judging.apart import judge_each
from chattest.judging.doubt import Band, find_band, is_in_doubt
from chattest.models.judges import Judges
from chattest.records.result import ChatScore, Score, Verdict
from chattest.scorers.base import Item, Scorer
from chattest.settings.declaration import Settings


@dataclass(frozen=True, slots=True)
class Judgement:
    """What a scorer makes of one reply."""

    verdict: Verdict
    """PASS, FAIL, NOT_APPLICABLE where the reply could not be scored, or ERROR where scorer or chat judge failed."""
    score: Score
    scorer: str
    """Name of the scorer that judged; with `formula = "reference"`, that of the reference implementation's formula."""
    reason: str
    """Why this verdict, in words."""
    in_doubt: bool = False
    """Whether the probability that the reply is right is within its scorer's band of doubt; the verdict stays."""
    judge: str = ""
    """Who judged, where it need not have been the embedded judge; else empty."""


def judge_items(scorer: Scorer, items: Sequence[Item], settings: Settings, judges: Judges) -> list[Judgement]:
    """Judge all items at once and return one judgement for each, in order.

    An item that the scorer fails on is an ERROR, and the others are judged without it. A verdict is in doubt only where
    the scorer's values are calibrated, or it has a band of its own: other values are no probabilities. A rule is sure.

    Raises:
        ModelError: A model cannot be loaded.
    """
    threshold = scorer.threshold_value(settings.threshold)
    band = find_band(scorer, settings.doubt_band, scorer.calibration(judges) is not None)

    def judge(chosen: Sequence[Item]) -> list[Judgement]:
        scores = scorer.scores(chosen, judges)
        return [_judgement(scorer, item, score, threshold, band) for item, score in zip(chosen, scores, strict=True)]

    def unjudged(item: Item, reason: str) -> Judgement:
        return Judgement(Verdict.ERROR, Score(None, reason=reason), scorer.name, reason)

    return judge_each(judge, items, scorer.name, unjudged)


def _judgement(scorer: Scorer, item: Item, score: Score, threshold: float, band: Band | None) -> Judgement:
    verdict, reason = scorer.verdict(score, item, threshold), scorer.reason(score, item, threshold)
    judge, by_chat = "", False
    if isinstance(score, ChatScore):
        judge, by_chat = score.judge, score.verdict is not None
        score = Score(score.value, score.interpretation, score.parts, score.reason, rule=score.rule)
    in_doubt = not by_chat and is_in_doubt(scorer, score, item, threshold, band)
    return Judgement(verdict, score, scorer.name, reason, in_doubt, judge)
