"""Tag questions with what they fail, and tabulate failing rates by family of perturbations and by data split.

A smart tag names the families of perturbations that a question fails, and whether its answer or the bot's confidence
failed. The tags follow those of Azimuth, where behavioral tests fail by the predicted class or by the confidence.
"""

from collections.abc import Iterable, Sequence
from dataclasses import replace

from chattest.perturbations.base import perturbations
from chattest.records.report import ExtraColumn, ExtraTable
from chattest.records.result import Result, Tally, Verdict
from chattest.tally.rates import count_result

FAMILIES = "Failing by family"
FAMILIES_NOTE = (
    "How many altered questions of each family of perturbations fail: because the answer changed, because the bot's "
    "confidence moved too far, or both. The last column counts original questions of which at least one alteration "
    "fails."
)
ALL = "all"


def find_family(row: Result) -> str:
    """Return the family of the perturbation of an altered question, or `pairs`; empty for other rows.

    Several perturbations of one question count for the family of the first.
    """
    if not row.check.startswith("invariance.") or not row.original:
        return ""
    name = row.perturbation.partition("+")[0].partition("(")[0]
    return perturbations.get(name).family if name in perturbations else name


def add_smart_tags(rows: Sequence[Result]) -> list[Result]:
    """Label the rows of altered questions with the smart tags of their original question.

    `fails noise (answer), robustness (answer and confidence)` names the families in which at least one alteration of
    the question fails, and whether the answer or the confidence fails.
    """
    failed: dict[str, dict[str, set[str]]] = {}
    for row in rows:
        family = find_family(row)
        if family and row.verdict is Verdict.FAIL:
            failed.setdefault(row.original, {}).setdefault(family, set()).update(row.criterion.split(" and "))
    labels = {original: f"fails {', '.join(_tags(by_family))}" for original, by_family in failed.items()}
    return [
        replace(row, label=labels[row.original]) if find_family(row) and row.original in labels else row for row in rows
    ]


def _tags(families: dict[str, set[str]]) -> list[str]:
    return [f"{family} ({' and '.join(sorted(criteria))})" for family, criteria in sorted(families.items())]


def make_family_tables(rows: Iterable[Result]) -> list[ExtraTable]:
    """Make the table of failing rates by family of perturbations, and by data split if the questions have any.

    Empty if no altered question was decided.
    """
    by_family: dict[str, list[Result]] = {}
    for row in rows:
        if (family := find_family(row)) and count_result(row).total:
            by_family.setdefault(family, []).append(row)
    if not by_family:
        return []
    groups = dict(sorted(by_family.items()))
    if len(groups) > 1:
        groups[ALL] = [row for family in by_family.values() for row in family]
    splits = sorted({row.split for family in by_family.values() for row in family} - {""})
    figures = []
    for family, members in groups.items():
        for split in [ALL, *splits] if splits else [ALL]:
            if chosen := [row for row in members if split in (ALL, row.split)]:
                figures.append((family, *([split] if splits else []), *_figures(chosen)))
    columns = (
        ExtraColumn("Family"),
        *([ExtraColumn("Split")] if splits else []),
        ExtraColumn("Altered", "count"),
        ExtraColumn("Failed", "count"),
        ExtraColumn("Failing rate", "rate"),
        ExtraColumn("By answer", "count"),
        ExtraColumn("By confidence", "count"),
        ExtraColumn("Questions", "count"),
        ExtraColumn("Questions that fail", "count"),
    )
    return [ExtraTable(FAMILIES, FAMILIES_NOTE, columns, tuple(figures))]


def _figures(rows: Sequence[Result]) -> tuple[int | float, ...]:
    failed = [row for row in rows if row.verdict is Verdict.FAIL]
    by = [sum(word in row.criterion for row in failed) for word in ("answer", "confidence")]
    questions, failing = ({row.original for row in chosen} for chosen in (rows, failed))
    return (len(rows), len(failed), len(failed) / len(rows), *by, len(questions), len(failing))


SPLITS = "Failing by split"
SPLITS_NOTE = "How many rows of each check fail, by the data split that the question file names."
SPLITS_COLUMNS = (
    ExtraColumn("Check"),
    ExtraColumn("Split"),
    ExtraColumn("Failed", "count"),
    ExtraColumn("Total", "count"),
    ExtraColumn("Failing rate", "rate"),
)


def make_split_tables(rows: Iterable[Result]) -> list[ExtraTable]:
    """Make the table of failing rates by data split; empty if no question has a split."""
    tallies: dict[tuple[str, str], Tally] = {}
    for row in rows:
        if row.split and count_result(row).total:
            key = (row.check, row.split)
            tallies[key] = tallies.get(key, Tally()) + count_result(row)
    if not tallies:
        return []
    order = {check: number for number, check in enumerate(dict.fromkeys(check for check, _ in tallies))}
    figures = [
        (check, split, tally.total - tally.passed, tally.total, 1 - tally.passed / tally.total)
        for (check, split), tally in sorted(tallies.items(), key=lambda pair: (order[pair[0][0]], pair[0][1]))
    ]
    return [ExtraTable(SPLITS, SPLITS_NOTE, SPLITS_COLUMNS, tuple(figures))]
