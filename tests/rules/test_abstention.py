"""Replies that notice that they cannot know, and what they say beside that."""

import pytest

from chattest.rules.abstention import drop_notices, guesses, notices


@pytest.mark.parametrize(
    ("reply", "noticed", "left"),
    [
        ("You have not told me.", True, ""),
        ("You haven’t told me.", True, ""),
        ("I know her name, but not her age.", True, "I know her name"),
        ("How old is she?", True, ""),
        ("You never said. How old is she?", True, ""),
        ("Nobody has told me.", True, ""),
        ("No idea, but I guess it is Rex.", True, "but I guess it is Rex."),
        ("I don't know. Perhaps Rex?", True, "Perhaps Rex?"),
        ("She is nine.", False, "She is nine."),
        ("She is nine, isn't she?", True, "She is nine, isn't she?"),
        ("I know that she is nine.", False, "I know that she is nine."),
        ("", False, ""),
        ("?" * 3000, True, "?" * 3000),
    ],
)
def test_what_a_reply_notices(reply: str, noticed: bool, left: str) -> None:
    assert notices(reply, may_deny=True) is noticed
    assert drop_notices(reply, may_deny=True) == left


@pytest.mark.parametrize("reply", ["You have no brother.", "There was no flight.", "I thought you took the train."])
def test_to_deny_what_was_assumed_counts_where_it_may(reply: str) -> None:
    assert notices(reply, may_deny=True)
    assert not notices(reply, may_deny=False)


@pytest.mark.parametrize(("text", "guessed"), [("Perhaps Rex.", True), ("I'd say Rex.", True), ("It is Rex.", False)])
def test_a_guess_says_so(text: str, guessed: bool) -> None:
    assert guesses(text) is guessed
