"""Compare repeats of the same plan: pass^k of each check, and how often the verdict of each question changed."""

from collections.abc import Sequence
from dataclasses import dataclass

from chattest.cases.base import explain_experimental
from chattest.comparison.plans import find_differences, reduce_to_common
from chattest.errors import InputError, Problem
from chattest.records.report import mark_experimental
from chattest.records.result import Result, Verdict
from chattest.statistics.repeats import Repeats, pass_every_time
from chattest.storage.finished_run import Run
from chattest.text.format import align

LISTED = 20
"""Number of flaky questions that are listed."""


@dataclass(frozen=True, slots=True)
class Question:
    """A planned question and its results over all repeats."""

    row: Result
    """The result of its first repeat."""
    repeats: Repeats
    """Number of repeats and how many passed. An ERROR counts as not passed; NOT_APPLICABLE does not count."""


def collect_repeats(runs: Sequence[Run]) -> list[Question]:
    """Collect the repeats of each planned question.

    Args:
        runs: Several runs on the same plan, or one run where all conversations have the same plan.

    Raises:
        InputError: The plans differ.
    """
    runs = reduce_to_common(runs)
    for other in runs[1:]:
        problems = find_differences(runs[0], other)
        if problems:
            raise InputError(problems)
    rows: dict[tuple[object, ...], list[Result]] = {}
    single = len(runs) == 1
    for run in runs:
        for row in run.results:
            if row.testset or not row.run:
                key = row.check, 0 if single else row.run, row.round, row.testset, row.dose, row.prompt
                rows.setdefault(key, []).append(row)
    conversations = len({row.run for row in runs[0].results if row.run})
    uneven = any(len(repeats) != conversations for repeats in rows.values() if repeats[0].run)
    if single and (conversations < 2 or uneven):
        remedy = "Set same_plan = True with max_runs of 2 or more, or give several runs of the same plan."
        what = "its conversations did not ask the same questions"
        raise InputError([Problem(str(runs[0].folder), what, remedy)])
    return [Question(repeats[0], _count_passes(repeats)) for repeats in rows.values()]


def _count_passes(rows: Sequence[Result]) -> Repeats:
    decided = [row for row in rows if row.verdict is not Verdict.NOT_APPLICABLE]
    return Repeats(sum(row.verdict is Verdict.PASS for row in decided), len(decided))


def format_lines(questions: Sequence[Question]) -> list[str]:
    """Return the lines for the terminal: pass^k of each check, then the questions that change most."""
    by_check: dict[str, list[Repeats]] = {}
    for question in questions:
        if question.repeats.total:
            by_check.setdefault(question.row.check, []).append(question.repeats)
    most = max((question.repeats.total for question in questions), default=0)
    powers = [times for times in (1, 2, 4, 8, 16, 32) if times <= most]
    rows = [("check", "questions", *(f"pass^{times}" for times in powers), "flaky", "mean flakiness")]
    for check, repeats in by_check.items():
        shares = [pass_every_time(repeats, times) for times in powers]
        flaky = sum(question.flakiness > 0 for question in repeats)
        mean = sum(question.flakiness for question in repeats) / len(repeats)
        rows.append(
            (
                mark_experimental(check, explain_experimental(check)),
                str(len(repeats)),
                *("-" if share is None else f"{share:.3f}" for share in shares),
                str(flaky),
                f"{mean:.3f}",
            )
        )
    text = [*align(rows), "", "pass^k: the share of questions that pass k times in a row."]
    text += ["Flakiness: the probability that two repeats of a question have different verdicts."]
    changing = sorted(
        (question for question in questions if question.repeats.flakiness),
        key=lambda question: -question.repeats.flakiness,
    )
    if changing:
        listed = [
            (
                f"  {question.row.check}",
                question.row.conversation,
                question.row.round,
                f"{question.repeats.passed} of {question.repeats.total}",
                question.row.prompt,
            )
            for question in changing[:LISTED]
        ]
        text += ["", "Questions that change most (passed of repeats):", *align(listed)]
    return text
