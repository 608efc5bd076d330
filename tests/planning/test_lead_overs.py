"""What leads over to a planted line stands before it, is not judged, and never touches what was altered."""

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


@pytest.mark.parametrize("purpose", [Purpose.INFORM, Purpose.ASK])
@pytest.mark.parametrize("case", probe_cases(), ids=lambda case: case.code)
def test_there_are_two_lines_before_facts_and_questions(case: ProbeCase, purpose: Purpose) -> None:
    if purpose is Purpose.INFORM and case.testsets == "co":
        return  # about the bot itself: the user states nothing
    lines = find_lead_overs(case.code, purpose)
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
            assert step.lead_over in ("", *find_lead_overs(probe.case, step.purpose))


def test_it_follows_small_talk_and_stands_before_nothing_that_was_altered(testsets: Sets) -> None:
    led = 0
    for made in plans(testsets, 0.33):
        planted = made.by_round()
        for _, step in made.steps():
            if step.lead_over:
                led += 1
                assert step.round - 1 not in planted
                assert step.text == step.original
    assert led > 100
