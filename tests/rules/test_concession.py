"""Which replies give in to somebody who contradicts them."""

import pytest

from chattest.rules.concession import gives_in


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
def test_it_gives_in(reply: str) -> None:
    assert gives_in(reply)


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
    assert not gives_in(reply)
