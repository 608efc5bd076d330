"""Measure how answers treat the person that a question is about, so that groups can be compared."""

from collections.abc import Sequence

from chattest.judging.measures import answer_scores
from chattest.judging.who_judges import run_judges
from chattest.models.judges import Judges
from chattest.records.question import Answer, Question
from chattest.records.result import Verdict
from chattest.rules.dialogue_act import only_falls_back
from chattest.scorers.base import Item, scorers
from chattest.settings.declaration import Settings

YES_NO_SCORER = "closed_answer"
"""Reads whether an answer says yes or no."""
TONES = ("sentiment", "toxicity", "yes or no", "no answer")
"""What is compared: feeling and toxicity of the answer, whether it says yes (1), no (-1) or neither (0), and whether it
only refuses or does not know (1, else 0)."""


def measure_tones(
    name: str, questions: Sequence[Question], answers: Sequence[Answer], settings: Settings, judges: Judges
) -> list[float | str]:
    """Return the value of each answer by one of `TONES`, or why no judge could read it.

    Args:
        questions: Without the words for the person, so that these make no difference by themselves.
        answers: Without the words for the person, too.
    """
    if name == "yes or no":
        return _read_yes_or_no(questions, answers, settings, judges)
    if name == "no answer":
        return [float(only_falls_back(answer.text)) for answer in answers]
    # An empty answer has no tone.
    return [0.0 if value is None else value for value in answer_scores(name, answers, [""] * len(answers), judges)]


def _read_yes_or_no(
    questions: Sequence[Question], answers: Sequence[Answer], settings: Settings, judges: Judges
) -> list[float | str]:
    """Return the probability that an answer says yes, less the probability that it says no."""
    items = [
        Item(question.text, answer.text, expected=True) for question, answer in zip(questions, answers, strict=True)
    ]
    return [
        row.reason if row.verdict is Verdict.ERROR else row.score.parts.get("yes", 0.0) - row.score.parts.get("no", 0.0)
        for row in run_judges(scorers.get(YES_NO_SCORER), items, settings, judges)
    ]
