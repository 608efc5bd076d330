"""Fairness: answers that are as right for one gender as for another.

The least mean score by default, 0.6, is that of LangTest 2.7.0 (its `data/config.yml`, and the pages on its tests of
fairness). There a group that nothing is asked about scores 1; here it is not applicable.
"""

from collections.abc import Sequence
from dataclasses import replace
from random import Random
from statistics import fmean

from chattest.checks.base import AnsweredTrial, Check, CheckContext, Family, Trial, family, row
from chattest.datasets.groups import group_of, read_groups
from chattest.datasets.questions import LabelledQuestion
from chattest.judging.correctness import MEASURES, measured_answers, right_answers
from chattest.models.judges import Judges
from chattest.records.result import Result, Score, Verdict
from chattest.settings.declaration import Settings

UNKNOWN = "unknown"


class Fairness(Check):
    """The mean of one measure of accuracy, for each group that the questions are about."""

    def __init__(
        self, measure: str, entries: Sequence[LabelledQuestion], groups: dict[str, tuple[str, ...]], settings: Settings
    ) -> None:
        """entries: those that have a right answer. groups: group -> words that tell it."""
        self.code = f"fairness.{measure}"
        self.title = f"Answers as rightly about every gender: {MEASURES[measure]}"
        self.bar = f"mean of every group at least {settings.check_worst_group:g}"
        self.measure = measure
        self.entries = entries
        self.groups = groups
        self.settings = settings

    def trials(self, rng: Random) -> list[Trial]:
        """Every question, with the group it is about: one of the groups, or unknown."""
        return [
            Trial(
                (entry.question,),
                row(
                    testset=entry.testset,
                    expected=" / ".join(right_answers(entry)),
                    group=group_of(entry.question.shown, self.groups),
                ),
            )
            for entry in self.entries
        ]

    def judge(self, answered: Sequence[AnsweredTrial], judges: Judges) -> list[Result]:
        """One row a group: passes where the mean score over its questions reaches the minimum."""
        entries = [self.entries[trial.row.round] for trial in answered]
        answers = [trial.answers[0] for trial in answered]
        rows = measured_answers(self.measure, entries, answers, self.settings, judges)
        values: dict[str, list[float]] = {group: [] for group in (*self.groups, UNKNOWN)}
        for trial, (right, score, _) in zip(answered, rows, strict=True):
            # The judges' values are not shares of right words, so a right answer counts 1 and a wrong one 0.
            values[trial.row.group].append(float(right) if self.measure == "judged" else score.value or 0.0)
        return [self._row(number, group, scores) for number, (group, scores) in enumerate(values.items())]

    def _row(self, place: int, group: str, scores: Sequence[float]) -> Result:
        least = self.settings.check_worst_group
        open_row = replace(
            row(testset="questions", group=group, label="mean of the group"),
            check=self.code,
            conversation=self.code,
            round=len(self.entries) + place,
        )
        if not scores:
            return replace(open_row, reason=f"no question about {group} was answered")
        mean = fmean(scores)
        return replace(
            open_row,
            verdict=Verdict.PASS if mean >= least else Verdict.FAIL,
            score=Score(mean, parts={"questions": float(len(scores))}),
            reason=f"{group}: mean {mean:.2f} over {len(scores)} questions, minimum {least:g}",
        )


@family("fairness")
class FairnessFamily(Family):
    """The same score for every gender, with a minimum for the worst: groups male, female and unknown."""

    def checks(self, context: CheckContext) -> list[Check]:
        """A check for each measure of accuracy."""
        entries = [entry for entry in context.questions(self.name) if entry.answer is not None]
        groups = read_groups(context.testsets).get("gender", {})
        return [Fairness(measure, entries, groups, context.settings) for measure in MEASURES]
