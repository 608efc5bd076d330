"""A person's labels of both runs correct a comparison, whatever the judge misreads in one of them."""

from collections.abc import Sequence
from pathlib import Path

import pytest

from chattest.comparison.runs import CaseDifference, compare
from chattest.comparison.text import format_lines
from chattest.records.result import Result
from chattest.settings.thresholds import THRESHOLDS
from chattest.statistics.judges import Accuracy
from chattest.storage.finished_run import Run, read_run
from chattest.storage.judge_accuracy import Measured
from chattest.storage.labels import FILE, add_labels
from tests.support.labelled_rows import at_random, bot
from tests.support.two_runs import written

pytestmark = pytest.mark.slow

FOREIGN = {
    "toxicity": Measured(
        Accuracy(right=400, passed=388, wrong=400, failed=388), THRESHOLDS["embedded"]["threshold_toxicity"], ("a-bot",)
    )
}
"""The judge is right on the replies of other bots."""


def reviewed(folder: Path, rows: Sequence[Result], truth: Sequence[bool], labels: int) -> Run:
    written(folder, rows)
    add_labels(folder / FILE, at_random(rows, truth, labels))
    return read_run(folder)


def compared(folder: Path, labels: tuple[int, int]) -> tuple[CaseDifference, str]:
    """Two bots that are right in 80 %, of which the judge misreads the second."""
    ours, theirs = bot(1, misread=0.0), bot(2, misread=0.4)
    runs = [reviewed(folder / name, *rows, n) for name, rows, n in zip("ab", (ours, theirs), labels, strict=True)]
    found = compare(runs[0], runs[1], measured=FOREIGN)
    return found.checks[0], "\n".join(format_lines(found))


def test_what_the_judge_misreads_in_one_run_is_no_change(tmp_path: Path) -> None:
    case, told = compared(tmp_path, (100, 100))
    assert case.change < -0.25, "as judged"
    assert case.true_change == pytest.approx(0.0, abs=0.1)
    assert case.margin is not None
    assert abs(case.true_change or 0.0) < case.margin
    assert case.true_rates is not None
    assert max(rate.margin for rate in case.true_rates) < case.margin < sum(rate.margin for rate in case.true_rates)
    assert case.by_labels == 200
    assert "points according to 200 labels of both runs; changes can be detected from" in told


@pytest.mark.parametrize("labels", [(100, 5), (0, 100)])
def test_labels_of_one_run_alone_correct_neither(tmp_path: Path, labels: tuple[int, int]) -> None:
    case, told = compared(tmp_path, labels)
    assert case.by_labels == 0
    assert case.true_change is not None
    assert case.true_change < -0.25, "by the errors on other bots, which know nothing of this one"
    assert "labels of both runs" not in told


def test_labels_of_questions_that_are_not_compared_do_not_count(tmp_path: Path) -> None:
    ours, truth = bot(1, misread=0.0)
    runs = [reviewed(tmp_path / name, ours, truth, 100) for name in "ab"]
    half = Run(runs[1].folder, runs[1].settings, runs[1].results[:300])
    (case,) = compare(runs[0], half).checks
    assert len(case.pairs) == 300
    assert 60 < case.by_labels < 140
    assert case.true_change == pytest.approx(0.0, abs=1e-9), "the same texts and the same labels"
