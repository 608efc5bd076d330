"""Below a `density` of 1 the driver talks freely in most rounds, and two questions about a fact never follow."""

from itertools import pairwise

import pytest

from chattest.planning.planner import find_planning_problems, plan
from chattest.records.plan import Purpose
from chattest.settings.declaration import Settings


def _plans(testsets, density, length=40, **more):
    settings = Settings(conversation_length=length, density=density, **more)
    return [plan(settings, testsets, run) for run in range(1, 41)]


@pytest.mark.parametrize("density", [0.1, 1 / 3, 0.5])
@pytest.mark.parametrize("length", [20, 40, 100])
def test_no_more_rounds_than_the_share_are_planted(testsets, density, length):
    planted = [len(one.by_round()) for one in _plans(testsets, density, length)]
    assert max(planted) <= max(4, density * length), "there is always room for one probe"
    assert sum(planted) / len(planted) >= 0.5 * density * length


def test_questions_about_a_fact_do_not_follow_each_other(testsets):
    for one in _plans(testsets, 1 / 3):
        for probe in one.probes:
            asked = sorted(step.round for step in probe.steps if step.purpose is Purpose.ASK)
            assert all(later - earlier > 1 for earlier, later in pairwise(asked)), probe


def test_a_question_next_to_its_fact_is_not_more_frequent_than_others(testsets):
    """It is the only distance of cases that do not wait if every round is planted."""
    distances = [
        later.round - earlier.round
        for one in _plans(testsets, 1 / 3)
        for probe in one.probes
        for earlier, later in pairwise(probe.steps)
    ]
    most = max(distances.count(distance) for distance in range(2, 11))
    assert len(distances) > 100
    assert distances.count(1) <= most


def test_all_of_the_conversation_is_used(testsets):
    rounds = [round for one in _plans(testsets, 1 / 3) for round in one.by_round()]
    quarters = [sum(10 * part <= round < 10 * part + 10 for round in rounds) for part in range(4)]
    assert min(quarters) > max(quarters) / 2


@pytest.mark.parametrize(("reserved", "most"), [((), 13), (range(1, 6), 8), (range(1, 21), 0)])
def test_rounds_of_another_session_count(testsets, reserved, most):
    settings = Settings(conversation_length=40, density=1 / 3)
    planted = [len(plan(settings, testsets, run, reserved).by_round()) for run in range(1, 21)]
    assert max(planted) <= most


@pytest.mark.parametrize("length", [5, 8, 11])
def test_a_short_conversation_has_room_for_a_probe(testsets, length):
    settings = Settings(conversation_length=length, p={"ML-U3": 1.0})
    assert [len(plan(settings, testsets, run).by_round()) for run in range(1, 6)] == [4] * 5
    assert not find_planning_problems(settings)
