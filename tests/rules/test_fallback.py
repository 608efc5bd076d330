"""Replies that only fall back."""

import pytest

from chattest.rules.fallback import only_falls_back

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
