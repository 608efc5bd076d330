"""Decides whether a reply repeats a question, as the reference implementation does."""

import re
from collections.abc import Sequence

from chattest.models.judges import Judges
from chattest.records.result import Score
from chattest.scorers.base import Item, Scorer, scorer

_BEFORE = re.compile(r"[.,!]")


def questions_of_reference(text: str) -> list[str]:
    """Return the text before each "?", in lower case, from the last ".", "," or "!" on."""
    return [_BEFORE.split(part)[-1].strip() for part in text.lower().split("?")[:-1]]


@scorer("repeated_question_reference")
class RepeatedQuestionOfReference(Scorer):
    """1 where a question of the reply was asked before in exactly the same words, else 0.

    Source: Emely-testing. The text is put in lower case and split at "?"; of each part, what follows the last ".", ","
    or "!" is the question. The setting `formula` chooses it for ML-A7.
    """

    threshold = "threshold_repeated_question"
    requirement = "sameness below {threshold:g}"
    reads_history = True

    def score(self, items: Sequence[Item], judges: Judges) -> list[Score]:
        """Compare words; no model is asked."""
        return [_score(item) for item in items]

    def passes(self, score: Score, item: Item, threshold: float) -> bool:
        """Return True below the threshold."""
        return score.value is not None and score.value < threshold

    def explain(self, score: Score, item: Item, threshold: float) -> str:
        """Quote the question."""
        if not score.interpretation:
            return "asked for the first time"
        return f'the same question was asked before: "{score.interpretation}"'


def _score(item: Item) -> Score:
    before = {question for reply in item.earlier_replies for question in questions_of_reference(reply)}
    questions = questions_of_reference(item.reply)
    if not questions:
        return Score(None, reason="it asks nothing")
    for index, question in enumerate(questions):
        if question in before or question in questions[:index]:
            return Score(1.0, question, rule="reference formula")
    return Score(0.0, rule="reference formula")
