"""Results -> tallies, curves and gates."""

from dataclasses import replace
from itertools import pairwise

import pytest

from chattest.cases.sessions import SessionCase, session_cases
from chattest.records.report import DoseBin, Gate
from chattest.records.result import Result, Tally, Verdict
from chattest.reports.content.figures import describe_gate
from chattest.statistics.clusters import compute_clustered_interval
from chattest.tally.gates import decide_gate
from chattest.tally.rates import (
    tally_by_check,
    tally_by_conversation,
    tally_by_distance,
    tally_by_dose,
    tally_by_run,
    tally_by_testset,
)

P, F, N, E = Verdict.PASS, Verdict.FAIL, Verdict.NOT_APPLICABLE, Verdict.ERROR


def row(check: str, verdict: Verdict, run: int = 1, **more: object) -> Result:
    return Result(check, run, f"run-{run:03d}", 3, verdict, **more)  # type: ignore[arg-type]


ROWS = [
    row("ML-U3", P, testset="b"),
    row("ML-U3", F, run=2, testset="a"),
    row("ML-U3", N, testset="a"),
    row("ML-I2", E, run=2),
    row("ML-I2", P, run=2),
]


def test_tallies_over_all_by_run_and_by_test_set() -> None:
    assert tally_by_check(ROWS) == {"ML-U3": Tally(1, 2, 1), "ML-I2": Tally(1, 1, 0, 1)}
    assert tally_by_run(ROWS) == {
        1: {"ML-U3": Tally(1, 1, 1)},
        2: {"ML-U3": Tally(0, 1), "ML-I2": Tally(1, 1, 0, 1)},
    }
    assert tally_by_testset(ROWS) == {"ML-U3": {"a": Tally(0, 1, 1), "b": Tally(1, 1)}}
    assert tally_by_check([]) == {}
    assert tally_by_run([]) == {}
    assert tally_by_testset([]) == {}


@pytest.mark.parametrize(
    ("perturbation", "dose", "verdict", "expected"),
    [
        ("typo", 0.5, P, Tally(1, 1)),
        ("typo", 1.0, F, Tally(0, 1)),
        ("typo", 0.0, P, Tally(0, 0, 1)),
        ("typo", 0.0, F, Tally(0, 0, 1)),
        ("typo", 0.0, E, Tally(0, 0, 0, 1)),  # a bot that fails at an unchanged question has failed
        ("typo", None, P, Tally(1, 1)),  # the dose is not known: a conversation of another tool
        ("", 0.0, P, Tally(1, 1)),
        ("", None, F, Tally(0, 1)),
    ],
)
def test_an_unchanged_question_adds_nothing_to_a_rate(
    perturbation: str, dose: float | None, verdict: Verdict, expected: Tally
) -> None:
    changed = row("ML-U3", verdict, perturbation=perturbation, dose=dose)
    assert tally_by_check([changed]) == {"ML-U3": expected}
    assert tally_by_conversation([changed, changed]) == [expected + expected]


def test_single_questions_are_sessions_of_their_own() -> None:
    apart = [replace(row("bias.gender", P, 0), round=number, conversation="bias.gender") for number in (0, 1)]
    assert tally_by_conversation(apart) == [Tally(1, 1)] * 2
    together = [row("ML-U3", P, 2), row("ML-I2", F, 2), replace(row("ML-I2", F, 2), round=9), row("ML-I2", F, 1)]
    assert tally_by_conversation(together) == [Tally(1, 3), Tally(0, 1)]


def test_the_tallies_of_the_parts_make_the_whole() -> None:
    whole = sum(tally_by_check(ROWS).values(), Tally())
    assert sum((tally for run in tally_by_run(ROWS).values() for tally in run.values()), Tally()) == whole
    assert whole.total + whole.not_applicable + whole.errors == len(ROWS)


@pytest.mark.parametrize(
    ("step", "doses", "bins"),
    [
        (0.05, {0.0: 0, 0.01: 1, 0.05: 1, 0.0501: 2, 0.15: 3, 1.0: 20}, 21),
        (0.05, {1 / 3: 7, 2 / 3: 14, 0.1 + 0.2: 6, 1 / 20: 1, 7 / 20: 7}, 15),
        (0.25, {0.25: 1, 0.26: 2, 0.75: 3, 5.0: 20}, 21),
        (1, {0.0: 0, 1.0: 1, 2.0: 2, 7.0: 7}, 8),
    ],
)
def test_a_dose_falls_into_the_bin_that_ends_with_it(step: float, doses: dict[float, int], bins: int) -> None:
    for dose, place in doses.items():
        curve = tally_by_dose([row("ML-U3", P, dose=dose)], step)
        assert [bin.tally.total for bin in curve] == [int(number == place) for number in range(place + 1)]
        assert place == 0 or curve[place].low < dose <= curve[place].high + 1e-9
    curve = tally_by_dose([row("ML-U3", P, dose=dose) for dose in doses], step)
    assert len(curve) == bins
    assert all(one.high == other.low for one, other in pairwise(curve))


def test_the_first_bin_is_that_of_unchanged_texts() -> None:
    assert tally_by_dose([], 0.05) == (DoseBin(0, 0, Tally()),)
    few = tally_by_dose([row("ML-U3", P, dose=float(dose)) for dose in (0, 20)], 1.0)
    assert [(bin.low, bin.high) for bin in few[:3]] == [(0, 0), (0, 1), (1, 2)]
    many = tally_by_dose([row("ML-U3", P, dose=float(dose)) for dose in (0, 5, 6, 61)], 1.0)
    assert [(bin.low, bin.high) for bin in many[:3]] == [(0, 0), (0, 5), (5, 10)]
    assert [bin.tally.passed for bin in many] == [1, 1, 1, *[0] * 10, 1], "five letters a step, not 61 steps"
    rows = [row("x", P), row("x", F, dose=0.0), row("x", N, dose=0.04), row("x", P, dose=0.03)]
    assert tally_by_dose(rows, 0.05) == (DoseBin(0, 0, Tally(0, 1)), DoseBin(0, 0.05, Tally(1, 1, 1)))


