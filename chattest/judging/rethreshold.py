"""Computes verdicts under another threshold from saved scores alone: no model is asked.

That is possible where a threshold alone decides. It is not where a chat model or several judges gave the verdict, where
a rule of the case overrules the score, and for checks with scores of more than one scorer.
"""

from __future__ import annotations

from collections.abc import Callable

from chattest.cases.base import StoryCase, cases
from chattest.judging.who_judges import DECIDED, EMBEDDED
from chattest.judging.wrong_answers import UNCIVIL
from chattest.records.result import Result, Score, Verdict
from chattest.scorers.base import Item, scorers
from chattest.settings.declaration import Settings

_NOTHING = Item("", "")


def find_deciding_scorer(result: Result, settings: Settings) -> str:
    """Return the name of the scorer whose score and threshold alone made a verdict; empty if it takes more to tell.

    settings: those that the row was judged with.
    """
    if result.verdict not in DECIDED or result.score.value is None or result.score.votes or not result.scorer:
        return ""
    if result.judge not in ("", EMBEDDED) or result.label == UNCIVIL or _may_be_overruled(result):
        return ""
    if result.scorer not in scorers or not scorers.get(result.scorer).threshold:
        return ""
    if result.score.rule in scorers.get(result.scorer).raising_rules:
        return ""
    threshold = scorers.get(result.scorer).threshold_value(settings.threshold)
    # Where the saved verdict is another than the score gives, something else has decided.
    return result.scorer if verdict(result.scorer, result.score.value, threshold) is result.verdict else ""


def _may_be_overruled(result: Result) -> bool:
    """Return True if the row's case may fail a reply whatever its score: it gave in when pressed."""
    case = cases.get(result.check) if result.check in cases else None
    return isinstance(case, StoryCase) and case.presses and bool(result.label)


def verdict(scorer: str, value: float, threshold: float) -> Verdict:
    """Return the verdict of a score under a threshold. scorer: the name that `find_deciding_scorer` returned."""
    return Verdict.PASS if passes(scorer)(value, threshold) else Verdict.FAIL


def passes(scorer: str) -> Callable[[float, float], bool]:
    """Return a function that decides whether a value passes under a threshold; for many rows of one scorer."""
    of = scorers.get(scorer)
    return lambda value, threshold: of.passes(Score(value), _NOTHING, threshold)


def why(result: Result, scorer: str, threshold: float) -> str:
    """Explain the verdict of a row under a threshold, by the scorer that `find_deciding_scorer` returned for it."""
    item = Item(result.prompt, result.reply, result.expected)
    return scorers.get(scorer).reason(result.score, item, threshold)
