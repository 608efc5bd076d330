"""The reader bot over the embedded models: it remembers, answers from what it was told, and admits what it was not."""

import pytest

pytestmark = pytest.mark.slow

UNKNOWN = ("I do not know.", "That I do not know.", "I have not heard about that.", "I cannot say.")


def said(*texts):
    """A conversation in which the other said these texts and the bot "I see." to each but the last."""
    return [part for text in texts for part in (text, "I see.")][:-1]


TOLD = ["My cat is called Mittens.", "I work as a nurse.", "It rains.", "I do not own a car.", "My brother is 31 now."]


@pytest.mark.parametrize(
    ("question", "answer"),
    [
        ("What is the name of my cat?", "Your cat is called Mittens."),
        ("What is my job?", "You work as a nurse."),
        ("How old is my brother?", "Your brother is 31 now."),
        ("I often think of my cat. What is its name?", "Your cat is called Mittens."),
        ("What is your name?", "My name is Solveig."),
        ("Where do you live?", "I live in Tromsø."),
    ],
)
def test_open_questions(make, question, answer):
    assert make("reader").get_response(said(*TOLD, question)) == answer


@pytest.mark.parametrize(
    ("question", "answer"),
    [("Do I own a car?", "No. You do not own a car."), ("Do I work as a nurse?", "Yes. You work as a nurse.")],
)
def test_closed_questions(make, question, answer):
    assert make("reader").get_response(said(*TOLD, question)) == answer


@pytest.mark.parametrize("question", ["What is the name of my horse?", "Do I play the trombone?", "What is my name?"])
def test_what_it_was_not_told_it_does_not_know(make, question):
    bot = make("reader")
    assert bot.get_response(said(*TOLD[2:4], question)) in UNKNOWN


def test_statements_are_acknowledged_and_silence_is_borne(make):
    bot = make("reader")
    assert bot.get_response(said(*TOLD)).endswith("Your brother is 31 now.")
    assert bot.get_response([]) == "Hello."
    assert all(bot.get_response([text]) for text in ["", " \n", "Hm", "?", "???", "...", "My", "Why"])


def test_it_knows_only_its_own_conversation(make):
    one, other = make("reader", conversation_id="1"), make("reader", conversation_id="2")
    one.get_response([TOLD[0]])
    assert "Mittens" not in other.get_response(["What is the name of my cat?"])
