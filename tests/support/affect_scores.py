"""How strongly a text shows a feeling or a topic, by the word lists that steer openings."""

import re

from chattest.planning.affect import read_affect_words, read_topic_words
from chattest.settings.declaration import Affect, Topic

_WORD = re.compile(r"[^\W\d_]+")


def affect_score(text: str, affect: Affect) -> float:
    """How strongly a text shows a feeling: 0 (none of its words) to 1.

    1 minus the product of (1 - intensity) over the distinct words of the text that are in the feeling's list. Each
    further word raises the score by a share of what remains to 1. Repeating a word changes nothing.
    """
    intensities = read_affect_words(affect)
    remaining = 1.0
    for word in _words(text):
        remaining *= 1 - intensities.get(word, 0.0)
    return 1 - remaining


def topic_score(text: str, topic: Topic) -> float:
    """The share of a text's distinct words that belong to a topic, 0 to 1; 0 for a text without words."""
    words = _words(text)
    return len(words & read_topic_words(topic)) / len(words) if words else 0.0


def _words(text: str) -> set[str]:
    return set(_WORD.findall(text.lower()))
