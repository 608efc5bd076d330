"""Check that the answers to questions with a right answer are right."""

from collections.abc import Sequence
from random import Random

from chattest.checks.base import AnsweredTrial, Check, CheckContext, Family, Trial, family, row
from chattest.datasets.questions import LabelledQuestion
from chattest.judging.bleu_rouge import corpus_bleu, needs
from chattest.judging.correctness import (
    MEASURES,
    RightAnswer,
    find_questions_by_measure,
    find_threshold,
    judging_scorers,
    measurable,
    measure_answers,
    refuse_unmeasurable,
    right_answers,
)
from chattest.models.judges import Judges
from chattest.records.result import Result, Score
from chattest.settings.declaration import Settings


class Accuracy(Check):
    """All questions that have a right answer, by one measure."""

    Expects = RightAnswer
    asks = 1

    def __init__(self, measure: str, entries: Sequence[LabelledQuestion], settings: Settings) -> None:
        """Prepare the check.

        Args:
            measure: A key of `MEASURES`.
            entries: The questions that have a right answer.
        """
        self.code = f"accuracy.{measure}"
        self.title = f"Gives the right answer: {MEASURES[measure]}"
        named = measure in ("exact_match", "judged")
        number = "" if named else f"{measure.replace('_', ' ')} {find_threshold(measure, settings):g}"
        self.threshold = number or MEASURES[measure]
        self.needs = needs(measure)
        self.measure = measure
        self.entries = entries
        self.settings = settings

    def trials(self, rng: Random) -> list[Trial]:
        """Return every question, in order."""
        return [
            Trial((entry.question,), row(testset=entry.testset, split=entry.split, expected=right.words), right)
            for entry in self.entries
            for right in [RightAnswer.of(entry)]
        ]

    def judged_by(self, trial: Trial) -> Sequence[str]:
        """Return the one scorer if the judges measure, else nothing."""
        return judging_scorers(trial.expects) if self.measure == "judged" else ()

    def judge(self, answered: Sequence[AnsweredTrial], judges: Judges) -> list[Result]:
        """Pass right answers; for BLEU, add a row with the score of all answers taken together."""
        entries = [trial.expects.entry(trial.row.testset, trial.questions[0]) for trial in answered]
        answers = [trial.answers[0] for trial in answered]
        rows = measure_answers(self.measure, entries, answers, self.settings, judges)
        results = [
            trial.unjudged(row.error, judge=row.judge, scorer=row.scorer)
            if row.error
            else trial.result(
                row.right, row.score, row.reason, in_doubt=row.in_doubt, judge=row.judge, scorer=row.scorer
            )
            for trial, row in zip(answered, rows, strict=True)
        ]
        if self.measure == "bleu" and answered:
            value = corpus_bleu([answer.text for answer in answers], [right_answers(entry) for entry in entries])
            reason = f"BLEU of {len(answers)} answers taken together: {value:.2f}"
            label = {"label": "all answers", "reason": reason}
            last = max(trial.row.round for trial in answered) + 1
            results.append(self.summary_row(last, testset="questions", score=Score(value), **label))
        return results


@family("accuracy")
class AccuracyFamily(Family):
    """The answers are right: by exact match, by token F1 and by the judges; long ones also by BLEU and ROUGE."""

    def checks(self, context: CheckContext) -> list[Check]:
        """Return a check for each measure that applies to the questions and is available."""
        by_measure = measurable(context.questions(self.name))
        return [Accuracy(measure, entries, context.settings) for measure, entries in by_measure.items()]

    def listed(self, context: CheckContext) -> list[Check]:
        """Return a check for each measure that applies to the questions."""
        by_measure = find_questions_by_measure(context.questions(self.name))
        return [Accuracy(measure, entries, context.settings) for measure, entries in by_measure.items()]

    def pick(self, part: str, context: CheckContext, where: str) -> list[Check]:
        """Return the check of one measure."""
        refuse_unmeasurable(part, where)
        return super().pick(part, context, where)
