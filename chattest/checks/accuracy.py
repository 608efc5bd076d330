"""Accuracy: the right answers to the questions that have one."""

from collections.abc import Sequence
from random import Random

from chattest.checks.base import AnsweredTrial, Check, CheckContext, Family, Trial, family, row
from chattest.datasets.questions import LabelledQuestion
from chattest.judging.correctness import MEASURES, measured, right_ones
from chattest.models.judges import Judges
from chattest.records.result import Result
from chattest.settings.declaration import Settings


class Accuracy(Check):
    """All questions with a right answer, by one measure."""

    def __init__(self, measure: str, entries: Sequence[LabelledQuestion], settings: Settings) -> None:
        """measure: a key of `MEASURES`. entries: those that have a right answer."""
        self.code = f"accuracy.{measure}"
        self.title = f"Answers rightly: {MEASURES[measure]}"
        self.bar = f"token F1 {settings.check_token_f1:g}" if measure == "token_f1" else MEASURES[measure]
        self.measure = measure
        self.entries = entries
        self.settings = settings

    def trials(self, rng: Random) -> list[Trial]:
        """Every question, in order."""
        return [
            Trial((entry.question,), row(testset=entry.testset, expected=" / ".join(right_ones(entry))))
            for entry in self.entries
        ]

    def judge(self, answered: Sequence[AnsweredTrial], judges: Judges) -> list[Result]:
        """Passes where the answer is right."""
        entries = [self.entries[one.row.round] for one in answered]
        answers = [one.answers[0] for one in answered]
        bar, threshold = self.settings.check_token_f1, self.settings.threshold
        found = measured(self.measure, entries, answers, threshold, bar, judges)
        return [one.result(*each) for one, each in zip(answered, found, strict=True)]


@family("accuracy")
class AccuracyFamily(Family):
    """The answers are right, by exact match, token F1 and the judges."""

    def checks(self, context: CheckContext) -> list[Check]:
        """A check for each measure."""
        entries = [entry for entry in context.questions(self.name) if entry.answer is not None]
        return [Accuracy(measure, entries, context.settings) for measure in MEASURES]
