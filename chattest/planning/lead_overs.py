"""Lead over to planted lines, so that a fact or a question does not come out of the blue.

Only where `density` leaves rounds to small talk: a conversation that is planted without a gap has nothing to lead from.
"""

import tomllib
from collections.abc import Sequence
from dataclasses import replace
from functools import cache
from random import Random

from chattest.cases.base import ProbeCase, cases
from chattest.files.shipped import find_shipped_folder
from chattest.records.plan import Probe, ProbePlan, Purpose, Step
from chattest.settings.declaration import Settings

FILE = "lead_overs.toml"


def add_lead_overs(plan: ProbePlan, settings: Settings, run: int) -> ProbePlan:
    """Return the plan with a line before some of its texts: two of three that follow small talk.

    An altered question gets none, since what is said is then compared with what was meant. What leads over is no part
    of `Step.text`, by which the reply is judged.
    """
    if settings.density == 1:
        return plan
    generator = Random(f"{settings.seed}/{run}/lead over")
    planted = set(plan.by_round())

    def lead_over(probe: Probe, step: Step) -> Step:
        lines = ("", *find_lead_overs(probe.case, step.purpose))
        chosen = generator.choice(lines)  # drawn for every step, so that one step does not change the others
        is_open = step.round - 1 not in planted and step.text == step.original and step.purpose is not Purpose.PRESS
        return replace(step, lead_over=chosen) if is_open else step

    probes = (replace(probe, steps=tuple(lead_over(probe, step) for step in probe.steps)) for probe in plan.probes)
    return replace(plan, probes=tuple(probes))


def find_lead_overs(code: str, purpose: Purpose) -> Sequence[str]:
    """Return the lines that lead over to a fact of a case's test sets, or to a question."""
    case = cases.get(code)
    kind = case.testsets if isinstance(case, ProbeCase) else ""
    return _read()["ask"] if purpose is Purpose.ASK else _read().get(kind, ())


@cache
def _read() -> dict[str, tuple[str, ...]]:
    """Return the lines before a fact, for each kind of test sets, and those before a question."""
    tables = tomllib.loads((find_shipped_folder("testsets") / FILE).read_text("utf-8"))
    return {kind: tuple(lines) for kind, lines in tables.items()}
