"""The embedded same-question judge, as it ships."""

from __future__ import annotations

import tomllib
from typing import Any

import pytest

from chattest.models.embedded.same_question import EmbeddedSameQuestion
from chattest.models.judges import Judges
from chattest.models.protocols import SameQuestion
from chattest.scorers.base import Item, scorers
from chattest.settings.declaration import Settings
from tests.support.paths import DATA

UNDECIDED = [
    row
    for row in tomllib.loads((DATA / "scorers" / "repeated_question.toml").read_text(encoding="utf-8"))["pair"]
    if "model" in row
]
"""Pairs of questions that their words do not decide."""


@pytest.fixture(scope="module")
def judge() -> EmbeddedSameQuestion:
    return EmbeddedSameQuestion()


def test_is_a_same_question_judge(judge: EmbeddedSameQuestion) -> None:
    assert isinstance(judge, SameQuestion)
    assert judge.name == "embedded/same_question"


@pytest.mark.parametrize(
    ("first", "second", "same"),
    [
        ("What do you do for a living?", "What is your job?", True),
        ("Where do you live?", "Which town do you live in?", True),
        ("What is your favourite film?", "Which film do you like best?", True),
        ("Do you have any pets?", "Have you got a pet?", True),
        ("What is your mother's name?", "What is your father's name?", False),
        ("Where were you born?", "When were you born?", False),
        ("What did you have for breakfast?", "What did you have for lunch?", False),
    ],
)
def test_plain_pairs(judge: EmbeddedSameQuestion, first: str, second: str, same: bool) -> None:
    assert (judge.same([first], [second])[0] >= 0.5) is same


@pytest.mark.parametrize("row", UNDECIDED, ids=lambda row: row["second"])
def test_what_words_do_not_decide_is_told_apart_at_the_bar(row: dict[str, Any]) -> None:
    repeated, judges = scorers.get("repeated_question"), Judges("embedded")
    item = Item("Go on.", row["second"], earlier_replies=(row["first"],))
    (score,) = repeated.scores([item], judges)
    assert repeated.passes(score, item, Settings().threshold("threshold_repeated_question")) is not row["model"]


def test_the_order_does_not_matter(judge: EmbeddedSameQuestion) -> None:
    questions = ["Where do you live?", "How old are you?", "Do you like tea?"]
    others = ["Which town do you live in?", "Where do you live?", "Do you like coffee?"]
    assert judge.same(questions, others) == pytest.approx(judge.same(others, questions), abs=1e-4)
    assert judge.same([], []) == []
    with pytest.raises(ValueError, match="argument"):
        judge.same(["Where do you live?"], [])
