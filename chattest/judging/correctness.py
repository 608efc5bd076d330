"""How right answers are, by three measures: exact match, token F1, and the judges.

Exact match and token F1 are those of SQuAD (Rajpurkar et al., 2016): they ignore case, punctuation and articles, and of
several right answers the nearest one counts.
"""

import re
from collections import Counter
from collections.abc import Callable, Sequence

from chattest.datasets.questions import LabelledQuestion
from chattest.judging.equivalence import picked_option
from chattest.judging.expectations import Expected, ExpectedReply, outcomes
from chattest.models.judges import Judges
from chattest.records.plan import answer_in_words
from chattest.records.question import Answer
from chattest.records.result import Score
from chattest.settings.declaration import Settings

MEASURES = {
    "exact_match": "the answer is the right one word for word",
    "token_f1": "the answer's words are those of the right one",
    "judged": "the judges find the right answer in the reply",
}
"""Measure -> when an answer is right by it."""


def right_answers(entry: LabelledQuestion) -> list[str]:
    """The right answers of a question, in words; none where it has no right answer."""
    if entry.answer is None:
        return []
    return [answer_in_words(entry.answer), *([] if isinstance(entry.answer, bool) else entry.also)]


def measured_answers(
    measure: str, entries: Sequence[LabelledQuestion], answers: Sequence[Answer], settings: Settings, judges: Judges
) -> list[tuple[bool, Score, str]]:
    """For each question and its answer: whether the answer is right, its score (0 to 1) and the reason.

    measure: a key of `MEASURES`. entries: questions that have a right answer.
    """
    if measure == "judged":
        return _judged(entries, answers, settings.threshold, judges)
    bar = 1.0 if measure == "exact_match" else settings.check_token_f1
    name = measure.replace("_", " ")
    rows = []
    for entry, answer in zip(entries, answers, strict=True):
        said = _picked(entry, answer) or answer.text
        value = max(_score(measure, right, said) for right in right_answers(entry))
        rows.append((value >= bar, Score(value, said), f"{name} {value:.2f}, bar {bar:g}"))
    return rows


def _picked(entry: LabelledQuestion, answer: Answer) -> str | None:
    """The option that the answer picks; `None` where there are none, or it does not pick exactly one."""
    return picked_option(entry.question, answer.text) if entry.question.options else None


def _judged(
    entries: Sequence[LabelledQuestion], answers: Sequence[Answer], threshold: Callable[[str], float], judges: Judges
) -> list[tuple[bool, Score, str]]:
    replies = []
    for entry, answer in zip(entries, answers, strict=True):
        closed = entry.answer if isinstance(entry.answer, bool) else None
        texts = () if closed is not None else tuple(right_answers(entry))
        picked = _picked(entry, answer)
        given = Answer(picked) if picked else answer  # a bare letter tells a reader nothing
        replies.append(ExpectedReply(entry.question, Expected(texts, closed, entry.extract_with), given))
    return [(outcome.met, outcome.score, outcome.reason) for (outcome,) in outcomes(replies, threshold, judges)]


def _score(measure: str, right: str, said: str) -> float:
    if measure == "exact_match":
        return float(_words(right) == _words(said))
    return token_f1(right, said)


def token_f1(right: str, said: str) -> float:
    """The harmonic mean, 0 to 1, of the two texts' shares of words that the other one has too."""
    expected, given = Counter(_words(right)), Counter(_words(said))
    common = (expected & given).total()
    return 2 * common / (expected.total() + given.total()) if common else 0.0


def _words(text: str) -> list[str]:
    return [word for word in re.findall(r"\w+", text.casefold()) if word not in ("a", "an", "the")]
