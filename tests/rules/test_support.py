"""What in the words of a reply speaks for the answer that a model reads from it."""

import pytest

from chattest.rules.support import names_any, only_asks_back, speaks_of_itself, stands_elsewhere, supports_yes_or_no


@pytest.mark.parametrize(
    ("answer", "reply", "named"),
    [
        ("lemonade", "Nothing beats a glass of orange juice on a hot day.", False),
        ("Thursday", "It's the kind of day when everybody stays at home.", False),
        ("peanuts", "You should write to the doctor about your allergy.", False),
        ("lemonade", "A cold lemonade, I should think.", True),
        ("swimming", "You swim whenever the lake is warm enough.", True),
        ("chemistry", "I'd say chemsitry was the one you liked.", True),
        ("3 pm", "It all starts at three in the afternoon.", True),
        ("O'Hara", "She goes by the name of OHara these days.", True),
        ("040-7731", "You can call them under 0407731 at any time.", True),
        ("10 years", "A decade.", True),
        ("none", "Zero", True),
        ("nothing", "The parcel came out of the rain empty.", True),
        ("no sugar", "You take two lumps, don't you?", False),
        ("3400", "340", False),
    ],
)
def test_a_word_or_value_of_the_answer(answer: str, reply: str, named: bool) -> None:
    assert names_any(answer, reply) is named


@pytest.mark.parametrize(
    ("question", "answer", "reply", "own"),
    [
        ("What is my favourite drink?", "tea", "My favourite drink is tea, too!", True),
        ("Which instrument do I play?", "harp", "I play the harp in a small band.", True),
        ("What is my favourite drink?", "tea", "My favourite is the apple juice.", True),
        ("Which instrument do I play?", "harp", "You play the harp.", False),
        ("Which instrument do I play?", "harp", "I'd say that it was the harp.", False),
        ("Which instrument do I play?", "harp", "My guess is the harp.", False),
        ("Which instrument do I play?", "harp", "The harp, if my notes are right.", False),
        ("Where do I live?", "Ghent", "I wish I could visit you in Ghent.", False),
        ("Where does Ida live?", "Ghent", "My home is in Ghent.", False),
        ("When are we moving?", "in May", "The move is in May, and I hope for a sunny day.", False),
    ],
)
def test_whether_the_bot_speaks_of_itself(question: str, answer: str, reply: str, own: bool) -> None:
    assert speaks_of_itself(question, [answer], reply) is own


@pytest.mark.parametrize(
    ("reply", "found", "elsewhere"),
    [
        ("I'm glad you enjoy the garden. What leads you to my little office?", "my little office", True),
        ("I'm glad you enjoy the garden. What leads you to my little office?", "the garden", False),
        ("It is in the garden. What leads you to my little office?", "my little office", False),
        ("The party is in the garden. I work in an office.", "an office", False),
        ("Garden. I work in an office.", "an office", False),
        ("In an office. No, wait, in the garden.", "an office", False),
    ],
)
def test_the_right_word_in_a_sentence_about_something_else(reply: str, found: str, elsewhere: bool) -> None:
    assert stands_elsewhere("My party is planned. Where does it take place?", ["garden"], reply, found) is elsewhere


@pytest.mark.parametrize(
    ("reply", "back"),
    [
        ("Why do you ask?", True),
        ("Why don't you tell me?", True),
        ("What do you think? How should I know that?", True),
        ("How would I know what you mean.", True),
        ("Is the Pope Catholic?", False),
        ("How else would you get to work?", False),
        ("Who wouldn't?", False),
        ("Why do you ask? You can.", False),
        ("You told me so.", False),
        ("", False),
    ],
)
def test_a_reply_that_only_asks_back(reply: str, back: bool) -> None:
    assert only_asks_back("Can I swim?", reply) is back


@pytest.mark.parametrize(
    ("reply", "supported"),
    [
        ("You would sink like a stone.", False),
        ("Would anybody have noticed if it was so?", False),
        ("You have a doctor.", False),
        ("You never learnt to swim.", True),
        ("Yes, like a fish.", True),
        ("The water is no place for you.", True),
        ("Sure thing", True),
    ],
)
def test_a_word_that_supports_yes_or_no(reply: str, supported: bool) -> None:
    assert supports_yes_or_no("Can I swim?", ["I cannot swim."], reply) is supported
