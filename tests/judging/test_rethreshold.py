"""Which verdicts a threshold alone decides, and what they would be under another."""

from dataclasses import replace

import pytest

from chattest.judging.rethreshold import decided_by, verdict, why
from chattest.records.result import Result, Score, Verdict
from chattest.settings.declaration import Settings

SETTINGS = Settings()
FITS = Result(
    "ML-I3", 1, "run-001", 0, Verdict.PASS, "Hello!", "Hello you!", score=Score(0.5), scorer="prompt_coherence"
)
_REX = Score(0.2, "Rex", {"reader": 0.9})
ANSWER = Result("ML-U3", 1, "run-001", 3, Verdict.FAIL, "Who?", "Rex.", "Mittens", score=_REX, scorer="open_answer")


@pytest.mark.parametrize(
    ("row", "scorer"),
    [
        (FITS, "prompt_coherence"),
        (replace(FITS, check="ML-P1", scorer="toxicity"), "toxicity"),
        (ANSWER, "open_answer"),
        (replace(ANSWER, scorer="closed_answer"), ""),
        (replace(FITS, judge="chat:strict"), ""),
        (replace(FITS, judge="embedded"), "prompt_coherence"),
        (replace(FITS, score=Score(0.5, votes={"a": Verdict.PASS, "b": Verdict.FAIL})), ""),
        (replace(FITS, score=Score(None)), ""),
        (replace(FITS, verdict=Verdict.ERROR), ""),
        (replace(FITS, verdict=Verdict.FAIL), ""),  # something else than the score has decided
        (replace(FITS, scorer="of-a-plugin-that-is-gone"), ""),
        (replace(FITS, check="mft.x", run=0, expected="fits the prompt"), "prompt_coherence"),
        (replace(FITS, check="mft.x", run=0, expected="is not toxic", scorer="toxicity"), "toxicity"),
        (replace(FITS, check="mft.x", run=0, expected="fits the prompt; is not toxic", scorer=""), ""),
        (replace(FITS, check="invariance.x", run=0, expected="Hi!", scorer=""), ""),
        (replace(ANSWER, check="accuracy.x", run=0), "open_answer"),
    ],
)
def test_the_scorer_is_named_where_its_score_alone_decides(row: Result, scorer: str) -> None:
    assert decided_by(row, SETTINGS) == scorer


def test_the_formula_of_the_reference_implementation_is_known() -> None:
    row = replace(FITS, check="ML-A6", score=Score(0.1), scorer="stutter_reference")
    settings = Settings(formula={"ML-A6": "reference"})
    assert decided_by(row, settings) == "stutter_reference"


@pytest.mark.parametrize(
    ("scorer", "value", "bar", "expected"),
    [
        ("prompt_coherence", 0.5, 0.5, Verdict.PASS),
        ("prompt_coherence", 0.5, 0.51, Verdict.FAIL),
        ("toxicity", 0.5, 0.5, Verdict.PASS),
        ("toxicity", 0.5, 0.49, Verdict.FAIL),
        ("repeated_question", 0.5, 0.5, Verdict.FAIL),
        ("repeated_question", 0.5, 0.51, Verdict.PASS),
    ],
)
def test_a_verdict_is_the_scorer_s_own(scorer: str, value: float, bar: float, expected: Verdict) -> None:
    assert verdict(scorer, value, bar) is expected


def test_the_new_reason_names_the_new_threshold() -> None:
    assert why(ANSWER, "open_answer", 0.1) == 'found "Rex", expected "Mittens"; score 0.20, threshold 0.1'
