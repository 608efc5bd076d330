"""WordNet's counts, where WordNet is installed."""

import pytest

from chattest.english.wordnet import sense_count, unavailable, wordnet

pytestmark = [pytest.mark.slow, pytest.mark.skipif(bool(unavailable()), reason=unavailable())]


def test_counts_are_those_that_nltk_finds() -> None:
    words = ("house", "cold", "quickly", "buy", "zeppelin", "'hood", "set")
    lemmas = [lemma for word in words for sense in wordnet().synsets(word)[:6] for lemma in sense.lemmas()]
    assert {lemma.name() for lemma in lemmas} >= {"house", "cold", "buy"}
    assert [sense_count(lemma) for lemma in lemmas] == [lemma.count() for lemma in lemmas]
    assert max(map(sense_count, lemmas)) > 20
