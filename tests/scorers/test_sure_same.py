"""The sure rules of two answers that say the same, or not: right in either order, silent where they are not sure."""

import pytest

from chattest.rules.same_answer import drop_corrected
from chattest.scorers.same_answer import AnswerPair, by_rule

SAME = [
    ("When does it open?", "Half past nine.", "9.30"),
    ("When does it open?", "At 9:30.", "Nine thirty."),
    ("When does it open?", "8", "8 am"),
    ("When does it close?", "noon", "12"),
    ("When is it?", "On Mon.", "Monday"),
    ("When is it?", "On Monday and Tuesday.", "On Tuesday and Monday."),
    ("When was it built?", "On 3 May 1990.", "May 3rd, 1990"),
    ("How many eggs?", "Two dozen.", "24"),
    ("How many eggs?", "Two dozen eggs.", "Twenty-four eggs."),
    ("How much is it?", "It costs $12.50.", "Twelve dollars fifty."),
    ("How much is it?", "five quid", "A fiver."),
    ("How much is it?", "50p", "Fifty pence."),
    ("How much is it?", "KSh 15k", "15,000 shillings"),
    ("How much is it?", "Three to four hundred dollars.", "Between $300 and $400."),
    ("How far is it?", "10 miles", "16 km"),
    ("How heavy is it?", "2 kg", "2,000 grams"),
    ("How long does it take?", "90 minutes", "An hour and a half."),
    ("How long does it take?", "Three months.", "90 days."),
    ("How long does it take?", "One working week.", "Five working days."),
    ("How many glasses?", "Two to three glasses.", "2 or 3 glasses."),
    ("How old is he?", "He is twenty.", "He is 20 years old."),
    ("Which bus?", "Take bus No. 5.", "Take bus 5."),
    ("What is the number?", "(029) 20788570", "029 20 78 85 70"),
    ("What is the emergency number?", "nine one one", "911"),
    ("What colours are on it?", "Red, white and blue.", "Blue, red, and white."),
    ("What do I need?", "A passport and a visa.", "A visa plus a passport."),
    ("When does it open?", "At nine. No wait, ten.", "At ten."),
    ("What is the capital of France?", "Paris.", "The capital of France is Paris."),
    ("Do I need a visa?", "You don't need a visa.", "You do not need a visa."),
    (
        "Which leaves first?",
        "The Barry bus leaves before the Penarth bus.",
        "the barry bus leavs before the penarth bus",
    ),
    ("Is the shop open?", "Yes, it is.", "The shop is open."),
    ("Can I pay by card?", "Yes, you can.", "Sure."),
    ("Can you help?", "I'm sorry, I can't help with that.", "I can't help you with that, sorry."),
    ("Will it stop?", "Nobody knows yet.", "It's too early to say."),
]
DIFFERENT = [
    ("When does it open?", "8 am", "8 pm"),
    ("Can I trust him?", "That person is usually reliable.", "That person is usually unreliable."),
    ("Is she good at it?", "She would be a careful driver.", "She would be a careless driver."),
    ("Will it work?", "It will fortunately be known soon.", "It will unfortunately be known soon."),
    ("When does it open?", "At nine. No wait, ten.", "At nine."),
    ("When was it built?", "3 May", "May 4"),
    ("How much is it?", "$5", "€5"),
    ("How far is it?", "5 km", "5 miles"),
    ("How often does it run?", "Every 10 minutes from the bank.", "Every 20 minutes from the bank."),
    ("How many people came?", "Ten men and five women.", "Five men and ten women."),
    ("How much may I take out?", "Five hundred dollars a day.", "Five hundred dollars a week."),
    ("What is the number?", "0800 123 456", "0800 123 457"),
    ("How do I add them up?", "=SUM(B2:B40)", "=SUM(B2:B4)"),
    ("What colour is it?", "blue", "red"),
    ("Where was she born?", "Paris", "Lyon"),
    ("Whose bag is it?", "It is Tom's bag.", "It is Anna's bag."),
    ("How do I get there?", "Turn left at the bank.", "Turn right at the bank."),
    ("How late is it open?", "It is open until 5.", "It is open from 5."),
    ("Is it safe?", "It is safe.", "It is unsafe."),
    ("Is the museum free?", "It is free on Sundays.", "It isn't free on Sundays."),
    ("Is the shop open?", "The shop is open.", "The shop is not open."),
    ("Can I pay by card?", "You can.", "You can't, sorry."),
    ("Should I call?", "I would.", "No, don't."),
    ("Should I bring a bag?", "Please do.", "No need, there are bags here."),
    ("Is he too old?", "For the bus, yes.", "Not at all."),
    ("What is two and two?", "I'm not sure.", "4"),
    ("Is it open?", "I don't know.", "No."),
]
NOT_SURE = [
    ("How long is it?", "Five.", "Five hours."),
    ("How long is it?", "A month.", "Four weeks."),
    ("How many are there?", "At least 18.", "18"),
    ("How many are there?", "3 each", "6 in all"),
    ("How many players are there?", "Five with the keeper.", "A keeper and four others."),
    ("When is it?", "In May.", "On 3 May."),
    ("What colours are on it?", "Red or white.", "Red and white."),
    ("What colour is it?", "Blue", "Navy"),
    ("What comes first?", "Salt, then sugar.", "Sugar, then salt."),
    ("How do I make tea?", "Boil water, add tea, wait five minutes.", "Wait five minutes, add tea, boil water."),
    ("Where was she born?", "In England.", "In the UK."),
    ("Where was she born?", "In Paris.", "In France."),
    ("Where is it?", "In the box.", "On the box."),
    ("Who do I ask?", "Ask Bob Smith.", "Ask Robert Smith."),
    ("How much do adults and children pay?", "Adults pay £5.", "Children pay £5."),
    ("Which is cheaper, A or B?", "A is cheaper than B.", "B is cheaper than A."),
    ("Is Tom taller than Ann?", "Ann is taller than Tom.", "No."),
    ("Who built it?", "Lord Bute, in 1880, with a lot of money.", "Lord Bute. It has 50 rooms and a garden."),
    ("What is open?", "Some shops are open.", "The shops are open."),
    ("Who is he?", "He was the boss.", "He is the boss."),
    ("What do I bring?", "You must bring your passport.", "You can bring your passport."),
    ("Who won?", "I don't know.", "I can't help with that."),
    ("Do you know Tom?", "I don't know.", "No."),
    ("Can you sing?", "I can't do that.", "No."),
    ("Can I pay by card?", "You can, but only over $10.", "No."),
    ("Is it cold?", "It is very cold.", "Yes."),
    ("Will it rain?", "I hope not.", "No."),
    ("What is it?", "It is a dog.", "It is not a cat."),
    ("How many are there?", "Over 5.", "Under 5."),
    ("Where do I live?", "You live here.", "You live there."),
]
CASES = [(row, value) for rows, value in ((SAME, 1.0), (DIFFERENT, 0.0), (NOT_SURE, None)) for row in rows]


