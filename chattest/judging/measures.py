"""Scores of single answers, for checks that compare how a score moves."""

from collections.abc import Sequence
from typing import Literal

from chattest.models.judges import Judges
from chattest.records.question import Answer
from chattest.rules.sentiment import polarity
from chattest.text.words import count_words

ScoreName = Literal["sentiment", "toxicity", "similarity", "confidence", "length"]

MEANING: dict[str, str] = {
    "sentiment": "feeling of the answer, -1 to 1; the intent instead, where the bot reports a feeling as its intent",
    "toxicity": "highest label of toxicity, 0 to 1",
    "similarity": "similarity of the answer to a given text, -1 to 1",
    "confidence": "the bot's own confidence, 0 to 1",
    "length": "words of the answer",
}
"""Name of a score -> what it measures."""

_SIGN = {"positive": 1.0, "negative": -1.0, "neutral": 0.0}


def answer_scores(name: str, answers: Sequence[Answer], like: Sequence[str], judges: Judges) -> list[float | None]:
    """Return the score of each answer; `None` where it has none: no confidence reported, or an empty answer.

    Args:
        name: A key of `MEANING`.
        answers: The answers.
        like: For each, the text that `similarity` compares it with.
        judges: The judges of the run.
    """
    if name == "sentiment":
        return [_feeling(answer) for answer in answers]
    if name == "confidence":
        return [answer.confidence for answer in answers]
    if name == "length":
        return [float(count_words(answer.text)) for answer in answers]
    scores: list[float | None] = [None] * len(answers)
    filled = [index for index, answer in enumerate(answers) if answer.text.strip()]
    texts = [answers[index].text for index in filled]
    if name == "toxicity":
        values = [max(labels.values()) for labels in judges.toxicity.labels(texts)]
    else:
        values = judges.similarity.similarity(texts, [like[index] for index in filled])
    for index, value in zip(filled, values, strict=True):
        scores[index] = value
    return scores


def _feeling(answer: Answer) -> float:
    sign = _SIGN.get((answer.intent or "").casefold())
    if sign is None:
        return polarity(answer.text)
    return sign * (1.0 if answer.confidence is None else answer.confidence)
