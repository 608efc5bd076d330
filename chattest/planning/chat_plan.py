"""The plan of a chat, in which a person chooses when a planned text is said."""

from collections.abc import Mapping
from dataclasses import replace

from chattest.records.plan import ProbePlan

Place = tuple[int, int]
"""Numbers, from 0, of a probe in the offered plan and of a step in that probe."""


def offered(plan: ProbePlan, said: Mapping[Place, int]) -> set[Place]:
    """The steps that may be said now: the first of each probe that is not said yet.

    said: step -> the round in which it was said. A probe whose fact is told in another session has none.
    """
    found = set()
    for number, probe in enumerate(plan.probes):
        left = [index for index in range(len(probe.steps)) if (number, index) not in said]
        if left and probe.told is None:
            found.add((number, left[0]))
    return found


def as_said(plan: ProbePlan, said: Mapping[Place, int], rounds: int) -> ProbePlan:
    """The plan with the steps that were said, each in its round, and nothing else.

    said: step -> round. rounds: how many the conversation has. Raises `InputError` where the plan cannot be: a step in
    round 0, two in one round, a question before its fact.
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
