"""Accuracy: whether the answers to questions with a right answer are right."""

from collections.abc import Sequence
from random import Random

from chattest.checks.base import AnsweredTrial, Check, CheckContext, Family, Trial, family, row
from chattest.datasets.questions import LabelledQuestion
from chattest.judging.correctness import MEASURES, measured_answers, right_answers
from chattest.models.judges import Judges
from chattest.records.result import Result
from chattest.settings.declaration import Settings


class Accuracy(Check):
    """All questions that have a right answer, by one measure."""

    def __init__(self, measure: str, entries: Sequence[LabelledQuestion], settings: Settings) -> None:
        """measure: a key of `MEASURES`. entries: those that have a right answer."""
        self.code = f"accuracy.{measure}"
        self.title = f"Gives the right answer: {MEASURES[measure]}"
        self.bar = f"token F1 {settings.check_token_f1:g}" if measure == "token_f1" else MEASURES[measure]
        self.measure = measure
        self.entries = entries
        self.settings = settings

    def trials(self, rng: Random) -> list[Trial]:
        """Every question, in order."""
        return [
            Trial((entry.question,), row(testset=entry.testset, expected=" / ".join(right_answers(entry))))
            for entry in self.entries
        ]

    def judge(self, answered: Sequence[AnsweredTrial], judges: Judges) -> list[Result]:
        """Passes where the answer is right."""
        entries = [self.entries[trial.row.round] for trial in answered]
        answers = [trial.answers[0] for trial in answered]
        rows = measured_answers(self.measure, entries, answers, self.settings, judges)
        return [trial.result(*row) for trial, row in zip(answered, rows, strict=True)]


@family("accuracy")
class AccuracyFamily(Family):
    """The answers are right, by exact match, by token F1 and by the judges."""

    def checks(self, context: CheckContext) -> list[Check]:
        """A check for each measure."""
        entries = [entry for entry in context.questions(self.name) if entry.answer is not None]
        return [Accuracy(measure, entries, context.settings) for measure in MEASURES]
