"""The sentiment of a text by TextBlob's lexicon, which needs no network."""

from chattest.text.textblob_tagger import english

BAND = 0.1
"""A polarity closer to 0 than this is neutral."""


def polarity(text: str) -> float:
    """Return how positive a text is, -1 to 1; 0 if the lexicon knows none of its words."""
    value: float = english().sentiment(text)[0]
    return value


def name_polarity(value: float) -> str:
    """Return the name of a polarity: `positive`, `negative` or `neutral`."""
    return "neutral" if abs(value) < BAND else "positive" if value > 0 else "negative"
