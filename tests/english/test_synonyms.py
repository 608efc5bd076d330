"""Synonyms, shipped and of WordNet, and data augmentation with them."""

from random import Random

import pytest

from chattest.english import wordnet
from chattest.english.synonyms import augment
from chattest.english.wordnet_synonyms import find_inflected_synonyms
from chattest.errors import InputError

TEXT = "My kind friend bought a big house near the noisy shop."


def test_probability_0_changes_nothing_and_1_everything_that_can():
    assert augment(TEXT, 0.0, Random(1)) == TEXT
    for seed in range(20):
        assert augment(TEXT, 1.0, Random(seed)).startswith("My ")
        assert not {"friend", "bought", "big", "noisy", "shop"} & set(
            augment(TEXT, 1.0, Random(seed)).strip(".").split()
        )


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
    monkeypatch.setattr(wordnet, "DEBIAN", tmp_path / "none")
    monkeypatch.setattr(wordnet, "_is_in_nltk", lambda: False)
    wordnet.wordnet.cache_clear()
    with pytest.raises(InputError, match="wordnet-base"):
        augment(TEXT, 1.0, Random(1), source="wordnet")
    assert "wordnet-base" in wordnet.explain_missing()
    wordnet.wordnet.cache_clear()


def test_wordnet_or_a_clear_refusal():
    if wordnet.explain_missing():
        with pytest.raises(InputError, match="WordNet is not installed"):
            augment(TEXT, 1.0, Random(1), source="wordnet")
        return
    assert find_inflected_synonyms("sofas", "n") == ("couches",)
    for stays in ("the", "he", "zzz", "lay", "place"):
        assert find_inflected_synonyms(stays, "v") == ()
    assert augment("I have a sofa.", 1.0, Random(1), source="wordnet") != "I have a sofa."
    assert augment("I have a sofa.", 1.0, Random(1), ["sofa"], "wordnet") == "I have a sofa."
