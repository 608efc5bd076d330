"""Word lists of feelings and topics.

The lists are short and written by hand. They match exact word forms and know neither irony nor negation: good enough to
steer and compare openings, not to read a person's mood.
"""

import tomllib
from collections.abc import Mapping
from functools import cache
from pathlib import Path
from types import MappingProxyType
from typing import Any

from chattest.settings.declaration import Affect, Topic

DATA = Path(__file__).parent / "data"


@cache
def read_data(name: str) -> dict[str, Any]:
    """Return the content of the shipped file `data/<name>.toml`."""
    return tomllib.loads((DATA / f"{name}.toml").read_text("utf-8"))


@cache
def read_affect_words(affect: Affect) -> Mapping[str, float]:
    """Return the words of a feeling with their intensities, above 0 and at most 1.

    Raises:
        KeyError: there is no such feeling.
    """
    grades: dict[str, str] = read_data("affects")[affect]
    return MappingProxyType({word: float(grade) for grade, listed in grades.items() for word in listed.split()})


@cache
def read_topic_words(topic: Topic) -> frozenset[str]:
    """Return the words of a topic.

    Raises:
        KeyError: there is no such topic.
    """
    listed: str = read_data("topics")[topic]
    return frozenset(listed.split())
