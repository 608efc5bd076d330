"""Synonyms, shipped and of WordNet, and data augmentation with them."""

from random import Random

import pytest

from chattest.errors import InputError
from chattest.text import synonyms
from chattest.text.synonyms import augment

TEXT = "My kind brother bought a big house near the city."


def test_probability_0_changes_nothing_and_1_everything_that_can():
    assert augment(TEXT, 0.0, Random(1)) == TEXT
    for seed in range(20):
        assert augment(TEXT, 1.0, Random(seed)).startswith("My ")
        assert not {"brother", "bought", "big", "city"} & set(augment(TEXT, 1.0, Random(seed)).strip(".").split())


def test_the_same_seed_gives_the_same_text():
    assert augment(TEXT, 0.5, Random(7)) == augment(TEXT, 0.5, Random(7))
    assert len({augment(TEXT, 0.5, Random(seed)) for seed in range(20)}) > 5


def test_what_is_kept_stays():
    for seed in range(20):
        assert "big house" in augment(TEXT, 1.0, Random(seed), ["Big House"])


def test_names_stay_and_articles_suit():
    assert augment("I met Rich.", 1.0, Random(1)) == "I met Rich."
    assert augment("It is an automobile.", 1.0, Random(1)) == "It is a car."


def test_an_unknown_source_is_refused():
    with pytest.raises(InputError, match="shipped, wordnet"):
        augment(TEXT, 1.0, Random(1), source="thesaurus")


def test_without_wordnet_it_is_refused_and_said(monkeypatch, tmp_path):
    monkeypatch.setattr(synonyms, "DEBIAN", tmp_path / "none")
    monkeypatch.setattr(synonyms, "_in_nltk", lambda: False)
    synonyms.wordnet.cache_clear()
    synonyms._of_wordnet.cache_clear()
    with pytest.raises(InputError, match="wordnet-base"):
        augment(TEXT, 1.0, Random(1), source="wordnet")
    assert "wordnet-base" in synonyms.unavailable()
    synonyms.wordnet.cache_clear()


def test_wordnet_or_a_clear_refusal():
    if synonyms.unavailable():
        with pytest.raises(InputError, match="WordNet is not installed"):
            augment(TEXT, 1.0, Random(1), source="wordnet")
        return
    assert synonyms.synonyms("car", "wordnet") == ("auto", "automobile", "machine", "motorcar")
    assert synonyms.synonyms("the", "wordnet") == ()
    assert synonyms.synonyms("he", "wordnet") == ()
    assert synonyms.synonyms("zzz", "wordnet") == ()
    assert augment("I have a car.", 1.0, Random(1), source="wordnet") != "I have a car."
    assert augment("I have a car.", 1.0, Random(1), ["car"], "wordnet") == "I have a car."
