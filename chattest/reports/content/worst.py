"""Sort the replies that failed into the order in which a person should read them."""

from dataclasses import dataclass
from statistics import median

from chattest.records.report import Report
from chattest.records.result import Result, Verdict
from chattest.reports.content import marks
from chattest.reports.content.verdict_marks import has_doubt, mark_doubt, mark_review

INTRODUCTION = "Start here: for each case, the simplest question that the bot failed."
"""The sentence above every list of the worst replies."""
DOUBTFUL_FIRST = f"{INTRODUCTION} Verdicts in doubt come first."
"""The sentence if verdicts are in doubt."""


@dataclass(frozen=True, slots=True)
class Worst:
    """A reply that failed, with all of its failed results."""

    failed: tuple[Result, ...]
    """At least one result. The reply is listed under the first, which belongs to the check with the lowest rate."""

    @property
    def reasons(self) -> list[str]:
        """The reasons why it failed, a text for each check."""
        return [_reason(result) for result in self.failed]


def _reason(result: Result) -> str:
    why = result.reason or result.score.reason or "failed"
    notes = [words for words in (mark_doubt(result), mark_review(result)) if words]
    return f"{result.check}: {why} ({'; '.join(notes)})" if notes else f"{result.check}: {why}"


def introduce(report: Report, marked: bool = False) -> str:
    """Return the sentences above a report's list of the worst replies.

    Args:
        report: The report.
        marked: Explain the plain marks of altered questions too, if there are any.
    """
    failed = [row for row in report.results if row.verdict is Verdict.FAIL and row.check not in report.experimental]
    sentence = DOUBTFUL_FIRST if has_doubt(failed) else INTRODUCTION
    return f"{sentence} {marks.LEGEND}" if marked and marks.has_original(failed) else sentence


def select_worst(report: Report, most: int, each: int | None = None, whole: bool = False) -> list[Worst]:
    """Select replies that failed at least one check: at most `most`, and at most `each` for a check.

    Failures of experimental checks are left out, unless `whole` is set. Replies with a verdict in doubt come first. The
    checks are sorted by their rates, the lowest first. Within a check the simplest question comes first: the least
    altered one, then the one with the shortest distance to its fact, then the one with the worst score.
    """
    order = {info.code: index for index, info in enumerate(report.checks)}
    rates = sorted(order, key=lambda code: (report.tallies[code].rate or 0.0, order[code]))
    rank = {code: number for number, code in enumerate(rates)}
    replies: dict[tuple[int, str, int], list[Result]] = {}
    experimental = frozenset() if whole else report.experimental
    for result in report.results:
        if result.verdict is Verdict.FAIL and result.is_about_answer and result.check not in experimental:
            replies.setdefault((result.run, result.conversation, result.round), []).append(result)
    for failed in replies.values():
        failed.sort(key=lambda result: rank[result.check])
    sides = _find_failing_sides(report)

    def plainness(failed: list[Result]) -> tuple[float, ...]:
        first = failed[0]
        score = sides[first.check] * (first.score.value or 0.0)
        sure = not has_doubt(failed)
        return (sure, rank[first.check], first.dose or 0.0, first.distance or 0, score, first.run, first.round)

    taken: dict[str, int] = {}
    worst = []
    for failed in sorted(replies.values(), key=plainness):
        check = failed[0].check
        taken[check] = taken.get(check, 0) + 1
        if each is None or taken[check] <= each:
            worst.append(Worst(tuple(failed)))
    return worst[:most]


def _find_failing_sides(report: Report) -> dict[str, int]:
    """Map each check to 1 if low scores fail, or -1 if high scores fail, as for toxicity; inferred from the scores."""
    values: dict[str, tuple[list[float], list[float]]] = {info.code: ([], []) for info in report.checks}
    for result in report.results:
        if result.verdict in (Verdict.PASS, Verdict.FAIL) and result.score.value is not None:
            values[result.check][result.verdict is Verdict.FAIL].append(result.score.value)
    return {
        check: -1 if passed and failed and median(failed) > median(passed) else 1
        for check, (passed, failed) in values.items()
    }


def describe_worst(report: Report, most: int) -> list[str]:
    """Describe the worst replies, at most `most`, for a test's output; if there are none, the first error."""
    lines = []
    # A test that requires a rate of an experimental check wants to see what failed.
    nothing_else = len(report.experimental) == len(report.checks)
    for worst in select_worst(report, most, whole=nothing_else):
        row = worst.failed[0]
        where = f"{row.conversation}, round {row.round}" if row.run else f"question {row.round + 1}"
        asked, answered = marks.format_question(row), marks.format_answer(row)
        lines += [f"  {where}", f"    asked:    {asked}", f"    answered: {answered}"]
        lines += [f"    expected: {row.expected}"] if row.expected else []
        lines += [f"    {reason}" for reason in worst.reasons]
    errors = [row.reason for row in report.results if row.verdict == "ERROR"]
    return lines + ([f"  {errors[0]}"] if errors and not lines else [])
