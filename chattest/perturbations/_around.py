"""Add a phrase before or after a text."""

from collections.abc import Sequence
from random import Random

from chattest.english.speech_act import questions
from chattest.text.words import PROTECTED_MARK


def add_phrase(
    text: str, phrases: Sequence[str], before: bool, rng: Random, closed: bool = True
) -> tuple[str, int] | None:
    """Return the text with one of the phrases before or after it, and 1; `None` if there is no text or no phrase.

    Whitespace around the text stays outside the phrase. With `closed`, a text that ends without a mark gets one before
    the phrase, a question mark if it asks and else a full stop.
    """
    core = text.strip()
    if not core or not phrases:
        return None
    start = len(text) - len(text.lstrip())
    phrase = rng.choice(phrases)
    longer = f"{phrase} {core}" if before else f"{core}{find_missing_mark(core) if closed else ''} {phrase}"
    return text[:start] + longer + text[start + len(core) :], 1


def find_missing_mark(core: str) -> str:
    """Return the mark that is missing at the end of a text; empty if it has one, or ends with an emoji or the like."""
    if not (core[-1].isalnum() or PROTECTED_MARK.match(core[-1])):
        return ""
    # The question may come last: "my mom hates garlic, what can I cook".
    return "?" if questions(core) or questions(core.rpartition(", ")[2]) else "."
