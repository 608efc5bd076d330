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


def test_it_says_the_same_to_several_at_once_as_to_each_alone(make):
    asked = ["What is the name of my cat?", "Do I own a car?", "What is my name?", "Where do you live?", "Am I tall?"]
    talks = [[], [""], ["Hm."], *(said(*TOLD[: 2 + number], question) for number, question in enumerate(asked)), TOLD]
    seeds = [f"seed {number}" for number in range(len(talks))]
    bot = make("reader")
    alone = [make("reader", seed=seed).get_response(talk) for seed, talk in zip(seeds, talks, strict=True)]
    assert type(bot).get_responses(bot.shared, talks, seeds) == alone
    assert {"Your cat is called Mittens.", "I live in Tromsø."} < set(alone)
    assert set(alone) & set(UNKNOWN)


def test_it_reads_only_what_is_about_the_question(make, monkeypatch):
    bot = make("reader")
    read = []
    model = bot.shared["judges"].reader

    def noted(questions, passages):
        read.extend(passages)
        return reads(questions, passages)

    reads = model.read
    monkeypatch.setattr(model, "read", noted)
    assert bot.get_response(said(*TOLD, "What is the name of my cat?")) == "Your cat is called Mittens."
    assert "My cat is called Mittens." in read
    assert "It rains." not in read