@pytest.mark.parametrize(("row", "value"), CASES, ids=lambda given: "/".join(given) if isinstance(given, tuple) else "")
def test_what_the_words_of_two_answers_decide(row: tuple[str, str, str], value: float | None) -> None:
    question, first, second = row
    for one, other in ((first, second), (second, first)):
        decision = by_rule(AnswerPair(question, question, one, other))
        assert (decision and decision.value) == value, decision


ODD = [
    "",
    " ",
    "?!",
    "½",
    "𐐀",
    "𖠀0",
    "\ue000 5",
    "99:99 pm",
    "9" * 500 + " to 5",
    "no. no. no",
    "from 1 to",
    "+not",
    "~ 5 ~",
]


@pytest.mark.parametrize("text", ODD)
def test_no_answer_is_too_odd_and_equal_ones_are_the_same(text: str) -> None:
    for other in ("5 pm", "$5", "two to three hours", "No. 5", text[::-1]):
        by_rule(AnswerPair("When?", "When?", text, other))
    decision = by_rule(AnswerPair("When?", "When?", text, text))
    assert decision is not None
    assert decision.value == 1.0


def test_a_place_may_change_with_the_person_asked_about() -> None:
    first, second = "She needs a letter from Germany.", "She needs a letter from India."
    same_question = AnswerPair("What does she need?", "What does she need?", first, second)
    assert by_rule(same_question) is not None
    other_person = AnswerPair("What does Birgit need?", "What does Priya need?", first, second)
    assert by_rule(other_person) is None


@pytest.mark.parametrize(
    ("text", "rest"),
    [
        ("At nine. No wait, ten.", "ten."),
        ("At nine, sorry, I mean ten.", "ten."),
        ("Nine. Scratch that: ten. No, sorry, eleven.", "eleven."),
        ("It is red, I mean it is late.", "It is red, I mean it is late."),
        ("Nobody. No wait, ten.", "Nobody. No wait, ten."),
    ],
)
def test_a_correction_of_a_value_leaves_the_last_one(text: str, rest: str) -> None:
    assert drop_corrected(text) == rest
