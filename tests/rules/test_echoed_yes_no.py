"""Answers that say yes or no with the verb of the question."""

import pytest

from chattest.rules.yes_no import read_verb


@pytest.mark.parametrize(
    ("question", "answer", "expected"),
    [
        ("Does it rain?", "It does.", "yes"),
        ("Does it rain?", "Sadly it doesn’t, not here.", "no"),
        ("Can I come in?", "You can't, sorry.", "no"),
        ("Is it late?", "Generally yes, after nine.", "yes"),
        ("Is it late?", "I'm afraid not.", "no"),
        ("Is it late?", "For a child, yes.", "yes"),
        ("Should I go?", "I wouldn't.", "no"),
        ("Do I have to go?", "No need.", "no"),
        ("Is it late?", "There is no need to hurry.", None),
        ("Does it rain?", "It can.", None),
        ("Can I come in?", "You can, but be quiet.", None),
        ("Can I come in?", "You can if you pay.", None),
        ("Isn't it late?", "It is.", None),
        ("Is it late or early?", "It is.", None),
        ("Where is it?", "It is.", None),
        ("Is it late?", "In the kitchen no, in the garden, yes.", None),
    ],
)
def test_the_verb_of_the_question_is_its_answer(question: str, answer: str, expected: str | None) -> None:
    assert read_verb(question, answer) == expected
