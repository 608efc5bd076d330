"""How a reply names an expected answer."""

import tomllib

import pytest

from chattest.rules.mentions import (
    among_guesses,
    asks_about_now,
    denies_answer,
    find_correction,
    only_denied,
    share,
    tells_as_past,
    without_other_denials,
)
from tests.support.paths import DATA

NAMES = [
    # expected, reply, share, denied, among guesses, corrected
    ("Mittens", "She is called Mittens.", 1.0, False, False, 0),
    ("Mittens", "Your cat is not called Mittens.", 1.0, True, False, 0),
    ("Mittens", "It isn't Felix, it's Mittens.", 1.0, False, False, 0),
    ("Mittens", "If I'm not mistaken she is called Mittens.", 1.0, False, False, 0),
    ("Mittens", "Felix, Tom or Mittens.", 1.0, False, True, 0),
    ("Mittens", "Felix? Mittens? Tom?", 1.0, False, True, 0),
    ("Mittens", "Either Felix or Mittens.", 1.0, False, True, 0),
    ("Mittens", "Mittens, of course.", 1.0, False, False, 0),
    ("Mittens", "Mittens, no wait, Felix.", 1.0, False, False, -1),
    ("Mittens", "Felix. Sorry, I mean Mittens.", 1.0, False, False, 1),
    ("Mittens", "I have no idea.", 0.0, False, False, 0),
    ("Lena and Oskar", "Oskar and Lena.", 1.0, False, False, 0),
    ("Lena and Oskar", "One of them is Oskar.", 0.5, False, False, 0),
    ("New York", "New Orleans, wasn't it?", 0.5, False, False, 0),
    ("the left one", "Left.", 1.0, False, False, 0),
    ("the left one", "It's not your left one.", 1.0, True, False, 0),
    ("twelve", "12 of them.", 1.0, False, False, 0),
    ("one", "Just one.", 1.0, False, False, 0),
    ("red, green and blue", "Red, green and blue.", 1.0, False, False, 0),
    ("Oskar", "Oskar's the boy.", 1.0, False, False, 0),
    ("Mittens", "There is no cat you like more than Mittens.", 1.0, False, False, 0),
    ("Mittens", "You never had a better one than Mittens.", 1.0, True, False, 0),
    ("Mittens", "", 0.0, False, False, 0),
]


@pytest.mark.parametrize(("expected", "reply", "part", "no", "guesses", "change"), NAMES)
def test_what_a_reply_says_about_the_answer(
    expected: str, reply: str, part: float, no: bool, guesses: bool, change: float
) -> None:
    assert share(expected, reply) == part
    assert denies_answer(expected, reply) is no
    assert among_guesses(expected, reply) is guesses
    assert find_correction(expected, reply) == change


def test_an_expected_answer_without_words_is_named_nowhere() -> None:
    assert (
        share("?!", "What?!"),
        denies_answer("?!", "No!"),
        among_guesses("?!", "a, b or c"),
        find_correction("?!", "no"),
    ) == (
        0.0,
        False,
        False,
        0.0,
    )


@pytest.mark.parametrize(
    ("expected", "reply", "nothing_else"),
    [
        ("Mittens", "It isn't Mittens.", True),
        ("Mittens", "Well, I don’t think it's Mittens.", True),
        ("Mittens", "Mittens? Nope!", True),
        ("Mittens", "Anything but Mittens.", True),
        ("Friday", "Any day of the week except Friday", True),
        ("three cats", "Certainly not three cats.", True),
        ("Mittens", "It isn't Mittens, it's Felix.", False),
        ("Mittens", "Mittens? No, Felix.", False),
        ("Mittens", "Felix? No, Mittens.", False),
        ("Mittens", "Isn't it Mittens?", False),
        ("Mittens", "She is called Mittens.", False),
        ("Mittens", "You never tire of Mittens.", False),
        ("not far", "Not far.", False),
        ("?!", "No!", False),
        ("Mittens", "", False),
    ],
)
def test_whether_a_reply_only_denies_the_answer(expected: str, reply: str, nothing_else: bool) -> None:
    assert only_denied(expected, reply) is nothing_else


CAT = "What is my cat called?"


@pytest.mark.parametrize(
    ("reply", "rest"),
    [
        ("No. Mittens is your cat.", "Mittens is your cat."),
        ("No, no. Mittens.", "Mittens."),
        ("Nope. Mittens.", "Mittens."),
        ("Well, it isn't Felix, it's Mittens.", "Well, it's Mittens."),
        ("Not Felix but Mittens.", "but Mittens."),
        # What follows the answer may take it back.
        ("Not Felix. Mittens, or not?", "Mittens, or not?"),
        ("Mittens. No, Felix.", None),
        # The denial concerns the answer, or what the question assumes.
        ("Not Mittens.", None),
        ("No, it is not Mittens.", None),
        ("No, your cat isn't called that. Mittens is your dog.", None),
        # What follows is a guess.
        ("I don't know. Mittens?", None),
        # Nothing is denied.
        ("If I'm not mistaken, Mittens.", None),
        ("Your cat is Mittens.", None),
        ("No idea.", None),
        ("", None),
    ],
)
def test_denials_of_other_answers_are_left_out(reply: str, rest: str | None) -> None:
    assert without_other_denials(CAT, "Mittens", reply) == (reply if rest is None else rest)


CASES = tomllib.loads((DATA / "matching" / "past.toml").read_text(encoding="utf-8"))["cases"]


@pytest.mark.parametrize(("question", "expected", "reply", "over"), CASES)
def test_an_answer_that_is_over_does_not_answer_how_things_are(
    question: str, expected: str, reply: str, over: bool
) -> None:
    assert (asks_about_now(question) and tells_as_past(expected, reply)) is over
