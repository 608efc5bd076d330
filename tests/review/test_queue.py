"""Which rows a person is asked about."""

from collections import Counter
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path

import pytest

from chattest.records.label import Label, Opinion
from chattest.records.report import CheckInfo, Report
from chattest.records.result import Result, Verdict
from chattest.review.queue import correct_probabilities, make_queue, sort_randomly
from chattest.review.rows import ReviewedRun, Unit
from chattest.statistics.interval_planning import allot_labels


def unit(case: str, number: int, doubt: float = 0.0, salt: str = "") -> Unit:
    row = Result(case, 1, "run-001", number, Verdict.PASS, prompt="p", reply=f"r{number}")
    return Unit(f"{salt}{case}-{number}", row, 1, (), doubt)


def run(sizes: dict[str, int], doubts: dict[int, float] | None = None, salt: str = "") -> ReviewedRun:
    units = [
        unit(case, number, (doubts or {}).get(number, 0.0), salt)
        for case, size in sizes.items()
        for number in range(size)
    ]
    infos = tuple(CheckInfo(case, case, case) for case in sizes)
    report = Report("r", ("a", "b"), 1, infos, (), (), {}, {}, {}, {}, ())
    return ReviewedRun(Path("r"), {}, report, tuple(units))


def test_half_is_drawn_at_random_and_half_is_doubtful() -> None:
    doubts = {number: number / 100 for number in range(1, 60)}
    queue = make_queue(run({"A": 100, "B": 100}, doubts), 40)
    drawn = [task for task in queue.tasks if task.probability is not None]
    doubtful = [task for task in queue.tasks if task.probability is None]
    assert (len(drawn), len(doubtful), queue.drawn) == (20, 20, {"A": 10, "B": 10})
    assert {task.probability for task in drawn} == {0.1}
    assert len({task.unit.key for task in queue.tasks}) == 40
    taken = {task.unit.key for task in drawn}
    best = sorted((u.doubt for u in run({"A": 100, "B": 100}, doubts).units if u.key not in taken), reverse=True)
    assert [task.unit.doubt for task in doubtful] == best[:20], "most doubtful first"
    assert [task.probability is None for task in queue.tasks[:4]] == [True, False, True, False]


@pytest.mark.parametrize(
    ("sizes", "budget", "doubts", "expected"),
    [
        ({"A": 100, "B": 3}, 20, {}, {"A": 17, "B": 3}),  # nothing is in doubt: all are drawn at random
        ({"A": 5, "B": 5}, 60, {}, {"A": 5, "B": 5}),  # more than there are
        ({"A": 100}, 1, {1: 0.9}, {"A": 1}),
        ({"A": 10}, 10, dict.fromkeys(range(10), 0.5), {"A": 5}),
    ],
)
def test_budgets(sizes: dict[str, int], budget: int, doubts: dict[int, float], expected: dict[str, int]) -> None:
    queue = make_queue(run(sizes, doubts), budget)
    assert queue.drawn == expected
    assert len(queue.tasks) == min(budget, sum(sizes.values()))


def test_every_row_is_as_likely_to_be_drawn_as_its_probability_says() -> None:
    times = Counter(
        task.unit.row.round
        for salt in range(1000)
        for task in make_queue(run({"A": 8}, dict.fromkeys(range(4), 0.9), f"{salt}/"), 4).tasks
        if task.probability is not None
    )
    assert sum(times.values()) == 2000
    assert all(200 <= times[number] <= 300 for number in range(8)), "2 of 8, doubtful or not; 250 each"


def test_a_larger_budget_draws_the_same_rows_first() -> None:
    small, large = ([t.unit.key for t in make_queue(run({"A": 50}), budget).tasks] for budget in (10, 20))
    assert large[:10] == small


@pytest.mark.parametrize(("sizes", "labels", "each"), [([9, 9], 5, [3, 2]), ([1, 9], 6, [1, 5]), ([2, 2], 9, [2, 2])])
def test_each_case_gets_as_many(sizes: list[int], labels: int, each: list[int]) -> None:
    assert allot_labels(sizes, labels) == each


ORDER = sort_randomly(unit("A", number) for number in range(10))


def labelled(rank: int, probability: float | None) -> Label:
    at = datetime(2026, 5, 1, tzinfo=UTC)
    return Label(key=ORDER[rank].key, case="A", verdict=Opinion.PASS, by="anna", at=at, probability=probability)


@pytest.mark.parametrize(
    ("before", "drawn", "skipped", "after"),
    [
        ({0: 0.4, 1: 0.4}, 4, (), {0: 0.2, 1: 0.2}),  # stopped after two of four
        ({0: 0.4, 1: 0.4, 2: 0.4, 3: 0.4}, 4, (), {}),  # all done as planned
        ({0: 0.2, 1: 0.2, 2: None, 3: 0.4}, 4, (), {0: 0.4, 1: 0.4, 2: 0.4}),  # a doubtful one is in the larger draw
        ({0: 0.2, 1: 0.2, 5: None}, 8, (), {}),  # the larger draw has not come so far
        ({0: 0.4, 2: 0.4}, 4, (1, 3), {}),  # passed over, but asked
        ({0: None, 1: None}, 2, (), {0: 0.2, 1: 0.2}),  # all of the draw were labelled in another run
        ({0: None, 1: None}, 0, (), {}),
    ],
)
def test_probabilities_are_those_of_what_was_asked(
    before: dict[int, float | None], drawn: int, skipped: tuple[int, ...], after: dict[int, float]
) -> None:
    labels = [labelled(rank, probability) for rank, probability in before.items()]
    changed = correct_probabilities(ORDER, labels, drawn, [ORDER[rank].key for rank in skipped])
    assert [replace(label, probability=None) for label in changed] == [labelled(rank, None) for rank in after]
    assert [label.probability for label in changed] == pytest.approx(list(after.values()))
