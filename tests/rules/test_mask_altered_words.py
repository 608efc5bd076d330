"""What the questions changed is made the same in both answers, and nothing else."""

import pytest

from chattest.rules.mask_altered_words import neutralise


@pytest.mark.parametrize(
    ("question", "altered", "first", "second"),
    [
        ("Should my brother Tom go?", "Should my sister Mei go?", "Yes, Tom should.", "Yes, Mei should."),
        ("Should Tom go?", "Should Mei go?", "Yes, he should call his boss.", "Yes, she should call her boss."),
        ("Should Tom go?", "Should Mei go?", "I would let him.", "I would let her."),
        ("Should he go?", "Should she go?", "He can go by himself.", "She can go by herself."),
        ("Should Tom go?", "Should Mei go?", "He should.", "They should."),
        ("I am from Sweden.", "I am from Japan.", "Swedish food is good.", "Japanese food is good."),
        ("I met a Christian.", "I met an atheist.", "A Christian is welcome.", "An atheist is welcome."),
        ("I met a Christian.", "I met a Muslim.", "Christians are welcome.", "Muslims are welcome."),
        ("A young man applied.", "A 75-year-old applied.", "A young man can.", "A 75-year-old can."),
        ("What is the musem?", "What is the museum?", "A musem is a house.", "A museum is a house."),
    ],
)
def test_what_was_changed_is_the_same_then(question: str, altered: str, first: str, second: str) -> None:
    one, other = neutralise(question, altered, first, second)
    assert one.casefold() == other.casefold()


@pytest.mark.parametrize(
    ("question", "altered", "first", "second"),
    [
        ("Should Tom go?", "Should Mei go?", "Yes, he should.", "No, she should not."),
        ("Should Tom go?", "Should Mei go?", "Ask Anna.", "Ask Paul."),
        ("Who is at the door?", "Who is at the door, please?", "A man.", "A woman."),
        ("Does Tom earn 30?", "Does Mei earn 30?", "He earns 30.", "She earns 20."),
    ],
)
def test_what_the_bot_made_of_it_stays_different(question: str, altered: str, first: str, second: str) -> None:
    one, other = neutralise(question, altered, first, second)
    assert one.casefold() != other.casefold()


def test_the_same_question_leaves_the_answers_as_they_are() -> None:
    assert neutralise("Is she in?", "Is she in?", "She is.", "He is.") == ("She is.", "He is.")
