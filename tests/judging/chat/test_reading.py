"""A verdict is read from one JSON object, and from nothing else."""

import json

import pytest

from chattest.judging.chat.reading import read_opinion
from tests.support.chat_stand_ins import TRIES

WORDS = ("right", "wrong")
GOOD = '{"reason": "It names Rome.", "verdict": "right", "confidence": 0.9}'


@pytest.mark.parametrize(
    ("said", "verdict", "confidence"),
    [
        (GOOD, "right", 0.9),
        ('  {"confidence": 1, "verdict": "Wrong ", "reason": "x", "more": [1]}\n', "wrong", 1.0),
        (f"```json\n{GOOD}\n```", "right", 0.9),
        (f"```\n{GOOD}```", "right", 0.9),
        (f'<think>Perhaps {{"verdict": "wrong"}}?</think>\n{GOOD}', "right", 0.9),
        (f"Thinking without an opening tag.</thinking>{GOOD}", "right", 0.9),
        (f"<think>a</think><think>b</think>{GOOD}", "right", 0.9),
        (f"<think>I should say {GOOD}", "", 0.0),
        (f"My verdict: {GOOD}", "", 0.0),
        (f"{GOOD}\n{GOOD}", "", 0.0),
        (f"[{GOOD}]", "", 0.0),
        ('{"verdict": "right", "confidence": 0.9}', "", 0.0),
        ('{"reason": "", "verdict": "right", "confidence": 1.5}', "", 0.0),
        ('{"reason": "", "verdict": "right", "confidence": "0.9"}', "", 0.0),
        ('{"reason": "", "verdict": "right", "confidence": true}', "", 0.0),
        ('{"reason": "", "verdict": "right", "confidence": NaN}', "", 0.0),
        ('{"reason": "", "verdict": "maybe", "confidence": 1}', "", 0.0),
        ('{"reason": "", "verdict": ["right"], "confidence": 1}', "", 0.0),
        ('{"reason": "", "verdict": "right", "verdict": "wrong", "confidence": 1}', "", 0.0),
        ("right", "", 0.0),
        ("Yes.", "", 0.0),
        ("null", "", 0.0),
        ("[" * 9999, "", 0.0),
        ("", "", 0.0),
    ],
)
def test_an_answer_is_a_verdict_or_an_error(said: str, verdict: str, confidence: float) -> None:
    opinion = read_opinion(said, WORDS)
    assert (opinion.verdict, opinion.confidence) == (verdict, confidence)
    assert bool(opinion.error) == (not verdict)


def test_a_reason_is_one_line_of_bounded_length() -> None:
    said = json.dumps({"reason": "one\ntwo " + "x" * 900, "verdict": "right", "confidence": 1})
    reason = read_opinion(said, WORDS).reason
    assert reason.startswith("one two x")
    assert len(reason) == 300


def test_a_judge_that_only_quotes_the_reply_gives_no_verdict() -> None:
    for reply in TRIES:
        for said in (reply, f"The reply says: {reply}", f"The reply says:\n\n{reply}\n"):
            assert read_opinion(said, WORDS, [reply]).error, said
