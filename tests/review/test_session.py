"""A person's way through the queue; every label is on the disk at once."""

from datetime import UTC, datetime
from pathlib import Path

import pytest

from chattest.cli.review_view import format_outlooks
from chattest.errors import InputError
from chattest.records.label import Opinion
from chattest.review.agreement import compare_people, compare_with_judge
from chattest.review.outlook import predict_intervals
from chattest.review.rows import load
from chattest.review.session import Session
from chattest.storage.labels import FILE, read_labels

pytestmark = pytest.mark.slow

P, F, C = Opinion


def session(folder: Path, by: str = "anna", budget: int = 8, only: tuple[str, ...] = ()) -> Session:
    return Session(load(folder, only), by, budget, now=lambda: datetime(2026, 5, 1, tzinfo=UTC))


def test_labels_are_kept_without_an_end(folder: Path) -> None:
    killed = session(folder)
    keys = [task.unit.key for task in killed.tasks]
    assert len(keys) == 8
    for opinion in (P, F, C):
        killed.label(opinion)
    resumed = session(folder)
    assert resumed.done == 3
    assert [task.unit.key for task in resumed.tasks] == keys[3:]
    assert [(label.key, label.verdict, label.by) for label in read_labels(folder / FILE).labels[:3]] == [
        (keys[0], P, "anna"), (keys[1], F, "anna"), (keys[2], C, "anna"),
    ]  # fmt: skip


def test_a_correction_counts_although_the_clock_was_set_back(folder: Path) -> None:
    hours = iter(range(23, 0, -1))
    run = load(folder)
    review = Session(run, "anna", 8, now=lambda: datetime(2026, 5, 1, next(hours), tzinfo=UTC))
    review.label(P)
    review.back()
    review.label(F)
    assert [label.verdict for label in review.given] == [F]
    assert [label.verdict for label in session(folder).labels] == [F]


def test_back_skip_and_note(folder: Path) -> None:
    with session(folder) as review:
        assert not review.back(), "nothing before the first"
        review.note(" a riddle ")
        review.label(P)
        review.skip()
        review.label(F)
        assert review.back()
        assert review.back()
        assert review.of(review.tasks[1]) is None
        review.label(C)
        assert not review.skipped
        review.back()
        review.back()
        review.note("no riddle")
        assert review.current is review.tasks[0]
        first = review.of(review.tasks[0])
        assert first is not None
        assert (first.verdict, first.note) == (P, "no riddle")
        review.skip()
    assert review.done == 3
    assert not review.skipped, "a row that has a label is not skipped"


def test_what_was_skipped_comes_again(folder: Path) -> None:
    with session(folder) as review:
        first = review.tasks[0].unit.key
        review.skip()
        while review.current is not None:
            review.label(P)
    review.skip()  # past the end: nothing happens
    assert [task.unit.key for task in session(folder).tasks] == [first]


@pytest.mark.usefixtures("uncalibrated")
def test_who_stops_early_has_drawn_fewer(folder: Path) -> None:
    with session(folder, budget=6, only=("ML-P1",)) as review:
        assert {task.probability for task in review.tasks} == {6 / len(review.run.units)}
        review.label(P)
        review.label(P)
    assert [label.probability for label in session(folder, only=("ML-P1",)).labels] == [2 / len(review.run.units)] * 2
    with session(folder, budget=6, only=("ML-P1",)) as review:
        while review.current is not None:
            review.label(P)
    assert {label.probability for label in review.labels} == {6 / len(review.run.units)}


def test_two_people_are_asked_the_same_and_compared(folder: Path) -> None:
    answers = {"anna": (P, P, F, F, P), "ben": (P, F, F, C, P)}
    for name, said in answers.items():
        with session(folder, name, budget=5) as review:
            for opinion in said:
                review.label(opinion)
    (both,) = compare_people(review.labels)
    assert (both.sides, both.same, both.rows) == (("anna", "ben"), 3, 4)
    assert both.kappa == pytest.approx(0.5)
    assert [agreement.rows for agreement in compare_with_judge(review.labels)] == [5, 4]


def test_labels_narrow_the_interval_as_foretold(folder: Path) -> None:
    with session(folder, budget=24, only=("ML-I3",)) as review:
        (before,) = predict_intervals(review.run, review.queue, [])
        assert format_outlooks([before], show_rates=True)[1].startswith("ML-I3 (experimental)")
        for task in review.tasks:
            review.label(P if task.unit.row.verdict == "PASS" else F)
    (after,) = predict_intervals(review.run, review.queue, review.labels)
    assert after.rests_on == "labels" != before.rests_on
    assert before.after == pytest.approx(after.now[1] - after.now[0], abs=0.1)
    assert (before.given, after.given) == (0, 12)


@pytest.mark.parametrize("name", ["", "  ", "x" * 61, "a\x1bb"])
def test_a_name_is_a_name(folder: Path, name: str) -> None:
    with pytest.raises(InputError, match="is no name"):
        session(folder, name)


def test_what_cannot_be_reviewed_is_refused(folder: Path) -> None:
    for only, why in ((("ML-I99",), "ML-I99 can be reviewed"), (("ML-A6",), "ML-A6 can be reviewed")):
        with pytest.raises(InputError, match=why):
            load(folder, only)
    (folder / "run.json").write_text((folder / "run.json").read_text().replace('"finished"', '"talking"'))
    with pytest.raises(InputError, match="not finished"):
        load(folder)
