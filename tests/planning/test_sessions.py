"""Groups of sessions: what one tells another asks, in time, and nobody else has to do with it."""

from collections.abc import Mapping, Sequence

import pytest

from chattest.errors import InputError
from chattest.planning import planner, sessions
from chattest.records.plan import ProbePlan, Purpose, TestSet
from tests.support.dense import dense

Sets = Mapping[str, Sequence[TestSet]]
ORDINARY = {"ML-I1": 0.2, "ML-U3": 0.1}
LATER, MEANWHILE = {"ML-M7": 0.4}, {"ML-M8": 0.3}
RUNS = range(1, 13)


@pytest.mark.parametrize(
    ("p", "places"),
    [
        (ORDINARY, [None] * 4),
        (LATER, [(1, 0, "a"), (1, 1, "a"), (3, 0, "a"), (3, 1, "a")]),
        (MEANWHILE, [(1, 0, "a"), (1, 0, "b"), (3, 0, "a"), (3, 0, "b")]),
        (LATER | MEANWHILE, [(1, 0, "a"), (1, 0, "b"), (1, 1, "a"), (4, 0, "a")]),
    ],
    ids=["neither", "later", "meanwhile", "both"],
)
def test_runs_form_groups_of_the_sessions_that_are_needed(
    p: dict[str, float], places: list[tuple[int, int, str] | None]
) -> None:
    found = [sessions.find_session(dense(p=p), run) for run in range(1, 5)]
    assert [each and (each.group, each.stage, each.user) for each in found] == places


def test_without_them_plans_are_what_they_were(testsets: Sets) -> None:
    for run in (1, 2):
        assert sessions.plan(dense(), testsets, run) == planner.plan(dense(), testsets, run)


@pytest.mark.parametrize("seed", range(3))
def test_every_question_was_told_before_by_whom_the_case_says(seed: int, testsets: Sets) -> None:
    given = dense(seed=seed, p=ORDINARY | LATER | MEANWHILE, conversation_length=24, maxlength={"ML-M7": 9})
    plans = {run: sessions.plan(given, testsets, run) for run in RUNS}
    asked = dict.fromkeys((*LATER, *MEANWHILE), 0)
    for run, plan in plans.items():
        here = sessions.find_session(given, run)
        assert here is not None
        for probe, step in plan.steps():
            if probe.told is None:
                continue
            asked[probe.case] += 1
            teller = here.group + probe.told.session
            there = sessions.find_session(given, teller)
            assert there is not None
            said = {(one.testset, each.round, each.text) for one, each in plans[teller].steps()}
            assert (probe.testset, probe.told.round, probe.told.text) in said
            waited = probe.told.rounds + step.round
            assert 1 <= waited <= (9 if probe.case == "ML-M7" else 15)
            if probe.case == "ML-M7":
                assert there.user == here.user
                assert there.stage < here.stage
                assert waited == plan.length - probe.told.round + step.round
            else:
                assert there.user != here.user
                assert there.stage == here.stage
                assert waited == step.round - probe.told.round
    assert min(asked.values()) >= 10


@pytest.mark.parametrize("seed", range(3))
def test_a_fact_is_told_once_in_a_group_and_nothing_else_is_about_it(seed: int, testsets: Sets) -> None:
    given = dense(seed=seed, p=ORDINARY | LATER | MEANWHILE, conversation_length=24)
    about = {each.name: each.about for sets in testsets.values() for each in sets}
    for first in (1, 4):
        told: list[str] = []
        others: set[str] = set()
        for run in range(first, first + 3):
            for probe, step in sessions.plan(given, testsets, run).steps():
                if probe.case in ("ML-M7", "ML-M8"):
                    told += [about[probe.testset]] if step.purpose is Purpose.INFORM else []
                else:
                    others.add(about[probe.testset])
        assert len(told) == len(set(told)) > 3
        assert not others & set(told)


@pytest.mark.parametrize("seed", range(3))
def test_a_user_tells_fresh_facts_in_a_later_session(seed: int, testsets: Sets) -> None:
    given = dense(seed=seed, p={"ML-I4": 0.4, "ML-I5": 0.4} | {"ML-M7": 0.1}, conversation_length=24)
    first, later = (_told(sessions.plan(given, testsets, run)) for run in (1, 2))
    assert len(first) > 4
    assert len(later) > 4
    assert not first & later
    alone = _told(planner.plan(given, testsets, 2))
    assert any(alone & _told(sessions.plan(given, testsets, run)) for run in (1, 3, 5)), "chance alone tells some twice"


def test_with_the_same_plan_every_group_has_that_of_the_first(testsets: Sets) -> None:
    given = dense(p=LATER | MEANWHILE, same_plan=True, conversation_length=20)
    assert [sessions.find_planned_run(given, run) for run in range(1, 8)] == [1, 2, 3, 1, 2, 3, 1]
    assert [sessions.find_planned_run(dense(same_plan=True), run) for run in (1, 2, 3)] == [1, 1, 1]


def test_too_few_runs_for_a_group_are_told() -> None:
    notes = sessions.find_planning_problems(dense(p=LATER | MEANWHILE, max_runs=2))
    assert notes == ["ML-M7 can never be asked: a group has 3 sessions, and max_runs is 2."]
    assert sessions.find_planning_problems(dense(p=LATER | MEANWHILE, max_runs=3)) == []


def test_a_case_without_test_sets_is_refused(testsets: Sets) -> None:
    with pytest.raises(InputError, match="ML-M8 has no test set to draw from"):
        sessions.check_sets(dense(p=MEANWHILE), {**testsets, "secrets": []}, 1)


def test_maxsets_limits_the_facts_of_a_group(testsets: Sets) -> None:
    given = dense(p={"ML-M7": 0.9}, maxsets={"ML-M7": 2}, conversation_length=24)
    assert len(_facts(sessions.plan(given, testsets, 1))) == 2


def _told(plan: ProbePlan) -> set[str]:
    return {probe.testset for probe, step in plan.steps() if step.purpose is Purpose.INFORM}


def _facts(plan: ProbePlan) -> set[str]:
    return {probe.testset for probe in plan.probes if probe.case == "ML-M7"}
