"""What leads over stands before a planted fact, once in a conversation, and never before what was altered or asks."""

from collections.abc import Mapping, Sequence

import pytest

from chattest.cases.base import ProbeCase, probe_cases
from chattest.cases.sessions import SessionCase
from chattest.planning.lead_overs import find_lead_overs
from chattest.planning.sessions import plan
from chattest.records.plan import ProbePlan, Purpose, TestSet
from chattest.settings.declaration import Settings

Sets = Mapping[str, Sequence[TestSet]]
CASES = [case for case in probe_cases() if not isinstance(case, SessionCase)]


def plans(testsets: Sets, density: float) -> list[ProbePlan]:
    settings = Settings(conversation_length=60, density=density, p={case.code: 0.1 for case in CASES})
    return [plan(settings, dict(testsets), run) for run in range(1, 21)]


@pytest.mark.parametrize("case", probe_cases(), ids=lambda case: case.code)
def test_there_are_two_lines_before_the_facts_of_a_case(case: ProbeCase) -> None:
    if case.testsets == "co":
        return  # about the bot itself: the user states nothing
    lines = find_lead_overs(case.code)
    assert len(set(lines)) == 2
    assert all(line == line.strip() and line[0].isupper() and line[-1] in ".!?" for line in lines)


def test_a_plan_without_small_talk_has_none(testsets: Sets) -> None:
    steps = [step for made in plans(testsets, 1.0) for _, step in made.steps()]
    assert steps
    assert not any(step.lead_over for step in steps)


def test_the_plan_is_otherwise_the_same(testsets: Sets) -> None:
    for made in plans(testsets, 0.33):
        for probe, step in made.steps():
            assert step.spoken == f"{step.lead_over} {step.text}".strip()
            assert made.planned_text(step.round) == step.spoken
            assert step.lead_over in ("", *find_lead_overs(probe.case))


def test_it_follows_small_talk_and_stands_before_facts_that_were_not_altered(testsets: Sets) -> None:
    led = 0
    for made in plans(testsets, 0.33):
        planted = made.by_round()
        for _, step in made.steps():
            if step.lead_over:
                led += 1
                assert step.round - 1 not in planted
                assert step.text == step.original
                assert step.purpose is Purpose.INFORM
    assert led > 50


def test_a_line_comes_at_most_once_in_a_conversation_and_then_facts_have_none(testsets: Sets) -> None:
    used_up = 0
    for made in plans(testsets, 0.5):
        planted = made.by_round()
        lines = [step.lead_over for _, step in made.steps() if step.lead_over]
        assert len(set(lines)) == len(lines)
        used_up += any(
            not step.lead_over and step.round - 1 not in planted and set(find_lead_overs(probe.case)) <= set(lines)
            for probe, step in made.steps()
            if step.purpose is Purpose.INFORM
        )
    assert used_up
