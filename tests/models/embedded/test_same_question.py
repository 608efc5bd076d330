"""The embedded same-question judge, as it ships."""

from __future__ import annotations

import pytest

from chattest.models.embedded.same_question import EmbeddedSameQuestion
from chattest.models.protocols import SameQuestion

pytestmark = pytest.mark.slow


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


def test_the_order_does_not_matter(judge: EmbeddedSameQuestion) -> None:
    questions = ["Where do you live?", "How old are you?", "Do you like tea?"]
    others = ["Which town do you live in?", "Where do you live?", "Do you like coffee?"]
    assert judge.same(questions, others) == pytest.approx(judge.same(others, questions), abs=1e-4)
    assert judge.same([], []) == []
    with pytest.raises(ValueError, match="argument"):
        judge.same(["Where do you live?"], [])
