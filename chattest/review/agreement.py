"""Measure how far people agree with the judge, and with each other."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import combinations

from chattest.records.label import Label, Opinion, by_key, keep_latest
from chattest.text.format import many


@dataclass(frozen=True, slots=True)
class Agreement:
    """How far two sides gave the same verdicts on the same rows."""

    sides: tuple[str, str]
    """Names of the two."""
    same: int
    """Rows with the same verdict."""
    rows: int
    """Rows that both decided."""
    kappa: float | None
    """Cohen's kappa: the agreement beyond chance, at most 1; `None` if all verdicts are the same."""

    @property
    def words(self) -> str:
        """Such as `anna and ben agree on 18 of 20 rows (kappa 0.78)`."""
        beyond = "" if self.kappa is None else f" (kappa {self.kappa:.2f})"
        return f"{self.sides[0]} and {self.sides[1]} agree on {self.same} of {many(self.rows, 'row')}{beyond}"


def compare_with_judge(labels: Iterable[Label]) -> list[Agreement]:
    """Compare each person with the judge's verdicts at the time of the label."""
    by: dict[str, list[tuple[str, str]]] = {}
    for label in keep_latest(labels):
        if _is_decided(label) and label.judge:
            by.setdefault(label.by, []).append((str(label.verdict), label.judge))
    return [_make_agreement((name, "the judge"), pairs) for name, pairs in sorted(by.items())]


def compare_people(labels: Iterable[Label]) -> list[Agreement]:
    """Compare each pair of people on the rows that both decided."""
    pairs: dict[tuple[str, str], list[tuple[str, str]]] = {}
    for of_row in by_key(labels).values():
        decided = sorted((label for label in of_row if _is_decided(label)), key=lambda label: label.by)
        for first, second in combinations(decided, 2):
            pairs.setdefault((first.by, second.by), []).append((first.verdict, second.verdict))
    return [_make_agreement(names, verdicts) for names, verdicts in sorted(pairs.items())]


def _is_decided(label: Label) -> bool:
    return label.verdict is not Opinion.CANNOT_TELL


def _make_agreement(sides: tuple[str, str], pairs: Sequence[tuple[str, str]]) -> Agreement:
    same = sum(first == second for first, second in pairs)
    return Agreement(sides, same, len(pairs), _compute_kappa(pairs))


def _compute_kappa(pairs: Sequence[tuple[str, str]]) -> float | None:
    from sklearn.metrics import cohen_kappa_score

    first, second = zip(*pairs, strict=True)
    if len({*first, *second}) < 2:  # chance alone agrees always
        return None
    return float(cohen_kappa_score(first, second))
