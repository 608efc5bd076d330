"""Adds a phrase before or after a text."""

from collections.abc import Sequence
from random import Random


def with_phrase(text: str, phrases: Sequence[str], before: bool, rng: Random) -> tuple[str, int] | None:
    """The text with one of the phrases before or after it, and 1; `None` if there is no text or no phrase.

    Whitespace around the text stays outside the phrase.
    """
    core = text.strip()
    if not core or not phrases:
        return None
    start = len(text) - len(text.lstrip())
    phrase = rng.choice(phrases)
    longer = f"{phrase} {core}" if before else f"{core} {phrase}"
    return text[:start] + longer + text[start + len(core) :], 1
