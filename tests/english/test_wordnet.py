"""WordNet's counts, where WordNet is installed."""

import pytest

from chattest.english.wordnet import count_sense, explain_missing, wordnet

pytestmark = [pytest.mark.slow, pytest.mark.skipif(bool(explain_missing()), reason=explain_missing())]


def test_counts_are_those_that_nltk_finds() -> None:
    words = ("house", "cold", "quickly", "buy", "zeppelin", "'hood", "set")
    lemmas = [lemma for word in words for sense in wordnet().synsets(word)[:6] for lemma in sense.lemmas()]
    assert {lemma.name() for lemma in lemmas} >= {"house", "cold", "buy"}
    assert [count_sense(lemma) for lemma in lemmas] == [lemma.count() for lemma in lemmas]
    assert max(map(count_sense, lemmas)) > 20
