"""Verdicts under another threshold, from saved scores alone: no model is asked.

Only where a threshold alone decides can that be told. It cannot where a chat model or several judges gave the verdict,
where a rule of the case overrules the score, and for checks whose scores are not those of a single scorer.
"""

from __future__ import annotations

from collections.abc import Callable

from chattest.cases.base import StoryCase, cases
from chattest.judging.expectations import CALM, FEELINGS, FITS, RULES, SCORERS
from chattest.judging.panel import DECIDED
from chattest.judging.several import EMBEDDED, by_reference
from chattest.judging.wrong_answers import UNCIVIL
from chattest.records.result import Result, Score, Verdict
from chattest.scorers.base import AnswerScorers, Item, scorers
from chattest.settings.declaration import Settings

_NOTHING = Item("", "")


def decided_by(result: Result, settings: Settings) -> str:
    """The name of the scorer whose score and threshold alone made a verdict; empty if it takes more to tell.

    settings: those that the row was judged with.
    """
    if result.verdict not in DECIDED or result.score.value is None or result.score.votes:
        return ""
    if result.judge not in ("", EMBEDDED) or result.label == UNCIVIL:
        return ""
    name = _of_case(result, settings) if result.run else _of_question(result)
    if not name or not scorers.get(name).threshold:
        return ""
    bar = scorers.get(name).bar(settings.threshold)
    # Where the saved verdict is another than the score gives, something else has decided.
    return name if verdict(name, result.score.value, bar) is result.verdict else ""


def verdict(scorer: str, value: float, bar: float) -> Verdict:
    """The verdict of a score under a threshold. scorer: what `decided_by` gave for the row."""
    return Verdict.PASS if passes(scorer)(value, bar) else Verdict.FAIL


def passes(scorer: str) -> Callable[[float, float], bool]:
    """Tells whether a value passes under a threshold; for many rows of one scorer."""
    of = scorers.get(scorer)
    return lambda value, bar: of.passes(Score(value), _NOTHING, bar)


def _of_case(result: Result, settings: Settings) -> str:
    if result.check not in cases:
        return ""
    case = cases.get(result.check)
    if isinstance(case, StoryCase) and case.presses and result.label:
        return ""  # it may fail for giving in, whatever its score
    if isinstance(case.scorer, AnswerScorers):
        name = case.scorer.closed if {"yes", "no"} <= set(result.score.parts) else case.scorer.open
    else:
        name = case.scorer
    found = scorers.get(name)
    return found.reference if by_reference(found, settings) else name


def _of_question(result: Result) -> str:
    """The scorer of a single question with one expectation that a scorer judges; empty for all others."""
    if not result.is_about_answer or result.original:
        return ""
    if result.expected == FITS:
        return SCORERS["fits"]
    if result.expected == CALM:
        return SCORERS["calm"]
    several = "; " in result.expected or result.expected in FEELINGS or result.expected.startswith(RULES)
    return SCORERS["answers"] if "reader" in result.score.parts and not several else ""


def why(result: Result, scorer: str, bar: float) -> str:
    """Why a row would have its verdict under a threshold, in words. scorer: what `decided_by` gave for it."""
    item = Item(result.prompt, result.reply, result.expected)
    return scorers.get(scorer).reason(result.score, item, bar)
