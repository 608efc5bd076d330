"""How a conversation opens: what ships, how the knob chooses, and that more knob is more feeling."""

import subprocess
import sys
from collections import Counter
from random import Random
from statistics import mean
from typing import get_args

import pytest

from chattest.planning.affect import read_affect_words, read_topic_words
from chattest.planning.opening import GREETING, draw_opening, read_openers
from chattest.settings.declaration import Affect, Topic
from tests.support.affect_scores import affect_score, topic_score
from tests.support.paths import ROOT

AFFECTS = get_args(Affect)
TOPICS = get_args(Topic)
SEEDS = range(40)
PAIRS = [(affect, topic) for affect in AFFECTS for topic in (None, *TOPICS)]
EVERY = [(None, None), *((None, topic) for topic in TOPICS), *PAIRS]


def sentences(affect, knob, topic):
    return [draw_opening(affect, knob, topic, Random(seed))[1] for seed in SEEDS]


def feeling(affect, knob, topic=None):
    return mean(affect_score(sentence, affect) for sentence in sentences(affect, knob, topic))


@pytest.mark.parametrize(("affect", "topic"), EVERY)
def test_greets_and_says_one_sentence(affect, topic):
    for knob in range(0, 101, 10):
        said = draw_opening(affect, knob, topic, Random(knob))
        assert said[0] == GREETING
        assert len(said) == 2
        assert said[1][-1] in ".!?"


def test_the_same_seed_opens_the_same_way():
    assert draw_opening("joy", 50, "space", Random(7)) == draw_opening("joy", 50, "space", Random(7))


@pytest.mark.parametrize(("affect", "topic"), EVERY)
def test_seeds_vary(affect, topic):
    for knob in range(0, 101, 10):
        assert len(set(sentences(affect, knob, topic))) >= 2, knob


@pytest.mark.parametrize(("affect", "topic"), PAIRS)
def test_more_knob_is_more_feeling(affect, topic):
    """For every feeling, with no topic and with each, over all seeds."""
    scores = [feeling(affect, knob, topic) for knob in (0, 20, 50, 90)]
    assert scores[0] == 0
    assert scores[0] < scores[1] < scores[2] < scores[3]
    assert scores[3] > 0.9


@pytest.mark.parametrize("affect", AFFECTS)
def test_the_knob_moves_its_own_feeling(affect):
    """At full strength no other feeling is as strong as the one that was asked for."""
    said = [sentence for topic in (None, *TOPICS) for sentence in sentences(affect, 100, topic)]
    scores = {other: mean(affect_score(sentence, other) for sentence in said) for other in AFFECTS}
    asked = scores.pop(affect)
    assert max(scores.values()) < asked / 4


@pytest.mark.parametrize("topic", TOPICS)
def test_stays_on_the_topic(topic):
    for affect in (None, *AFFECTS):
        for opener in read_openers(affect, topic):
            assert topic_score(opener.text, topic) > 0, opener


def test_without_feeling_the_knob_has_no_effect():
    assert sentences(None, 0, "science") == sentences(None, 100, "science")
    for sentence in sentences(None, 100, "science"):
        assert all(affect_score(sentence, affect) == 0 for affect in AFFECTS), sentence


def test_takes_the_nearest_strength():
    known = read_openers("anger", "legal")
    for knob in range(0, 101, 5):
        strengths = {opener.text: opener.strength for opener in known}
        nearest = min(abs(strength - knob) for strength in strengths.values())
        for sentence in sentences("anger", knob, "legal"):
            assert abs(strengths[sentence] - knob) <= nearest + 10


def test_enough_openers_ship():
    assert len(read_openers(None, None)) >= 8
    for topic in TOPICS:
        assert len(read_openers(None, topic)) >= 6
    for affect, topic in PAIRS:
        strengths = [opener.strength for opener in read_openers(affect, topic) if opener.strength]
        assert len(strengths) >= (8 if topic is None else 6)
        for low, high in ((1, 33), (34, 66), (67, 100)):
            assert sum(low <= strength <= high for strength in strengths) >= 2, (affect, topic)


def test_openers_are_not_cut_from_a_pattern():
    """Every sentence stands once, and few begin alike."""
    texts = [opener.text for topic in (None, *TOPICS) for opener in read_openers(None, topic)]
    texts += [opener.text for affect, topic in PAIRS for opener in read_openers(affect, topic) if opener.strength]
    assert len(texts) > 500
    assert len(set(texts)) == len(texts)
    beginnings = Counter(" ".join(text.split()[:4]) for text in texts)
    assert beginnings.most_common(1)[0][1] <= 4


def test_ratings_agree_with_the_word_lists():
    """Within a feeling and topic, a sentence rated stronger never scores lower."""
    for affect, topic in PAIRS:
        scores = [affect_score(opener.text, affect) for opener in read_openers(affect, topic) if opener.strength]
        assert scores == sorted(scores), (affect, topic)


@pytest.mark.parametrize(
    ("text", "affect", "score"),
    [
        ("", "joy", 0.0),
        ("The bus is late.", "joy", 0.0),
        ("I am happy.", "joy", 0.6),
        ("HAPPY, happy, happy!", "joy", 0.6),
        ("I am happy and glad.", "joy", 1 - 0.4 * 0.6),
        ("I am overjoyed.", "joy", 1.0),
        ("I am overjoyed.", "fear", 0.0),
    ],
)
def test_affect_score(text, affect, score):
    assert affect_score(text, affect) == pytest.approx(score)


@pytest.mark.parametrize(
    ("text", "topic", "score"),
    [
        ("", "space", 0.0),
        ("The moon", "space", 0.5),
        ("Stars, planets; comets.", "space", 1.0),
        ("A dog", "space", 0.0),
    ],
)
def test_topic_score(text, topic, score):
    assert topic_score(text, topic) == pytest.approx(score)


def test_word_lists():
    for affect in AFFECTS:
        intensities = read_affect_words(affect)
        assert len(intensities) >= 50
        assert all(word == word.lower() and 0 < intensity <= 1 for word, intensity in intensities.items())
        assert len(set(intensities.values())) == 5
    for topic in TOPICS:
        assert len(read_topic_words(topic)) >= 35


def test_needs_no_language_model():
    """Choosing among the openers that ship loads neither torch nor transformers."""
    program = (
        "import sys; from random import Random; from chattest.planning.opening import draw_opening; "
        "draw_opening('joy', 50, None, Random(1)); sys.exit('torch' in sys.modules or 'transformers' in sys.modules)"
    )
    assert subprocess.run([sys.executable, "-c", program], cwd=ROOT, timeout=300).returncode == 0
