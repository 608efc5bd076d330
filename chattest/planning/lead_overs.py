"""Lead over to planted facts, so that they do not come out of the blue.

Only where `density` leaves rounds to small talk: a conversation that is planted without a gap has nothing to lead from.
No line stands before a question: some bots answer the line and not the question.
"""

import tomllib
from collections.abc import Sequence
from dataclasses import replace
from functools import cache
from random import Random

from chattest.cases.base import ProbeCase, cases
from chattest.files.shipped import find_shipped_folder
from chattest.records.plan import ProbePlan, Purpose, Step
from chattest.settings.declaration import Settings

FILE = "lead_overs.toml"


def add_lead_overs(plan: ProbePlan, settings: Settings, run: int) -> ProbePlan:
    """Return the plan with a line before some of the facts that follow small talk, each line at most once.

    A fact whose lines are used up gets none, and neither does an altered one, since what is said is then compared with
    what was meant. What leads over is no part of `Step.text`, by which the reply is judged.
    """
    if settings.density == 1:
        return plan
    generator = Random(f"{settings.seed}/{run}/lead over")
    planted = plan.by_round()
    chosen: dict[int, str] = {}
    for probe, step in plan.steps():
        if step.purpose is Purpose.INFORM and step.text == step.original and step.round - 1 not in planted:
            left = [line for line in find_lead_overs(probe.case) if line not in chosen.values()]
            chosen[step.round] = generator.choice(["", *left])

    def lead_over(step: Step) -> Step:
        return replace(step, lead_over=chosen.get(step.round, ""))

    probes = (replace(probe, steps=tuple(map(lead_over, probe.steps))) for probe in plan.probes)
    return replace(plan, probes=tuple(probes))


def find_lead_overs(code: str) -> Sequence[str]:
    """Return the lines that lead over to a fact of a case's test sets."""
    case = cases.get(code)
    return _read().get(case.testsets, ()) if isinstance(case, ProbeCase) else ()


@cache
def _read() -> dict[str, tuple[str, ...]]:
    """Return the lines before a fact, for each kind of test sets."""
    tables = tomllib.loads((find_shipped_folder("testsets") / FILE).read_text("utf-8"))
    return {kind: tuple(lines) for kind, lines in tables.items()}
