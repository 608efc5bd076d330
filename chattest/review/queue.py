"""Choose which rows a person is asked about, and in which order.

Half of the labels are for rows drawn at random, equally many in each case, so that its rate can be corrected without
bias. The other half are for the rows of which the judge is least sure. The random order depends only on the row's
texts: another person, a larger budget and another run with the same texts draw the same rows first.
"""

from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass, replace
from hashlib import sha256
from itertools import zip_longest

from chattest.records.label import Label
from chattest.review.rows import ReviewedRun, Unit
from chattest.statistics.interval_planning import allot_labels


@dataclass(frozen=True, slots=True)
class Task:
    """A row that a person is asked about."""

    unit: Unit
    probability: float | None
    """Its probability of being drawn at random among the rows of its case; `None` if it was chosen for its doubt."""


@dataclass(frozen=True, slots=True)
class Queue:
    """The rows that a budget is spent on."""

    tasks: tuple[Task, ...]
    """Rows chosen for doubt (the most doubtful first) and rows drawn at random, in turn."""
    drawn: dict[str, int]
    """Case -> how many of its rows are drawn at random."""


def make_queue(run: ReviewedRun, budget: int) -> Queue:
    """Choose the rows for `budget` labels. Doubt gets less than half if the judges are sure of the remaining rows."""
    codes = run.cases
    orders = {code: sort_randomly(run.of_case(code)) for code in codes}
    doubtful = sorted((unit for unit in run.units if unit.doubt > 0), key=lambda unit: (-unit.doubt, _rank(unit)))
    budget = min(budget, len(run.units))
    drawn = _allot(orders, budget - min(budget // 2, len(doubtful)))
    at_random = _random_tasks(orders, drawn)
    taken = {task.unit.key for task in at_random}
    by_doubt = [Task(unit, None) for unit in doubtful if unit.key not in taken][: budget - len(at_random)]
    while len(by_doubt) + len(at_random) < budget:  # some of the doubtful rows were drawn at random already
        drawn = _allot(orders, budget - len(by_doubt))
        at_random = _random_tasks(orders, drawn)
        taken = {task.unit.key for task in at_random}
        by_doubt = [task for task in by_doubt if task.unit.key not in taken]
    pairs = zip_longest(by_doubt, at_random)
    return Queue(tuple(task for pair in pairs for task in pair if task is not None), drawn)


def sort_randomly(units: Iterable[Unit]) -> list[Unit]:
    """Sort the units in an order that is independent of how a judge or a person sees them."""
    return sorted(units, key=_rank)


def _rank(unit: Unit) -> str:
    return sha256(f"review/{unit.key}".encode()).hexdigest()


def _allot(orders: dict[str, list[Unit]], labels: int) -> dict[str, int]:
    return dict(zip(orders, allot_labels([len(order) for order in orders.values()], labels), strict=True))


def _random_tasks(orders: dict[str, list[Unit]], drawn: dict[str, int]) -> list[Task]:
    """Return the first rows of each case, the cases in turn."""
    rounds = zip_longest(*(
        [Task(unit, drawn[code] / len(order)) for unit in order[: drawn[code]]] for code, order in orders.items()
    ))  # fmt: skip
    return [task for tasks in rounds for task in tasks if task is not None]


def correct_probabilities(
    order: Sequence[Unit], labels: Iterable[Label], drawn: int, skipped: Collection[str]
) -> list[Label]:
    """Return the labels of one case whose probability has changed, with the new one.

    The number of rows drawn at random changes if the budget grows or a person stops early, and a row chosen for its
    doubt may then be among them.

    Args:
        order: all rows of the case, in random order.
        labels: the last label of each person and row.
        drawn: how many rows the budget draws; 0 if unknown.
        skipped: keys of the rows that the person has just skipped.
    """
    ranks = {unit.key: rank for rank, unit in enumerate(order)}
    labelled = [label for label in labels if label.key in ranks]
    seen = {label.key for label in labelled} | set(skipped)
    reached = max((ranks[label.key] + 1 for label in labelled if label.probability is not None), default=0)
    if all(unit.key in seen for unit in order[:drawn]):
        reached = max(reached, drawn)
    changed = []
    for label in labelled:
        probability = reached / len(order) if ranks[label.key] < reached else None
        if _differs(label.probability, probability):
            changed.append(replace(label, probability=probability))
    return changed


def _differs(before: float | None, now: float | None) -> bool:
    return (before is None) != (now is None) or abs((before or 0.0) - (now or 0.0)) > 1e-9
