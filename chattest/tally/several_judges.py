"""Tabulate which of several judges judged the results, and how far the judges agree."""

from collections import Counter
from collections.abc import Sequence
from itertools import combinations

from chattest.records.report import ExtraColumn, ExtraTable
from chattest.records.result import Result, Verdict
from chattest.statistics.agreement import compute_cohens_kappa, compute_krippendorffs_alpha
from chattest.tally.rates import count_result

DECIDED = (Verdict.PASS, Verdict.FAIL)
_Row = tuple[str | int | float | None, ...]

_WHO = (
    "Which judge gave the verdicts that count. Changed: verdicts that differ from those of the embedded judge, or of "
    "the judge that is named first."
)
_AGREEMENT = (
    "How far the judges agree on the replies that they all judged. Kappa and alpha leave out agreement by chance: 1 is "
    "full agreement, 0 no more than chance. They are empty where all verdicts are the same. Deferred verdicts are the "
    "hardest, so judges agree less on them."
)
_WHO_COLUMNS = (
    ExtraColumn("Case"),
    ExtraColumn("Judge"),
    ExtraColumn("Verdicts", "count"),
    ExtraColumn("Share", "rate"),
    ExtraColumn("Changed", "count"),
)
_AGREEMENT_COLUMNS = (
    ExtraColumn("Case"),
    ExtraColumn("Judges"),
    ExtraColumn("Verdicts", "count"),
    ExtraColumn("Agree", "rate"),
    ExtraColumn("Cohen's kappa", "number"),
    ExtraColumn("Krippendorff's alpha", "number"),
)


def make_judge_tables(results: Sequence[Result]) -> tuple[ExtraTable, ...]:
    """Make the tables of who judged and how far the judges agree; none if there was one judge."""
    by_check: dict[str, list[Result]] = {}
    for row in results:
        if row.judge or row.score.votes:
            by_check.setdefault(row.check, []).append(row)
    who = [line for check, rows in by_check.items() for line in _who_judged(check, rows)]
    agreement = [line for check, rows in by_check.items() for line in _agreement(check, rows)]
    tables = []
    if who:
        tables.append(ExtraTable("Who judged", _WHO, _WHO_COLUMNS, tuple(who)))
    if agreement:
        tables.append(ExtraTable("Agreement of the judges", _AGREEMENT, _AGREEMENT_COLUMNS, tuple(agreement)))
    return tuple(tables)


def _who_judged(check: str, rows: Sequence[Result]) -> list[_Row]:
    """Return a line for each judge, or group of judges who voted alike, the most verdicts first."""
    judged = [row for row in rows if count_result(row).total]
    number = Counter(row.judge for row in judged)
    changed = Counter(row.judge for row in judged if next(iter(row.score.votes.values()), row.verdict) != row.verdict)
    return [(check, judge, count, count / len(judged), changed[judge]) for judge, count in number.most_common()]


def _agreement(check: str, rows: Sequence[Result]) -> list[_Row]:
    """Return a line for each pair of judges, and one for all judges if there are more than two."""
    votes = [
        {judge: vote.value for judge, vote in row.score.votes.items() if vote in DECIDED}
        for row in rows
        if row.score.votes
    ]
    judges = list(dict.fromkeys(judge for of_row in votes for judge in of_row))
    lines: list[_Row] = []
    for first, second in combinations(judges, 2):
        pairs = [(of_row[first], of_row[second]) for of_row in votes if first in of_row and second in of_row]
        if pairs:
            alike = sum(left == right for left, right in pairs) / len(pairs)
            alpha = compute_krippendorffs_alpha(votes) if len(judges) == 2 else None
            lines.append((check, f"{first}, {second}", len(pairs), alike, compute_cohens_kappa(pairs), alpha))
    shared = [of_row for of_row in votes if len(of_row) > 1]
    if len(judges) > 2 and shared:
        alike = sum(len(set(of_row.values())) == 1 for of_row in shared) / len(shared)
        lines.append((check, f"all {len(judges)}", len(shared), alike, None, compute_krippendorffs_alpha(shared)))
    return lines
