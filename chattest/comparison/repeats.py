"""A plan that was asked several times: per check pass^k, per question how often it changed its verdict."""

from collections.abc import Sequence
from dataclasses import dataclass

from chattest.comparison.runs import Run, differences
from chattest.errors import InputError, Problem
from chattest.records.result import Result, Verdict
from chattest.statistics.repeats import Repeats, pass_every_time
from chattest.text.format import aligned

LISTED = 20
"""Flaky questions told."""


@dataclass(frozen=True, slots=True)
class Question:
    """One planned question and what became of it each time."""

    row: Result
    """Its first repeat."""
    repeats: Repeats
    """An ERROR counts as not passed; where nothing was decided it does not count."""


def repeated(runs: Sequence[Run]) -> list[Question]:
    """The planned questions of several finished runs on the same plan, or of one whose runs all have the same plan.

    Raises `InputError` when the plans are not the same.
    """
    for other in runs[1:]:
        problems = differences(runs[0], other)
        if problems:
            raise InputError(problems)
    rows: dict[tuple[object, ...], list[Result]] = {}
    alone = len(runs) == 1
    for run in runs:
        for row in run.results:
            if row.testset or not row.run:
                key = row.check, 0 if alone else row.run, row.round, row.testset, row.dose, row.prompt
                rows.setdefault(key, []).append(row)
    held = len({row.run for row in runs[0].results if row.run})
    if alone and (held < 2 or any(len(found) != held for found in rows.values() if found[0].run)):
        remedy = "Set same_plan = True with max_runs of 2 or more, or give several runs of the same plan."
        raise InputError([Problem(str(runs[0].folder), "its conversations were not asked the same", remedy)])
    return [Question(found[0], _counted(found)) for found in rows.values()]


def _counted(rows: Sequence[Result]) -> Repeats:
    decided = [row for row in rows if row.verdict is not Verdict.NOT_APPLICABLE]
    return Repeats(sum(row.verdict is Verdict.PASS for row in decided), len(decided))


def lines(questions: Sequence[Question]) -> list[str]:
    """The figures for the terminal: pass^k per check, then the questions that change most."""
    by_check: dict[str, list[Repeats]] = {}
    for one in questions:
        if one.repeats.total:
            by_check.setdefault(one.row.check, []).append(one.repeats)
    most = max((one.repeats.total for one in questions), default=0)
    powers = [times for times in (1, 2, 4, 8, 16, 32) if times <= most]
    rows = [("check", "questions", *(f"pass^{times}" for times in powers), "flaky", "mean flakiness")]
    for check, found in by_check.items():
        shares = [pass_every_time(found, times) for times in powers]
        flaky = sum(one.flakiness > 0 for one in found)
        mean = sum(one.flakiness for one in found) / len(found)
        rows.append(
            (
                check,
                str(len(found)),
                *("-" if one is None else f"{one:.3f}" for one in shares),
                str(flaky),
                f"{mean:.3f}",
            )
        )
    text = [*aligned(rows), "", "pass^k: the share of questions that pass k times in a row."]
    text += ["Flakiness: the probability that two repeats of a question come out differently."]
    changing = sorted((one for one in questions if one.repeats.flakiness), key=lambda one: -one.repeats.flakiness)
    if changing:
        told = [
            (
                f"  {one.row.check}",
                one.row.conversation,
                one.row.round,
                f"{one.repeats.passed} of {one.repeats.total}",
                one.row.prompt,
            )
            for one in changing[:LISTED]
        ]
        text += ["", "Questions that change most (passed of repeats):", *aligned(told)]
    return text
