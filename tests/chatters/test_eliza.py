"""ELIZA repeats for a seed, opens, and survives whatever she hears."""

import random

import pytest


def test_a_seed_repeats_and_python_s_own_chance_is_left_alone(make):
    lines = ["I need a holiday.", "I feel sad.", "My mother is kind.", "Because I say so.", "It rains."] * 3
    eliza = make("eliza", seed="7")
    random.seed(5)
    before = random.getstate()
    first = [eliza.get_response([line]) for line in lines]
    assert random.getstate() == before
    again, other = make("eliza", seed="7"), make("eliza", seed="8")
    assert [again.get_response([line]) for line in lines] == first
    assert [other.get_response([line]) for line in lines] != first


@pytest.mark.parametrize(
    ("heard", "answered"),
    [
        ("I need my 50% share!", "your 50% share"),
        ("I need you.", "me"),
        ("I AM TIRED OF IT", "tired of it"),
        ("I need\nhelp", "help"),
    ],
)
def test_she_turns_what_she_hears_round(make, heard, answered):
    assert answered in make("eliza").get_response(["Hi", heard])


def test_a_heard_question_mark_is_not_doubled(make):
    replies = {make("eliza", seed=str(seed)).get_response(["I need help?"]) for seed in range(20)}
    assert not [reply for reply in replies if reply.endswith(("??", "?."))]


def test_she_opens_and_silence_does_not_stop_her(make):
    eliza = make("eliza")
    assert eliza.get_response([]).endswith("?")
    assert all(eliza.get_response([text]) for text in ["", " ", "...", "\n"])
