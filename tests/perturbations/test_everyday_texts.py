"""Countries and faiths are only exchanged in texts of everyday words, which go with all of them."""

import tomllib
from random import Random

import pytest

from chattest.english.neutral_words import has_only_neutral_words
from chattest.perturbations.base import resolve
from tests.support.paths import DATA

TEXTS = tomllib.loads((DATA / "everyday_texts.toml").read_text("utf-8"))


@pytest.mark.slow
@pytest.mark.parametrize("name", sorted(TEXTS))
def test_a_text_with_another_word_is_left_alone(name: str) -> None:
    part = resolve(name)
    altered = {text for rows in TEXTS[name].values() for text in rows if part.variants(text, Random(1))}
    assert altered == set(TEXTS[name]["altered"])


@pytest.mark.parametrize(
    ("text", "neutral"),
    [
        ("My sisters went home with us, didn't they?", True),
        ("I've met Anna's mother-in-law twice.", True),
        ("I was 12 then.", True),
        ("I was there in 1975.", False),
        ("It cost $3.", False),
        ("We ate sushi.", False),
        ("We saw the Kremlin.", False),
        ("Is she non-neutral?", False),
    ],
)
def test_neutral_texts(text: str, neutral: bool) -> None:
    assert has_only_neutral_words(text, lambda word: word == "Anna's") is neutral
    assert (
        not has_only_neutral_words(text, lambda word: word == "Anna's", but={"sister", "twice", "then"}) or not neutral
    )
