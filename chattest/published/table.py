"""Show a published benchmark in a report: its categories, and a table of accuracy by category."""

from collections.abc import Callable, Sequence
from statistics import fmean

from chattest.published.record import Benchmark, make_code
from chattest.records.report import CheckInfo, ExtraColumn, ExtraTable
from chattest.records.result import Result, Tally
from chattest.tally.estimates import estimate_pooled_rate

NAME = "Accuracy by category"
NOTE = (
    "The interval counts dialogues as units, not questions. F1: words in common with the right answer, 0 to 1, as "
    "papers report it; no judge has a part in it."
)
COLUMNS = (
    ExtraColumn("Category"),
    ExtraColumn("Right", "count"),
    ExtraColumn("Questions", "count"),
    ExtraColumn("Accuracy", "rate"),
    ExtraColumn("Low", "rate"),
    ExtraColumn("High", "rate"),
    ExtraColumn("F1", "number"),
    ExtraColumn("Not judged", "count"),
)
WITHOUT = {"locomo": "adversarial", "longmemeval": "abstention"}
"""Benchmark -> the category that many papers leave out of the total."""


def list_categories(benchmark: Benchmark) -> list[CheckInfo]:
    """Return the name and title of each category that has questions."""
    asked = {question.category for dialogue in benchmark.dialogues for question in dialogue.questions}
    codes = [
        (make_code(benchmark.name, category), title)
        for category, title in benchmark.categories.items()
        if category in asked
    ]
    return [CheckInfo(code, code, title) for code, title in codes]


def build_table(benchmark: Benchmark, rows: Sequence[Result], shared: Callable[[Result], float | None]) -> ExtraTable:
    """Build a table with a row for each category, for all, and for all questions with a known right answer.

    Args:
        benchmark: the questions.
        rows: the verdicts.
        shared: returns a row's token F1.
    """
    lines = []
    for info in list_categories(benchmark):
        category = info.code.partition(".")[2]
        lines.append(_make_row(category, [row for row in rows if row.check == info.code], shared))
    lines.append(_make_row("all", rows, shared))
    left_out = WITHOUT[benchmark.name]
    answerable = [row for row in rows if row.check != make_code(benchmark.name, left_out)]
    if 0 < len(answerable) < len(rows):
        lines.append(_make_row(f"all but {left_out}", answerable, shared))
    return ExtraTable(NAME, NOTE, COLUMNS, tuple(lines))


def _make_row(
    name: str, rows: Sequence[Result], shared: Callable[[Result], float | None]
) -> tuple[str | int | float | None, ...]:
    tally = sum((Tally.of(row.verdict) for row in rows), Tally())
    estimate = estimate_pooled_rate(rows)
    low, high = (estimate.interval if estimate else None) or tally.interval or (None, None)
    f1 = [value for row in rows if (value := shared(row)) is not None]
    unjudged = tally.errors + tally.not_applicable
    return name, tally.passed, tally.total, tally.rate, low, high, fmean(f1) if f1 else None, unjudged
