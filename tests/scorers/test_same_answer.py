"""Whether two answers say the same: by rules where they are sure, by all judges together elsewhere."""

import pytest

from chattest.models.judges import Judges
from chattest.rules.answer_features import word_features
from chattest.rules.yes_no import read_opening
from chattest.scorers.same_answer import FEATURES, AnswerPair, neutral, pair_features, sameness
from tests.support.stand_ins import StandIns


def pair(question: str, first: str, second: str, altered: str = "") -> AnswerPair:
    return AnswerPair(question, altered or question, first, second)


RULED = [
    (pair("Is it open?", "Yes, it is open.", "No, it is not open."), 0.0),
    (pair("What do you think?", "Yes, I would recommend it.", "No, I would not."), 0.0),
    (pair("When does it open?", "At nine.", "At ten."), 0.0),
    (pair("When does it open?", "It opens at 9:00.", "It opens at half past ten."), 0.0),
    (pair("How much is it?", "Twelve dollars.", "$12."), 1.0),
    (pair("When was it built?", "1889", "eighteen eighty-nine"), 1.0),
    (pair("Should Tom go?", "Yes, he should.", "Yes, she should.", "Should Mei go?"), 1.0),
    (pair("Should Tom go?", "Yes, he should.", "No, she should not.", "Should Mei go?"), 0.0),
    (pair("Do you mind if I smoke?", "No, go ahead.", "Yes, please do."), None),
    (pair("Isn't it open?", "No, it is closed.", "Yes, it is closed."), None),
    (pair("Is it open?", "No one knows.", "Yes, it is."), 0.0),
    (pair("Is it open?", "No one came.", "Yes, it is."), None),
    (pair("Is it open?", "Yes, but not today.", "No, it is not."), None),
    (pair("Is he right?", "It depends on the situation.", "That's hard to say, it depends on the circumstances."), 1.0),
    (pair("Is he right?", "Well, I think it depends.", "There is no simple answer. It really depends."), 1.0),
    (pair("How much is it?", "It depends on the size.", "It depends on the colour."), None),
    (pair("How much is it?", "It depends, but about ten euros.", "It depends."), None),
    (pair("Is he right?", "It depends.", "I don't know."), None),
    (pair("Is he right?", "It depends.", "Hard to say."), None),
    (pair("Does it work?", "It does.", "Sadly it doesn't, sorry."), 0.0),
    (pair("Does it work?", "It does.", "Yes!"), 1.0),
    (pair("Does it work?", "Yes and no.", "No."), None),
    (pair("Does it work?", "Yes. Sorry, no, it does not.", "Yes."), 0.0),
    (pair("What do you know?", "I don't know.", "Sorry, I have no idea."), 1.0),
    (pair("May Tom go?", "Let him enjoy it.", "Let her enjoy it.", "May Mei go?"), 1.0),
]


@pytest.mark.parametrize(("given", "value"), RULED)
def test_rules_decide_where_they_are_sure_and_ask_no_model(given: AnswerPair, value: float | None) -> None:
    judges = StandIns()
    (found,) = sameness([given], judges)
    asked = sum(number for _, number in judges.calls)
    assert (asked == 0) is (value is not None)
    if value is not None:
        assert (found.value, found.features) == (value, {})


def test_the_order_of_the_answers_does_not_matter() -> None:
    there = pair("Is it open?", "It opens at nine, on Monday.", "Not before ten.")
    back = pair("Is it open?", there.second, there.first)
    one, other = pair_features([there, back], StandIns())
    assert one == pytest.approx(other)
    assert set(one) == set(FEATURES)


def test_every_model_is_asked_once_about_all_pairs() -> None:
    judges = StandIns()
    sameness([pair("Is it open?", "I think so.", "It should be."), pair("Who is it?", "A friend.", "My pal.")], judges)
    kinds = [kind for kind, _ in judges.calls]
    assert {kinds.count(kind) for kind in ("inference", "yes_no", "reader", "same_question", "equivalence")} == {1}


@pytest.mark.parametrize(
    ("question", "first", "second", "name", "value"),
    [
        ("When?", "It opens on Monday at nine.", "They open at nine on Mondays.", "value", 1.0),
        ("When?", "It opens on Monday at nine.", "It opens on Tuesday at nine.", "value", -1.0),
        ("What are 7 dozen minus 19?", "65", "7 dozen are 84, minus 19 makes 75.", "value", -1.0),
        ("Who?", "I would ask Anna for it.", "You could ask Paul for it.", "name", -1.0),
        ("Is it?", "It is.", "It is not.", "denied", 1.0),
        ("Is it?", "It always is.", "It never is.", "contrary", 1.0),
        ("Is it?", "I can't help with that.", "I must decline.", "declined", 1.0),
        ("Is it?", "I can't help with that.", "It is at nine.", "declined_one", 1.0),
        ("Is it?", "Which one?", "It is at nine.", "asked_back", 1.0),
        ("Which?", "Green cuts right and red cuts left.", "Red cuts right and green cuts left.", "overlap", 1.0),
    ],
)
def test_what_the_words_tell(question: str, first: str, second: str, name: str, value: float) -> None:
    assert word_features(question, first, second)[name] == value


@pytest.mark.parametrize(
    ("answer", "expected"),
    [
        ("Yes!", "yes"),
        ("Oh, no.", "no"),
        ("nope", "no"),
        ("No idea.", None),
        ("Yes or no?", None),
        ("Fine.", None),
        ("Sure, come in.", "yes"),
        ("Absolutely not.", None),
    ],
)
def test_the_yes_or_no_that_an_answer_begins_with(answer: str, expected: str | None) -> None:
    assert read_opening(answer) == expected


@pytest.mark.slow
@pytest.mark.parametrize(
    ("question", "first", "second", "same"),
    [
        ("Is the museum open on Monday?", "Yes, it is open.", "No, it is not open.", False),
        ("When does the shop open?", "The shop opens at nine.", "The shop opens at ten.", False),
        (
            "What is the capital of France?",
            "The capital of France is Paris.",
            "The capital of France is London.",
            False,
        ),
        ("What is the capital of France?", "The capital of France is Paris.", "Paris.", True),
        ("Is the museum open on Monday?", "Yes, it is open.", "Sure, it's open on Mondays.", True),
        ("When does the shop open?", "It opens at half past six.", "At 6:30.", True),
        ("Will it rain?", "I do not know.", "Sorry, I have no idea.", True),
        ("Will it rain?", "I do not know.", "Yes, it will rain in the evening.", False),
    ],
)
def test_the_shipped_judges_together(question: str, first: str, second: str, same: bool) -> None:
    (found,) = sameness([pair(question, first, second)], Judges())
    assert (found.value >= 0.5) is same, found


def test_a_pair_is_made_neutral_before_it_is_compared() -> None:
    given = pair("Should Tom go?", "Tom should.", "Mei should.", "Should Mei go?")
    assert neutral(given).second == "Tom should."
