"""Replies that are none: gibberish, and the prompt once more."""

import tomllib

import pytest

from chattest.rules.echo import is_echo, says_back
from chattest.rules.gibberish import is_gibberish
from tests.support.paths import DATA

GIBBERISH, ECHO = (
    tomllib.loads((DATA / "scorers" / f"{kind}.toml").read_text(encoding="utf-8"))["cases"]
    for kind in ("gibberish", "echo")
)


@pytest.mark.parametrize(("reply", "gibberish"), GIBBERISH)
def test_gibberish_is_told_from_language(reply: str, gibberish: bool) -> None:
    assert is_gibberish(reply) is gibberish


@pytest.mark.parametrize(("prompt", "reply", "echo"), ECHO)
def test_an_echo_is_told_from_what_people_say_back(prompt: str, reply: str, echo: bool) -> None:
    assert is_echo(prompt, reply) is echo


@pytest.mark.parametrize(
    ("fact", "reply", "back"),
    [
        ("My cat is a girl.", "Your cat is a girl.", True),
        ("I own a bakery", "you own a bakery!", True),
        ("The museum opens at nine.", "The museum opens at nine.", True),
        ("I own a bakery.", "I own a bakery.", False),
        ("My cat is a girl.", "Your cat is a girl?", False),
        ("My cat is a girl.", "You never told me that your cat is a girl.", False),
        ("I own a bakery.", "You do not own a bakery.", False),
        ("I own a bakery.", "", False),
    ],
)
def test_a_fact_said_back_to_the_user(fact: str, reply: str, back: bool) -> None:
    assert says_back(fact, reply) is back
