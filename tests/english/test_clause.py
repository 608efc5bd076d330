"""Sentences taken apart where the rules are sure, and left alone where not."""

import pytest

from chattest.english.clause import as_statement, form, inflect, parse

READ = {
    "What is the name of my cat?": "what the name of my cat is",
    "Where does she live?": "where she lives",
    "Who lives in Paris?": "who lives in Paris",
    "What colour is my old car?": "what colour my old car is",
    "How many cats do I have?": "how many cats I have",
    "When did the train leave?": "when the train left",
    "Is my cat black?": "my cat is black",
    "Can you swim?": "you can swim",
    "Does my sister work in Oslo?": "my sister works in Oslo",
    "Did we buy it?": "we bought it",
    "What is in the box?": "what is in the box",
    "Have they gone home?": "they have gone home",
    "Who is coming to dinner?": "who is coming to dinner",
}
LEFT_ALONE = (
    "", "?", "Hello!", "Is it?", "Are my parents teachers?", "Are the apples in the basket green?",
    "Which old cat?", "Which of them is it?", "What about?", "Where is?", "The name of.", "The name of is it.",
    "I know that he left.", "Tell me, is it so?", "What?", "My cat, Mimmi, is black.", "Run and hide!",
    "It is cold. It is late.", "Is my friend patient with you?", "word " * 100,
)  # fmt: skip


@pytest.mark.parametrize("text", READ)
def test_questions_become_statements(text):
    clause = parse(text)
    assert clause is not None
    assert clause.is_question
    assert as_statement(clause) == READ[text]


@pytest.mark.parametrize(
    ("text", "subject", "verb"),
    [
        ("My sister lives in Oslo.", "My sister", "lives"),
        ("I love my dog.", "I", "love"),
        ("The name of my cat is Mimmi.", "The name of my cat", "is"),
        ("She has never been there.", "She", "has"),
    ],
)
def test_statements(text, subject, verb):
    clause = parse(text)
    assert clause is not None
    assert not clause.is_question
    assert clause.piece(*clause.subject) == subject
    assert clause.low(clause.verb) == verb


@pytest.mark.parametrize("text", LEFT_ALONE)
def test_what_is_not_sure_is_left_alone(text):
    assert parse(text) is None


def test_forms_of_verbs():
    assert [form(word) for word in ("lives", "went", "like", "read", "cat's", "saw")] == [
        "VBZ",
        "VBD",
        "VBP",
        "",
        "",
        "VBD",
    ]
    assert [inflect("have", "VBZ"), inflect("be", "VBD"), inflect("go", "VBD"), inflect("carry", "VBZ")] == [
        "has",
        "was",
        "went",
        "carries",
    ]
