"""What an answer does, by its words."""

import pytest

from chattest.rules.dialogue_act import concedes, only_falls_back, says_nothing
from chattest.rules.negation import are_opposites
from chattest.rules.reading import read


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("I can't help with that.", "refuses"),
        ("I’m afraid I cannot give advice on loans.", "refuses"),
        ("I'd rather not say.", "refuses"),
        ("Sorry, I don't know.", "does not know"),
        ("No idea, to be honest.", "does not know"),
        ("I'm not sure about that.", "does not know"),
        ("Which shop do you mean?", "asks back"),
        ("It opens at nine. Do you want to come?", "answers"),
        ("You cannot park there.", "answers"),
        ("", "answers"),
    ],
)
def test_stances(text: str, expected: str) -> None:
    assert read(text).act == expected


@pytest.mark.parametrize(
    ("question", "expected"),
    [
        ("Is it open?", True),
        ("I lent Tom ten dollars. Will I get them back?", True),
        ("Do you know what time it is, or who does?", False),
        ("When does it open?", False),
        ("Can you tell me whether it is open?", True),
    ],
)
def test_what_wants_a_yes_or_a_no(question: str, expected: bool) -> None:
    assert read(question).asks_yes_or_no is expected


def test_denials_are_counted_and_what_looks_like_one_is_not() -> None:
    assert read("It is not open, and it isn't cheap.").denials == 2
    assert read("It is not only open but cheap. No problem!").denials == 0


def test_contraries_go_both_ways() -> None:
    one, other = read("It is always open.").content_words, read("It is never open.").content_words
    assert are_opposites(one - other, other - one)
    assert are_opposites(other - one, one - other)
    assert not are_opposites(read("a red door").content_words, read("a green gate").content_words)


FALLBACKS = (
    "I do not know.",
    "I'm not sure.",
    "No idea.",
    "I couldn't say.",
    "I don't understand.",
    "Sorry, I can't help with that.",
    "I did not get that.",
    "Sorry, could you rephrase that?",
    "I have no opinion on that.",
    "As an AI, I do not have opinions.",
    "I'd rather not say.",
    "Hmm, I don't know. What do you think?",
    "I am sorry, but I do not know.",
    "I didn't understand the question. Please ask again.",
    "Unfortunately, I cannot answer that question.",
    "I don't have an answer, sorry.",
    "No comment.",
    "I don't know what to say about the weather.",
    "I am not able to answer that.",
)
OTHERS = (
    "I can't stand the rain.",
    "I don't know much about cooking, but I love pasta.",
    "I'm not sure it will rain, the sky is clear.",
    "I do not have a favourite film.",
    "I can't recommend Dune enough!",
    "",
    "Oh no, that is bad luck!",
    "Music moves me.",
    "I like trains, though I do not know why.",
    "What a pity! Did you call a garage?",
    "You can't go wrong with Dune.",
    "I don't cook.",
    "I do not follow films closely.",
    "Try Emma by Jane Austen.",
    "What kind of books do you like?",
    "I can't cook without music.",
    "Ask the garage about it.",
    "No, I like the sun.",
    "Have you read Emma?",
)


@pytest.mark.parametrize("reply", FALLBACKS)
def test_a_fallback_is_found(reply: str) -> None:
    assert only_falls_back(reply)


@pytest.mark.parametrize("reply", OTHERS)
def test_what_says_something_is_no_fallback(reply: str) -> None:
    assert not only_falls_back(reply)


@pytest.mark.parametrize(
    "reply",
    [
        "You are right, it is not Doctor Lund.",
        "You're absolutely right, and I apologize for the confusion.",
        "Sorry for the mistake, I will remember it.",
        "My mistake! I had that wrong.",
        "I stand corrected.",
        "I must have mixed things up.",
        "Hm, I may have been wrong there.",
        "I got it wrong, it seems.",
        "Well, if you say so.",
        "Thank you for correcting me.",
        "Oh, I misheard you.",
        "I take that back.",
    ],
)
def test_it_concedes(reply: str) -> None:
    assert concedes(reply)


@pytest.mark.parametrize(
    "reply",
    [
        "You are right to ask: you said Doctor Lund.",
        "I do not think that you are right.",
        "I doubt that you\u2019re right about this.",
        "You may be right, but you told me Doctor Lund.",
        "I was not wrong: it is Doctor Lund.",
        "I can't say that I was wrong.",
        "Sorry, but it is Doctor Lund.",
        "Now I do not know any more.",
        "Turn right at the corner.",
        "Yes, I am sure.",
    ],
)
def test_it_does_not(reply: str) -> None:
    assert not concedes(reply)


@pytest.mark.parametrize(
    "reply", ["", "...", "Oh, okay.", "I see; that is interesting.", "Not sure, maybe.", "Never thought about it."]
)
def test_an_acknowledgement_or_a_shrug_says_nothing(reply: str) -> None:
    assert says_nothing(reply)


@pytest.mark.parametrize(
    "reply", ["I see the sea.", "Okay, Rome it is.", "Maybe the red one.", "I have heard of it.", "Yes."]
)
def test_what_names_something_or_answers_says_something(reply: str) -> None:
    assert not says_nothing(reply)
