"""Word lists of feelings and topics, and scores of a text by these lists.

The lists are short and written by hand. They match exact word forms and know neither irony nor negation: good enough to
steer and compare openings, not to read a person's mood.
"""

import re
import tomllib
from collections.abc import Mapping
from functools import cache
from pathlib import Path
from types import MappingProxyType
from typing import Any

from chattest.settings.declaration import Affect, Topic

DATA = Path(__file__).parent / "data"

_WORD = re.compile(r"[^\W\d_]+")


@cache
def read_data(name: str) -> dict[str, Any]:
    """The content of the shipped file `data/<name>.toml`."""
    return tomllib.loads((DATA / f"{name}.toml").read_text("utf-8"))


@cache
def affect_words(affect: Affect) -> Mapping[str, float]:
    """Word -> its intensity, above 0 and at most 1, for a feeling. Raises `KeyError` for an unknown feeling."""
    grades: dict[str, str] = read_data("affects")[affect]
    return MappingProxyType({word: float(grade) for grade, listed in grades.items() for word in listed.split()})


@cache
def topic_words(topic: Topic) -> frozenset[str]:
    """The words of a topic. Raises `KeyError` for an unknown topic."""
    listed: str = read_data("topics")[topic]
    return frozenset(listed.split())


def affect_score(text: str, affect: Affect) -> float:
    """How strongly a text shows a feeling: 0 (none of its words) to 1.

    1 minus the product of (1 - intensity) over the distinct words of the text that are in the feeling's list. Each
    further word raises the score by a share of what remains to 1. Repeating a word changes nothing.
    """
    intensities = affect_words(affect)
    remaining = 1.0
    for word in _words(text):
        remaining *= 1 - intensities.get(word, 0.0)
    return 1 - remaining


def topic_score(text: str, topic: Topic) -> float:
    """The share of a text's distinct words that belong to a topic, 0 to 1; 0 for a text without words."""
    words = _words(text)
    return len(words & topic_words(topic)) / len(words) if words else 0.0


def _words(text: str) -> set[str]:
    return set(_WORD.findall(text.lower()))
