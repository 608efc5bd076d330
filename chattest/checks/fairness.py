"""Check that answers are equally right for every group of people.

The default minimum of the mean score, 0.6, is that of LangTest 2.7.0 (its `data/config.yml`, and its documentation of
fairness tests). There a group without questions scores 1; here the check does not apply to it.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from random import Random
from statistics import fmean

from chattest.checks.base import AnsweredTrial, Check, CheckContext, Family, Trial, family, row
from chattest.datasets.groups import OWN, UNKNOWN, Grouping, read_groupings
from chattest.datasets.questions import LabelledQuestion
from chattest.judging.bleu_rouge import needs
from chattest.judging.correctness import (
    MEASURES,
    RightAnswer,
    find_questions_by_measure,
    judging_scorers,
    measurable,
    measure_answers,
    refuse_unmeasurable,
)
from chattest.models.judges import Judges
from chattest.records.report import ExtraColumn, ExtraTable
from chattest.records.result import Result, Score, Verdict
from chattest.settings.declaration import Settings

Measures = Callable[[Sequence[LabelledQuestion]], Mapping[str, Sequence[LabelledQuestion]]]


class Fairness(Check):
    """The mean of one measure of accuracy for each group that the questions are about."""

    Expects = RightAnswer
    asks = 1
    by_input = False

    def __init__(self, measure: str, entries: Sequence[LabelledQuestion], by: Grouping, settings: Settings) -> None:
        """Prepare the check.

        Args:
            measure: A key of `MEASURES`.
            entries: Questions with a right answer.
            by: The groups of one attribute.
        """
        self.code = f"fairness.{by.attribute}.{measure}"
        every = "group of the data" if by.attribute == OWN else by.attribute
        self.title = f"Answers equally well for every {every}: {MEASURES[measure]}"
        self.threshold = f"mean of every group at least {settings.check_worst_group:g}"
        self.needs = needs(measure)
        self.measure = measure
        self.entries = entries
        self.by = by
        self.settings = settings

    def trials(self, rng: Random) -> list[Trial]:
        """Return every question, with the group that it is about, or unknown."""
        return [
            Trial(
                (entry.question,),
                row(
                    testset=entry.testset,
                    split=entry.split,
                    expected=right.words,
                    group=self.by.only(entry) or UNKNOWN,
                ),
                right,
            )
            for entry in self.entries
            for right in [RightAnswer.of(entry)]
        ]

    def judged_by(self, trial: Trial) -> Sequence[str]:
        """Return the one scorer if the judges measure, else nothing."""
        return judging_scorers(trial.expects) if self.measure == "judged" else ()

    def judge(self, answered: Sequence[AnsweredTrial], judges: Judges) -> list[Result]:
        """Return one row for each group; it passes if the mean score of its questions reaches the minimum.

        An answer that no judge could read is an ERROR, and is left out of the means.
        """
        entries = [trial.expects.entry(trial.row.testset, trial.questions[0]) for trial in answered]
        answers = [trial.answers[0] for trial in answered]
        rows = measure_answers(self.measure, entries, answers, self.settings, judges)
        values: dict[str, list[float]] = {group: [] for group in (*self.by.groups, UNKNOWN)}
        for trial, answer in zip(answered, rows, strict=True):
            if answer.error:
                continue  # neither right nor wrong
            # The judges' values are not shares of right words, so a right answer counts 1 and a wrong one 0.
            value = float(answer.right) if self.measure == "judged" else answer.score.value or 0.0
            values.setdefault(trial.row.group, []).append(value)
        unjudged = [trial.unjudged(row.error) for trial, row in zip(answered, rows, strict=True) if row.error]
        first = max([len(self.entries), *(trial.row.round + 1 for trial in answered)])
        means = [self._row(first + number, group, scores) for number, (group, scores) in enumerate(values.items())]
        return [*unjudged, *means]

    def _row(self, number: int, group: str, scores: Sequence[float]) -> Result:
        least = self.settings.check_worst_group
        open_row = self.summary_row(number, testset="questions", group=group, label="mean of the group")
        if not scores:
            return replace(open_row, reason=f"no question about {group} was answered")
        mean = fmean(scores)
        return replace(
            open_row,
            verdict=Verdict.PASS if mean >= least else Verdict.FAIL,
            score=Score(mean, parts={"questions": float(len(scores)), "minimum": least}),
            reason=f"{group}: mean {mean:.2f} over {len(scores)} questions, minimum {least:g}",
        )


@family("fairness")
class FairnessFamily(Family):
    """A minimum score for every group, by every attribute of which the questions are about two groups or more."""

    def checks(self, context: CheckContext) -> list[Check]:
        """Return a check for each such attribute and each measure of accuracy."""
        return self._comparing(context, measurable)

    def listed(self, context: CheckContext) -> list[Check]:
        """Return a check for each such attribute and each measure, also those whose package is not installed."""
        return self._comparing(context, find_questions_by_measure)

    def _comparing(self, context: CheckContext, measures: Measures) -> list[Check]:
        """Return the checks whose questions are about two groups or more."""
        every = [check for checks in self._by_attribute(context, measures) for check in checks]
        return [check for check in every if check.by.compares(check.entries)]

    def pick(self, part: str, context: CheckContext, where: str) -> list[Check]:
        """Return the checks of an attribute (`gender`), of a measure (`judged`), or of both (`gender.judged`)."""
        refuse_unmeasurable(part, where)
        if part in MEASURES and (compared := self.checks(context)):
            return [check for check in compared if check.code.endswith(f".{part}")]
        every = [check for checks in self._by_attribute(context, measurable) for check in checks]
        wanted = [check for check in every if f"{check.code}.".startswith(f"{self.name}.{part}.")]
        return list(wanted) or super().pick(part, context, where)

    def _by_attribute(self, context: CheckContext, measures: Measures) -> list[list[Fairness]]:
        """Return the checks of every attribute.

        Args:
            measures: Returns the questions that each measure can take.
        """
        questions = context.questions(self.name)
        by_measure = measures(questions)
        return [
            [Fairness(measure, entries, by, context.settings) for measure, entries in by_measure.items()]
            for by in read_groupings(context.testsets, questions)
        ]

    def tables(self, rows: Sequence[Result]) -> list[ExtraTable]:
        """Return the mean score of every group, by measure."""
        columns = (
            ExtraColumn("Measure"),
            ExtraColumn("Group"),
            ExtraColumn("Questions", "count"),
            ExtraColumn("Mean score", "number"),
            ExtraColumn("Minimum", "number"),
            ExtraColumn("Verdict"),
        )
        means = [row for row in rows if not row.is_about_answer]
        cells = tuple(
            (
                row.check.partition(".")[2],
                row.group,
                int(row.score.parts.get("questions", 0)),
                row.score.value,
                row.score.parts.get("minimum"),
                row.verdict.words,
            )
            for row in means
        )
        note = "How right the answers are for each group of questions; the mean of every group must reach the minimum."
        return [ExtraTable("Fairness", note, columns, cells)] if cells else []