def test_recall_counts_the_questions_of_cases_that_wait() -> None:
    rows = [
        row("ML-I1", P, distance=7),
        row("ML-I1", F, distance=1),
        row("ML-I1", P, distance=1),
        row("ML-I1", F, distance=1, dose=0.5),
        row("ML-I4", F, distance=1),
        row("ML-U3", P, distance=1, dose=0.0),
        row("ML-U3", F, distance=1, dose=0.3),
        row("ML-I2", F),
    ]
    assert tally_by_distance(rows) == ((1, Tally(1, 2)), (7, Tally(1, 1)))


NAMES = {"ML-U3": "understanding.typing_mistakes", "ML-U4": "understanding.word_order", "ML-P1": "personality.toxicity"}
TALLIES = {"ML-U3": Tally(8, 10), "ML-U4": Tally(2, 10), "ML-P1": Tally(9, 9, 5, 1)}


@pytest.mark.parametrize(
    ("pattern", "least", "level", "met", "rate"),
    [
        ("ML-U3", 0.8, "rate", True, 0.8),
        ("ML-U3", 0.81, "rate", False, 0.8),
        ("ML-U*", 0.5, "rate", True, 0.5),
        ("understanding.*", 0.5, "rate", True, 0.5),
        ("*.toxicity", 0.9, "rate", True, 0.9),  # the error counts as a miss
        ("ML-P1", 0.95, "rate", False, 0.9),
        ("ML-U3", 0.49, "lower", True, 0.8),
        ("ML-U3", 0.5, "lower", False, 0.8),
        ("*", 0.63, "rate", True, 19 / 30),
        ("ml-u3", 0.0, "rate", False, None),
        ("ML-Z*", 0.0, "rate", False, None),
    ],
)
def test_a_gate(pattern: str, least: float, level: str, met: bool, rate: float | None) -> None:
    outcome = decide_gate(Gate(pattern, least, level=level), TALLIES, NAMES)
    assert (outcome.met, outcome.rate) == (met, pytest.approx(rate) if rate is not None else None)
    assert bool(outcome.reason) == (rate is None)
    assert outcome.gate == Gate(pattern, least, level=level)


@pytest.mark.parametrize(("labels", "met"), [(("made up", "made up"), True), (("made up", "leak"), False)])
def test_a_gate_may_count_the_failures_with_one_label_only(labels: tuple[str, ...], met: bool) -> None:
    failed = [replace(row("ML-M8", F, 11), label=label) for label in labels]
    outcome = decide_gate(Gate("ML-M8", 1.0, fault="leak"), {"ML-M8": Tally(0, 2)}, {"ML-M8": "memory"}, failed)
    assert (outcome.met, outcome.rate) == (met, 1 - labels.count("leak") / 2)
    assert describe_gate(outcome) == f"{'met' if met else 'MISSED'}: at least 100 % without a leak"


def test_a_gate_under_which_nothing_was_decided_is_not_met() -> None:
    outcome = decide_gate(Gate("ML-U3", 0.0), {"ML-U3": Tally(0, 0, 4)}, NAMES)
    assert (outcome.met, outcome.reason) == (False, "none of its checks has a result")
    assert not decide_gate(Gate("ML-U3", 0.1), {"ML-U3": Tally(0, 0, 4, 2)}, NAMES).met


def test_a_gate_on_the_lower_bound_counts_by_conversation() -> None:
    alike = [row("ML-U3", P if run <= 6 else F, run) for run in range(1, 11) for _ in range(10)]
    tallies = tally_by_check(alike)
    plain = decide_gate(Gate("ML-U3", 0.45, level="lower"), tallies, NAMES)
    clustered = decide_gate(Gate("ML-U3", 0.45, level="lower"), tallies, NAMES, [*alike, row("ML-U4", F, 11)])
    assert plain.rate == clustered.rate == 0.6
    assert plain.interval == tallies["ML-U3"].interval
    assert clustered.interval == compute_clustered_interval([10] * 6 + [0] * 4, [10] * 10)
    assert plain.met
    assert not clustered.met
    once = [row("ML-U3", P) for _ in range(9)] + [row("ML-U3", F)]
    assert decide_gate(Gate("ML-U3", 0.1), tally_by_check(once), NAMES, once).interval == Tally(9, 10).interval


@pytest.mark.parametrize("errors", ["miss", "ignore"])
def test_errors_count_in_its_interval_as_in_its_rate(errors: str) -> None:
    rows = [row("ML-U3", verdict, run) for run in range(1, 11) for verdict in (P, P, F, E)]
    found = decide_gate(Gate("ML-U3", 0.1, errors=errors), tally_by_check(rows), NAMES, rows)
    total = 4 if errors == "miss" else 3
    assert found.interval == compute_clustered_interval([2] * 10, [total] * 10)


@pytest.mark.parametrize(
    "case", [case for case in session_cases() if case.gate is not None], ids=lambda case: case.code
)
def test_the_gate_that_a_case_brings_is_missed_without_a_decided_reply(case: SessionCase) -> None:
    assert case.gate is not None
    for tally in (Tally(), Tally(not_applicable=3), Tally(errors=2)):
        outcome = decide_gate(case.gate, {case.code: tally}, {case.code: case.name})
        assert (outcome.met, outcome.rate, outcome.reason) == (False, None, "none of its checks has a result")
        assert describe_gate(outcome).startswith("MISSED")
