"""The embedded yes/no judge, as it ships."""

from __future__ import annotations

import pytest

from chattest.models.embedded.yes_no import ADAPTER, EmbeddedYesNo, find_final_question
from chattest.models.protocols import YesNo, YesNoReading

DOG = "Do I have a dog?"


@pytest.fixture(scope="module")
def judge() -> EmbeddedYesNo:
    return EmbeddedYesNo()


def reading(found: YesNoReading) -> str:
    return max(("yes", "no", "neither"), key=lambda name: getattr(found, name))


def test_is_a_yes_no_judge(judge: EmbeddedYesNo) -> None:
    assert isinstance(judge, YesNo)
    assert judge.name == "embedded/yes_no"


@pytest.mark.parametrize(
    ("reply", "expected"),
    [
        ("Yes.", "yes"),
        ("No.", "no"),
        ("no", "no"),
        ("Yes, you told me about Rex.", "yes"),
        ("I know you do", "yes"),
        ("No doubt", "yes"),
        ("Nope", "no"),
        ("I don't think so", "no"),
        ("not that I know of", "no"),
        ("No, you have a cat.", "no"),
        ("I don't know", "neither"),
        ("I have no idea.", "neither"),
        ("You never told me.", "neither"),
        ("Sorry, I did not get that.", "neither"),
        ("I can't help with that.", "neither"),
        ("I am only a keyword bot.", "neither"),
        ("I did not understand you.", "neither"),
        ("My training data ends in 2021.", "neither"),
        ("I can only talk about the weather.", "neither"),
        ("Please contact support.", "neither"),
        (DOG, "neither"),
    ],
)
def test_reads_short_and_negated_replies(judge: EmbeddedYesNo, reply: str, expected: str) -> None:
    assert reading(judge.read([DOG], [reply])[0]) == expected


@pytest.mark.parametrize(
    ("question", "looked_at"),
    [
        ("Is it waterproof?", "Is it waterproof?"),
        ("I always wear my watch. Is it waterproof?", "Is it waterproof?"),
        ("Is it waterproof? I always wear it.", "Is it waterproof?"),
        ("My bicycle is black.\nIs my bicycle black?!", "Is my bicycle black?!"),
        ("I have a watch. is it waterproof", "is it waterproof"),
        ("", ""),
        ("?!", "?!"),
    ],
)
def test_the_last_sentence_that_asks_is_looked_at(question: str, looked_at: str) -> None:
    assert find_final_question(question) == looked_at


def test_what_leads_up_to_a_question_tells_what_a_reply_means(judge: EmbeddedYesNo) -> None:
    led_up, alone = judge.read(["I have a dog called Rex. Do I have a pet?", "Do I have a pet?"], ["There is Rex."] * 2)
    assert led_up.yes > alone.yes


def test_a_long_story_before_a_question_is_left_out(judge: EmbeddedYesNo) -> None:
    story = " ".join(["I always wear my old watch."] * 6)
    long, short = judge.read([f"{story} Is it waterproof?", "Is it waterproof?"], ["Your watch is."] * 2)
    assert long == short


def test_reads_indirect_answers(judge: EmbeddedYesNo) -> None:
    questions = ["Do you like running?", "Are you employed?"]
    found = judge.read(questions, ["I hate every step of it.", "I'm a veterinary technician."])
    assert [reading(one) for one in found] == ["no", "yes"]


def test_gives_one_reading_for_each_pair_in_order(judge: EmbeddedYesNo) -> None:
    replies = ["No.", "Yes, of course you have a dog, he is called Rex and he is brown.", "No.", "Yes."]
    together = judge.read([DOG] * 4, replies)
    apart = [judge.read([DOG], [reply])[0] for reply in replies]
    for one, other in zip(together, apart, strict=True):
        assert one.yes == pytest.approx(other.yes, abs=1e-4)
        assert one.yes + one.no + one.neither == pytest.approx(1.0, abs=1e-5)
    assert together[0] == together[2]


def test_odd_input(judge: EmbeddedYesNo) -> None:
    assert judge.read([], []) == []
    assert len(judge.read([DOG, ""], ["", "yes " * 3000])) == 2
    with pytest.raises(ValueError, match="argument"):
        judge.read([DOG], [])


def test_weights_are_small() -> None:
    assert ADAPTER.stat().st_size < 6_000_000
