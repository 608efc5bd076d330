"""Describe the comparison of two runs as text."""

from chattest.cases.base import cases
from chattest.comparison.runs import CaseDifference, RunComparison
from chattest.records.report import EXPERIMENTAL
from chattest.records.result import Result
from chattest.reports.content.figures import format_percent
from chattest.reports.content.text import shorten
from chattest.reports.content.verdict_marks import WORDS
from chattest.statistics.clusters import ENOUGH
from chattest.text.format import align, many

LISTED = 10
"""Number of flipped questions that are listed in the terminal."""


def format_lines(comparison: RunComparison, detail: str = "normal") -> list[str]:
    """Return the lines for the terminal: a row for each check, then the flipped questions with both replies.

    Args:
        comparison: The comparison.
        detail: `quiet` for the result only, `verbose` for all flipped questions; otherwise `LISTED` are shown.
    """
    if detail == "quiet":
        return [describe_verdict(comparison)]
    first, second = comparison.first.title, comparison.second.title
    head = ("check", "asked", "first", "second", "change", "95 % interval", "better", "worse", "McNemar")
    rows: list[tuple[str, ...]] = [(*head, "by conversation", "Holm", "verdict")]
    for case in (*comparison.checks, *comparison.pooled):
        p_values = (case.mcnemar, case.sign_flip, comparison.find_p(case))
        counts = (str(len(case.better)), str(len(case.worse)))
        rates = (format_percent(case.rates[0]), format_percent(case.rates[1]), format_points(case.change))
        tests = [format_p(p) for p in p_values]
        rows.append(
            (
                case.check,
                str(len(case.pairs)),
                *rates,
                format_interval(case),
                *counts,
                *tests,
                comparison.verdict(case),
            )
        )
    text = [f"first:  {first}", f"second: {second}", "", *align(rows), ""]
    text += [*list_notes(comparison), describe_verdict(comparison)]
    flips = comparison.flips
    listed = len(flips) if detail == "verbose" else LISTED
    for case, before, after in flips[:listed]:
        text += ["", f"{case.check}, {describe_place(before)}: {before.prompt!r}"]
        for name, row in (("first ", before), ("second", after)):
            doubt = f"  ({WORDS})" if row.in_doubt else ""
            text += [f"  {name}  {row.verdict.value:4}  {shorten(row.reply, 200)}{doubt}"]
    if len(flips) > listed:
        text += ["", f"{many(len(flips) - listed, 'more question')} flipped; the page and the workbook list them all."]
    return text


def list_notes(comparison: RunComparison) -> list[str]:
    """Return the notes on the figures, a sentence each."""
    level = f"{comparison.alpha:g}"
    sentences = [f"A difference is significant if its p-value by conversation, corrected by Holm, is below {level}."]
    few = [case.check for case in comparison.pooled if comparison.has_few(case)]
    if few:
        sentences.append(
            f"{', '.join(few)}: with so few conversations, the change counts if McNemar's test and a t-test by "
            "conversation both find it."
        )
    if any(run.settings.get("stop_when") for run in (comparison.first, comparison.second)):
        both = many(len({row.run for row in comparison.first.results if row.run}), "conversation")
        sentences.append(f"A run stopped early (stop_when): the {both} that both held are compared.")
    if any(len(case.by_conversation) < ENOUGH for case in comparison.checks):
        sentences.append(f"An interval from fewer than {ENOUGH} conversations is too narrow.")
    left_out = sum(case.left_out for case in comparison.checks)
    if left_out:
        sentences.append(f"Left out: {many(left_out, 'question')} that at most one run decided.")
    if comparison.undecided:
        codes = ", ".join(comparison.undecided)
        sentences.append(f"Not compared, because no question was decided by both runs: {codes}.")
    experimental = [case.check for case in comparison.checks if case.experimental]
    if experimental:
        sentences.append(
            f"{', '.join(experimental)}: {EXPERIMENTAL}; draw no conclusion from the change, see docs/judges.md."
        )
    for case in comparison.checks:
        if case.change and not case.detectable and case.margin is not None:
            margin = f"{100 * case.margin:.1f} points"
            sentences.append(f"{case.check}: the change is smaller than the judges can detect ({margin}).")
    return sentences + [describe_label_change(case) for case in comparison.checks if case.by_labels]


def describe_label_change(case: CaseDifference) -> str:
    """Describe the change that people's labels show: `ML-U3: +8.1 points according to 80 labels of both runs; ...`."""
    assert case.true_change is not None
    assert case.margin is not None
    change, margin = format_points(case.true_change), f"{100 * case.margin:.1f}"
    return (
        f"{case.check}: {change} points according to {case.by_labels} labels of both runs; "
        f"changes can be detected from {margin} points."
    )


def describe_verdict(comparison: RunComparison) -> str:
    """List the checks that are significantly worse, or explain that there are too few conversations."""
    worse = ", ".join(case.check for case in (*comparison.worse, *comparison.worse_pooled))
    if worse:
        return f"Significantly worse: {worse}."
    compared, needed = comparison.conversations, comparison.needed
    if needed is not None and compared < needed and any(case.change for case in comparison.counted):
        begin = f"Too few conversations to tell: {many(compared, 'conversation')} compared."
        checks = many(len(comparison.counted), "check")
        return f"{begin} With {checks}, at least {needed} are needed for any change to be significant."
    return "No check is significantly worse."


def find_title(check: str) -> str:
    """Return the title of a case; empty for checks that ask single questions."""
    return cases.get(check).title if check in cases else ""


def format_p(p: float | None) -> str:
    """Format a p-value with four decimals; one that would round to 0 is `<0.0001`, and a missing one is a dash."""
    if p is None:
        return "–"
    return f"{p:.4f}" if p >= 0.0001 else "<0.0001"


def format_points(change: float) -> str:
    """Format a change of a rate in percentage points, with its sign."""
    return f"{100 * change:+.1f}"


def format_interval(case: CaseDifference) -> str:
    """Format the 95 % interval of the change in percentage points, or a dash."""
    return "–" if case.interval is None else f"{format_points(case.interval[0])} to {format_points(case.interval[1])}"


def format_reason(row: Result) -> str:
    """Return why a row got its verdict, and whether that is in doubt."""
    reason = row.reason or row.score.reason
    return f"{reason} ({WORDS})" if row.in_doubt else reason


def describe_place(row: Result) -> str:
    """Describe where and how a question was asked: `run-001, round 4, cat-name: typo, dose 0.5`."""
    words = f"{row.conversation}, round {row.round}" if row.run else f"question {row.round + 1}"
    words += f", {row.testset}" if row.testset else ""
    return words + (f": {row.perturbation}, dose {round(row.dose, 2):g}" if row.perturbation and row.dose else "")
