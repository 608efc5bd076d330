"""What bounds on long replies leave as it is: the same words are always noticed, and short texts lose nothing."""

import pytest

from chattest.rules.mentions import denies_answer
from chattest.rules.same_answer import drop_corrected
from chattest.scorers.base import Item, scorers
from chattest.scorers.repeated_question import MOST_BEFORE, MOST_NEW, MOST_SHOWN
from tests.support.growth import text
from tests.support.stand_ins import StandIns


def question(number: int) -> str:
    return f"Do you like the {'abcdefghij'[number % 10]}{'klmnopqrst'[number // 10 % 10]}x{number // 100} colour? "


@pytest.mark.parametrize("number", [0, MOST_NEW - 1, MOST_NEW, 150])
def test_a_question_in_the_same_words_is_noticed_wherever_it_stands(number: int) -> None:
    reply = "".join(f"Where is place{'abcdefghij'[at % 10] * (at // 10 + 1)}? " for at in range(number))
    item = Item("Hello", f"{reply}What is your name?", earlier_replies=("What is your name?",))
    (score,) = scorers.get("repeated_question").score([item], StandIns())
    assert score.value == 1
    assert score.interpretation == "What is your name?"


def test_a_question_in_the_same_words_is_noticed_however_long_ago() -> None:
    own = ("What is your name?", *("".join(question(at) for at in range(begin, begin + 100)) for begin in
                                   range(0, MOST_BEFORE + 200, 100)))  # fmt: skip
    (score,) = scorers.get("repeated_question").score(
        [Item("Hello", "what is your name", earlier_replies=own)], StandIns()
    )
    assert score.value == 1


def test_the_model_reads_the_nearest_pairs() -> None:
    own = tuple("".join(question(at) for at in range(begin, begin + 100)) for begin in range(0, 400, 100))
    judges = StandIns()
    scorers.get("repeated_question").score(
        [Item("Hello", "Would you want a boat or a car?", earlier_replies=own)], judges
    )
    assert all(number <= MOST_SHOWN for kind, number in judges.calls if kind == "same_question")


def test_a_denial_is_seen_in_a_long_clause() -> None:
    far = "very " * 100
    assert denies_answer("Juniper", f"It is not {far}Juniper")
    assert not denies_answer("Juniper", f"It is {far}Juniper")


def test_the_last_correction_counts() -> None:
    assert drop_corrected("At nine. " + "No wait, at ten. " * 30).strip() == "at ten."


def test_texts_of_growth_have_words_of_their_own() -> None:
    assert len(text("other words", 500)) == 500
    assert not set(text("other words", 100, "b").split()[:-1]) & set(text("other words", 100, "c").split()[:-1])
