"""Something said before a text or after it."""

from collections.abc import Sequence
from random import Random


def with_phrase(text: str, phrases: Sequence[str], before: bool, rng: Random) -> tuple[str, int] | None:
    """The text with one of the phrases before or after it, and 1; `None` where there is no text or no phrase.

    Blanks around the text stay outside.
    """
    core = text.strip()
    if not core or not phrases:
        return None
    start = len(text) - len(text.lstrip())
    phrase = rng.choice(phrases)
    longer = f"{phrase} {core}" if before else f"{core} {phrase}"
    return text[:start] + longer + text[start + len(core) :], 1
