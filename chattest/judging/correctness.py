"""How right answers are, by three measures: exact match, token F1, and the judges' reading.

Exact match and token F1 as for SQuAD (Rajpurkar et al., 2016): without regard to case, punctuation and articles; of
several right answers the nearest counts.
"""

import re
from collections import Counter
from collections.abc import Callable, Sequence

from chattest.datasets.questions import LabelledQuestion
from chattest.judging.equivalence import picked_option
from chattest.judging.expectations import Expected, Replied, met
from chattest.models.judges import Judges
from chattest.records.question import Answer
from chattest.records.result import Score

MEASURES = {
    "exact_match": "the answer is the right one word for word",
    "token_f1": "the answer's words are those of the right one",
    "judged": "the judges find the right answer in the reply",
}
"""Measure -> what it asks."""


def right_ones(entry: LabelledQuestion) -> list[str]:
    """The right answers of an entry that has one, in words."""
    if isinstance(entry.answer, bool):
        return ["yes" if entry.answer else "no"]
    return [] if entry.answer is None else [entry.answer, *entry.also]


def measured(
    measure: str,
    entries: Sequence[LabelledQuestion],
    answers: Sequence[Answer],
    threshold: Callable[[str], float],
    bar: float,
    judges: Judges,
) -> list[tuple[bool, Score, str]]:
    """For each entry and its answer: whether it is right, its score (0 to 1) and why.

    measure: a key of `MEASURES`. threshold: setting -> the bar in force. bar: that of the token F1.
    """
    if measure == "judged":
        return _judged(entries, answers, threshold, judges)
    found = []
    for entry, answer in zip(entries, answers, strict=True):
        said = picked_option(entry.question, answer.text) or answer.text if entry.question.options else answer.text
        values = [_score(measure, right, said) for right in right_ones(entry)]
        value = max(values)
        needed = 1.0 if measure == "exact_match" else bar
        name = measure.replace("_", " ")
        found.append((value >= needed, Score(value, said), f"{name} {value:.2f}, bar {needed:g}"))
    return found


def _judged(
    entries: Sequence[LabelledQuestion], answers: Sequence[Answer], threshold: Callable[[str], float], judges: Judges
) -> list[tuple[bool, Score, str]]:
    replied = []
    for entry, answer in zip(entries, answers, strict=True):
        closed = entry.answer if isinstance(entry.answer, bool) else None
        texts = () if closed is not None else tuple(right_ones(entry))
        picked = picked_option(entry.question, answer.text) if entry.question.options else None
        given = Answer(picked) if picked else answer  # a bare letter says nothing to a reader
        replied.append(Replied(entry.question, Expected(texts, closed, entry.extract_with), given))
    return [(found.held, found.score, found.why) for (found,) in met(replied, threshold, judges)]


def _score(measure: str, right: str, said: str) -> float:
    if measure == "exact_match":
        return float(_words(right) == _words(said))
    return token_f1(right, said)


def token_f1(right: str, said: str) -> float:
    """The harmonic mean, 0 to 1, of the shares of words that the two texts have in common."""
    one, other = Counter(_words(right)), Counter(_words(said))
    common = (one & other).total()
    return 2 * common / (one.total() + other.total()) if common else 0.0


def _words(text: str) -> list[str]:
    return [word for word in re.findall(r"\w+", text.casefold()) if word not in ("a", "an", "the")]
