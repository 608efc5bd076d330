"""Figures against values worked out by hand."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from chattest.records.conversation import Conversation, Speaker, Turn
from chattest.records.plan import ProbePlan
from chattest.records.report import DoseBin
from chattest.records.result import Result, Tally, Verdict
from chattest.reports.content import figures
from tests.support.sample_report import report_of


def test_percentiles_interpolate() -> None:
    assert figures.compute_percentiles([4.0, 1.0, 3.0, 2.0, 5.0]) == pytest.approx([3.0, 4.8, 4.96])
    assert figures.compute_percentiles([7.0]) == [7.0, 7.0, 7.0]
    assert figures.describe_times([4.0, 1.0, 3.0, 2.0, 5.0]) == "median 3.00 s, p95 4.80 s, p99 4.96 s"


def test_histogram_has_round_edges() -> None:
    bins = figures.count_bins([0.01, 0.02, 0.3, 0.97, 1.0])
    assert bins[0] == (0.0, 0.05, 2)
    assert bins[-1] == (0.95, 1.0, 2)
    assert len(bins) == 20


@given(st.lists(st.floats(-1e6, 1e6, allow_subnormal=False).map(lambda x: round(x, 6)), min_size=1))
def test_histogram_counts_every_value_once(values: list[float]) -> None:
    bins = figures.count_bins(values)
    assert sum(count for _, _, count in bins) == len(values)
    assert len(bins) <= 22
    assert all(low < high for low, high, _ in bins)


@pytest.mark.parametrize(
    ("low", "high", "words"),
    [(0, 0, "0"), (1, 2, "2"), (0, 1, "1"), (0.25, 0.5, "0.25–0.5"), (0.15000000000000002, 0.2, "0.15–0.2")],
)
def test_doses_in_words(low: float, high: float, words: str) -> None:
    assert figures.format_dose(DoseBin(low, high, Tally())) == words


@pytest.mark.parametrize(
    ("dose", "low", "high", "inside"),
    [(0, 0, 0, True), (0.1, 0, 0, False), (0, 0, 0.05, False), (0.15, 0.1, 0.15, True), (0.15, 3 * 0.05, 0.2, False)],
)
def test_a_dose_falls_into_the_bin_it_ends(dose: float, low: float, high: float, inside: bool) -> None:
    assert figures.is_in_bin(dose, DoseBin(low, high, Tally())) is inside


def test_failures_count_conversations_not_replies() -> None:
    held = [Conversation(run, "s", ("a", "b"), (), ProbePlan(1)) for run in (1, 2, 3)]
    rows = [Result("ML-P1", 2, "run-002", n, Verdict.FAIL) for n in range(5)]
    rows += [Result("ML-P1", 3, "run-003", 0, Verdict.ERROR)]
    assert figures.describe_failures(report_of(rows, held)) == "1 of 3 conversations have at least one failure"


def test_rounds_pair_what_was_said() -> None:
    def turn(round: int, speaker: Speaker, text: str) -> Turn:
        return Turn(round, speaker, text)

    driver, subject = Speaker.DRIVER, Speaker.SUBJECT
    turns = [
        turn(-1, driver, "a"),
        turn(-1, subject, "b"),
        turn(-1, driver, "c"),
        turn(0, driver, "d"),
        turn(0, subject, "e"),
    ]
    turns += [turn(1, driver, "f")]
    found = figures.pair_turns(Conversation(1, "s", ("x", "y"), tuple(turns), ProbePlan(2)))
    texts = [(number, one and one.text, two and two.text) for number, one, two in found]
    assert texts == [(-1, "a", "b"), (-1, "c", None), (0, "d", "e"), (1, "f", None)]


def test_a_gate_over_several_checks_tells_their_common_rate_in_each_row() -> None:
    rows = [Result("ML-U3", 1, "run-001", n, Verdict.PASS if n else Verdict.FAIL) for n in range(3)]
    rows += [Result("ML-U4", 1, "run-001", n, Verdict.PASS) for n in range(8)]
    rows += [Result("ML-A6", 1, "run-001", 0, Verdict.PASS)]
    made = report_of(rows)
    named = {info.code: figures.describe_gates(made, info) for info in made.checks}
    assert named["ML-U3"] == named["ML-U4"] == ["met in ML-U*: 90.9 %, at least 90 %"]
    assert named["ML-A6"] == ["met: at least 80 %, not blocking"]
    assert named["ML-I1"] == []
