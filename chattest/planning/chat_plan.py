"""The plan of a chat, in which a person chooses when to send a planned text."""

from collections.abc import Mapping
from dataclasses import replace

from chattest.records.plan import ProbePlan

Place = tuple[int, int]
"""Numbers, from 0, of a probe in the offered plan and of a step in that probe."""


def find_due_steps(plan: ProbePlan, said: Mapping[Place, int]) -> set[Place]:
    """Return the steps that may be sent now: the first step of each probe that is not sent yet.

    A probe has none if another session gives its fact.

    Args:
        plan: the offered plan.
        said: step -> the round in which it was sent.
    """
    steps = set()
    for number, probe in enumerate(plan.probes):
        left = [index for index in range(len(probe.steps)) if (number, index) not in said]
        if left and probe.told is None:
            steps.add((number, left[0]))
    return steps


def rebuild_plan(plan: ProbePlan, said: Mapping[Place, int], rounds: int) -> ProbePlan:
    """Return the plan with the steps that were sent, each in its round, and nothing else.

    Args:
        plan: the offered plan.
        said: step -> round.
        rounds: number of rounds of the conversation.

    Raises:
        InputError: there can be no such plan: a step in round 0, two in one round, a question before its fact.
    """
    probes = []
    for number, probe in enumerate(plan.probes):
        steps = [
            replace(step, round=said[number, index])
            for index, step in enumerate(probe.steps)
            if (number, index) in said
        ]
        if steps:
            probes.append(replace(probe, steps=tuple(sorted(steps, key=lambda step: step.round))))
    return ProbePlan(max(2, rounds), tuple(sorted(probes, key=lambda probe: probe.steps[0].round)))
