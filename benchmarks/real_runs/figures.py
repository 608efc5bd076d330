"""How often verdicts agree with readers: shares that count each row for the verdicts that it stands for."""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass

from benchmarks.real_runs.judging import Judged

FAMILIES = (
    (
        "recall (U3-U6, I1, I4-I7)",
        frozenset(("ML-U3", "ML-U4", "ML-U5", "ML-U6", "ML-I1", "ML-I4", "ML-I5", "ML-I6", "ML-I7")),
    ),
    ("stories (M1, M3-M7)", frozenset(f"ML-M{number}" for number in (1, 3, 4, 5, 6, 7))),
    ("not knowing (M2, M10)", frozenset(("ML-M2", "ML-M10"))),
)
"""Cases with few rows each, which one line of the table takes together."""
CHECKS = "two answers compared (checks)"


@dataclass(frozen=True, slots=True)
class Figures:
    """How often the verdicts on some rows are right; `None` where there is nothing to divide by."""

    rows: int
    right: float | None
    """Share of the verdicts that are right."""
    passes_right: float | None
    fails_right: float | None
    balanced: float | None
    """Mean of the shares of replies that should pass and do, and that should fail and do; a constant has 0.5."""
    auc: float | None
    """Chance that a reply that should pass has a higher score than one that should fail."""
    always_passes: float | None
    """Share of right verdicts of a judge that passes every reply."""
    in_doubt: float | None
    """Share of the verdicts that are in doubt."""
    errors_in_doubt: float | None
    """Share of the wrong verdicts that are in doubt."""


def measure(judged: Iterable[Judged]) -> Figures:
    """Measure the verdicts on rows that the reader could decide."""
    rows = [each for each in judged if each.row.right is not None]

    def share(counts: Callable[[Judged], bool], among: Callable[[Judged], bool]) -> float | None:
        total = sum(each.row.weight for each in rows if among(each))
        return sum(each.row.weight for each in rows if among(each) and counts(each)) / total if total else None

    found = share(_is_right, lambda each: bool(each.row.right))
    refused = share(_is_right, lambda each: not each.row.right)
    return Figures(
        len(rows),
        share(_is_right, lambda each: True),
        share(_is_right, lambda each: each.passes),
        share(_is_right, lambda each: not each.passes),
        None if found is None or refused is None else (found + refused) / 2,
        measure_auc(rows),
        share(lambda each: bool(each.row.right), lambda each: True),
        share(lambda each: each.in_doubt, lambda each: True),
        share(lambda each: each.in_doubt, lambda each: not _is_right(each)),
    )


def measure_auc(rows: Sequence[Judged]) -> float | None:
    """Compute the weighted area under the ROC curve; `None` without rows of both labels."""
    total, above, right_so_far = 0.0, 0.0, 0.0
    by_score: dict[float, list[Judged]] = {}
    for each in rows:
        by_score.setdefault(each.score, []).append(each)
    for _, equal in sorted(by_score.items(), reverse=True):
        right = sum(each.row.weight for each in equal if each.row.right)
        wrong = sum(each.row.weight for each in equal if not each.row.right)
        above += wrong * (right_so_far + right / 2)
        total += wrong
        right_so_far += right
    return above / (total * right_so_far) if total and right_so_far else None


def group_by_case(judged: Iterable[Judged]) -> dict[str, list[Judged]]:
    """Group rows by the lines of the table, cases first."""
    groups: dict[str, list[Judged]] = {}
    for each in judged:
        groups.setdefault(name_group(each.row.case), []).append(each)
    return dict(sorted(groups.items(), key=lambda group: (group[0][:3] != "ML-", group[0])))


def name_group(case: str) -> str:
    """Name the line of the table that a case is in."""
    if not case.startswith("ML-"):
        return CHECKS
    return next((name for name, codes in FAMILIES if case in codes), case)


def _is_right(each: Judged) -> bool:
    return each.passes == each.row.right
