"""Courtesies and offers of help, which a bot may ask again without repeating itself."""

import pytest

from chattest.records.result import Score
from chattest.rules.questions import is_courtesy
from chattest.scorers.base import Item, scorers
from tests.support.stand_ins import StandIns

REPEATED = scorers.get("repeated_question")


@pytest.mark.parametrize(
    ("question", "courtesy"),
    [
        ("How are you?", True),
        ("Hello! How are you doing today?", True),
        ("How may I assist you with that?", True),
        ("What can I do for you?", True),
        ("Is there something else I can do for you?", True),
        ("Do you have any further questions?", True),
        ("Does this answer your question?", True),
        ("How is your sister?", False),
        ("How can I help my neighbour?", False),
        ("Is there anything else in your garden?", False),
        ("What brings you to the harbour?", False),
        ("What else do you grow?", False),
    ],
)
def test_what_is_a_courtesy(question: str, courtesy: bool) -> None:
    assert is_courtesy(question) is courtesy


def score(reply: str, *earlier: str) -> Score:
    judges = StandIns(same={("How's the exam going?", "How are you doing?"): 0.9})
    (found,) = REPEATED.score([Item("", reply, earlier_replies=earlier)], judges)
    assert REPEATED.score_without_model(Item("", reply, earlier_replies=earlier)) in (found, None)
    return found


def test_a_courtesy_is_not_counted_now_or_before() -> None:
    assert score("Sure. How can I help you?", "Hi! How can I help you?").reason == "it asks nothing but courtesies"
    assert score("Sure. I help you.").reason == "it asks nothing"
    assert score("How's the exam going?", "How are you doing?").value == 0.0
    assert score("How are you? Where do you live?", "How are you? Where do you live?").interpretation == (
        "Where do you live?"
    )
    shown = REPEATED.judge_inputs(Item("", "How are you? Where do you live?", earlier_replies=("Can I help you?",)))
    assert shown == {"asked before": "", "asked now": "Where do you live?"}
