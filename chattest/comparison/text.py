"""Describe the comparison of two runs as text."""

from chattest.cases.base import cases
from chattest.comparison.runs import CaseDifference, RunComparison
from chattest.records.result import Result
from chattest.reports.content.figures import percent
from chattest.reports.content.text import shortened
from chattest.reports.content.verdict_marks import WORDS
from chattest.statistics.clusters import ENOUGH
from chattest.text.format import aligned, many

LISTED = 10
"""Number of flipped questions that are listed in the terminal."""


def lines(comparison: RunComparison, detail: str = "normal") -> list[str]:
    """Return the lines for the terminal: a row for each check, then the flipped questions with both replies.

    Args:
        comparison: The comparison.
        detail: `quiet` for the result only, `verbose` for all flipped questions; otherwise `LISTED` are shown.
    """
    if detail == "quiet":
        return [verdict_in_words(comparison)]
    first, second = comparison.first.title, comparison.second.title
    head = ("check", "asked", "first", "second", "change", "95 % interval", "better", "worse", "McNemar")
    rows: list[tuple[str, ...]] = [(*head, "by conversation", "Holm", "verdict")]
    for case in comparison.checks:
        p_values = (case.mcnemar, case.sign_flip, comparison.corrected[case.check])
        counts = (str(len(case.better)), str(len(case.worse)))
        rates = (percent(case.rates[0]), percent(case.rates[1]), points(case.change))
        tests = [p_in_words(p) for p in p_values]
        rows.append(
            (
                case.check,
                str(len(case.pairs)),
                *rates,
                interval_in_words(case),
                *counts,
                *tests,
                comparison.verdict(case),
            )
        )
    text = [f"first:  {first}", f"second: {second}", "", *aligned(rows), ""]
    text += [*notes(comparison), verdict_in_words(comparison)]
    flips = comparison.flips
    listed = len(flips) if detail == "verbose" else LISTED
    for case, before, after in flips[:listed]:
        text += ["", f"{case.check}, {place_in_words(before)}: {before.prompt!r}"]
        for name, row in (("first ", before), ("second", after)):
            doubt = f"  ({WORDS})" if row.in_doubt else ""
            text += [f"  {name}  {row.verdict.value:4}  {shortened(row.reply, 200)}{doubt}"]
    if len(flips) > listed:
        text += ["", f"{many(len(flips) - listed, 'more question')} flipped; the page and the workbook list them all."]
    return text


def notes(comparison: RunComparison) -> list[str]:
    """Return the notes on the figures, a sentence each."""
    level = f"{comparison.alpha:g}"
    sentences = [f"A difference is significant if its p-value by conversation, corrected by Holm, is below {level}."]
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
    for case in comparison.checks:
        if case.change and not case.detectable and case.margin is not None:
            margin = f"{100 * case.margin:.1f} points"
            sentences.append(f"{case.check}: the change is smaller than the judges can detect ({margin}).")
    return sentences + [label_note(case) for case in comparison.checks if case.by_labels]


def label_note(case: CaseDifference) -> str:
    """Describe the change that people's labels show: `ML-U3: +8.1 points according to 80 labels of both runs; ...`."""
    assert case.true_change is not None
    assert case.margin is not None
    change, margin = points(case.true_change), f"{100 * case.margin:.1f}"
    return (
        f"{case.check}: {change} points according to {case.by_labels} labels of both runs; "
        f"changes can be detected from {margin} points."
    )


def verdict_in_words(comparison: RunComparison) -> str:
    """List the checks that are significantly worse, or explain that there are too few conversations."""
    worse = ", ".join(case.check for case in comparison.worse)
    if worse:
        return f"Significantly worse: {worse}."
    compared, needed = comparison.conversations, comparison.needed
    if needed is not None and compared < needed and any(case.change for case in comparison.checks):
        begin = f"Too few conversations to tell: {many(compared, 'conversation')} compared."
        checks = many(len(comparison.checks), "check")
        return f"{begin} With {checks}, at least {needed} are needed for any change to be significant."
    return "No check is significantly worse."


def title_of(check: str) -> str:
    """Return the title of a case; empty for checks that ask single questions."""
    return cases.get(check).title if check in cases else ""


def p_in_words(p: float) -> str:
    """Format a p-value with four decimals; one that would round to 0 is `<0.0001`."""
    return f"{p:.4f}" if p >= 0.0001 else "<0.0001"


def points(change: float) -> str:
    """Format a change of a rate in percentage points, with its sign."""
    return f"{100 * change:+.1f}"


def interval_in_words(case: CaseDifference) -> str:
    """Format the 95 % interval of the change in percentage points, or a dash."""
    return "–" if case.interval is None else f"{points(case.interval[0])} to {points(case.interval[1])}"


def reason_in_words(row: Result) -> str:
    """Return why a row got its verdict, and whether that is in doubt."""
    reason = row.reason or row.score.reason
    return f"{reason} ({WORDS})" if row.in_doubt else reason


def place_in_words(row: Result) -> str:
    """Describe where and how a question was asked: `run-001, round 4, cat-name: typo, dose 0.5`."""
    words = f"{row.conversation}, round {row.round}" if row.run else f"question {row.round + 1}"
    words += f", {row.testset}" if row.testset else ""
    return words + (f": {row.perturbation}, dose {round(row.dose, 2):g}" if row.perturbation and row.dose else "")
