"""What a reply says beside its denials of other answers."""

import pytest

from chattest.rules.values.other_denials import without_other_denials

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
