"""The embedded answer match, as it ships, and the string comparison it is told about."""

from __future__ import annotations

import pytest

from chattest.models.embedded.match import ADAPTER, EmbeddedMatch, make_pair, measure_containment
from chattest.models.protocols import AnswerMatch

CAT = "What is my cat called?"


@pytest.fixture(scope="module")
def judge() -> EmbeddedMatch:
    return EmbeddedMatch()


def test_is_an_answer_match(judge: EmbeddedMatch) -> None:
    assert isinstance(judge, AnswerMatch)
    assert judge.name == "embedded/match"


@pytest.mark.parametrize(
    ("expected", "reply", "share"),
    [
        ("Mittens", "Your cat is called mittens!", 1.0),
        ("Mittens", "Felix", 0.0),
        ("New York", "york, new", 0.9),
        ("New York", "York", 0.5),
        ("The Beatles", "beatles", 1.0),
        ("kidney", "the kidneys", 1.0),
        ("Johan", "Johannes", 0.0),
        ("James Rodríguez", "James Rodriguez", 1.0),
        ("12", "120", 0.0),
        ("Lulu / Shirley Bassey", "It was Lulu.", 1.0),
        ("", "anything", 0.0),
        ("Mittens", "", 0.0),
    ],
)
def test_containment(expected: str, reply: str, share: float) -> None:
    assert measure_containment(expected, reply) == pytest.approx(share)


def test_the_encoder_is_told_how_much_is_contained() -> None:
    assert make_pair(CAT, "Mittens", "Mittens!")[0].startswith("all | Mittens | What")
    assert make_pair(CAT, "Mittens", "Felix")[0].startswith("none")


@pytest.mark.parametrize(
    ("question", "expected", "reply", "right"),
    [
        (CAT, "Mittens", "Mittens", True),
        (CAT, "Mittens", "Your cat is called Mittens.", True),
        (CAT, "Mittens", "Felix", False),
        (CAT, "Mittens", "I don't know.", False),
        ("What sport do I play?", "football", "You play basketball.", False),
        ("Which day is my appointment?", "Tuesday", "It's on Thursday.", False),
        ("How old am I?", "12", "You are 12.", True),
        ("who sang the theme song for the man with the golden gun", "Lulu", "The theme was sung by Lulu.", True),
    ],
)
def test_judges_plain_cases(judge: EmbeddedMatch, question: str, expected: str, reply: str, right: bool) -> None:
    assert (judge.match([question], [expected], [reply])[0] >= 0.5) is right


def test_gives_one_chance_for_each_reply_in_order(judge: EmbeddedMatch) -> None:
    replies = ["Felix.", "I know, your cat is called Mittens, you told me so last week.", "Felix.", "Mittens"]
    together = judge.match([CAT] * 4, ["Mittens"] * 4, replies)
    apart = [judge.match([CAT], ["Mittens"], [reply])[0] for reply in replies]
    assert together == pytest.approx(apart, abs=1e-4)
    assert together[0] == together[2]
    assert all(0.0 <= chance <= 1.0 for chance in together)


def test_odd_input(judge: EmbeddedMatch) -> None:
    assert judge.match([], [], []) == []
    assert len(judge.match(["", CAT], ["", "Mittens"], ["", "so " * 3000])) == 2
    with pytest.raises(ValueError, match="argument"):
        judge.match([CAT], ["Mittens"], [])


def test_weights_are_small() -> None:
    assert ADAPTER.stat().st_size < 6_000_000
