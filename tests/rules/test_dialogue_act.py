"""What an answer does, by its words."""

import pytest

from chattest.rules.dialogue_act import asks_yes_or_no, content_words, contrary, denials, stance


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
    assert stance(text) == expected


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
    assert asks_yes_or_no(question) is expected


def test_denials_are_counted_and_what_looks_like_one_is_not() -> None:
    assert denials("It is not open, and it isn't cheap.") == 2
    assert denials("It is not only open but cheap. No problem!") == 0


def test_contraries_go_both_ways() -> None:
    one, other = content_words("It is always open."), content_words("It is never open.")
    assert contrary(one - other, other - one)
    assert contrary(other - one, one - other)
    assert not contrary(content_words("a red door"), content_words("a green gate"))
