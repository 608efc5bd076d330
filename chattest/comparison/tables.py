"""Make the tables of a comparison of several runs, for terminal, workbook, page and Markdown."""

from collections.abc import Sequence

from chattest.comparison.runs import CaseDifference, RunComparison
from chattest.comparison.several import Rate, SeveralRuns
from chattest.comparison.text import describe_place, find_title, format_interval, format_p, format_points
from chattest.records.report import ExtraColumn, ExtraTable
from chattest.records.result import Result, Verdict
from chattest.reports.content.figures import format_bounds
from chattest.statistics.clusters import ENOUGH
from chattest.statistics.wilson import wilson
from chattest.text.format import many

Row = tuple[str | int | float | None, ...]
ALL = "all"
METAMORPHIC = "metamorphic."
CORRECTED = ("Corrected change", "Judges detect from")
"""Columns of the differences that workbook, page and Markdown show; the terminal has no room for them."""


def make_tables(several: SeveralRuns) -> list[ExtraTable]:
    """Make all tables: rates, differences, violations of metamorphic relations if any were asked, and disagreements."""
    violations = _violations(several)
    optional = [violations] if violations.rows else []
    return [_rates(several), _differences(several), *optional, _disagreements(several)]


def list_undetected(several: SeveralRuns) -> list[str]:
    """Describe each significant difference that is smaller than the judges can detect."""
    return [
        f"{case.check}, {several.name_of(pair.first)} and {several.name_of(pair.second)}: "
        f"the change is smaller than the judges can detect ({100 * case.margin:.1f} points)."
        for pair, case in several.significant
        if not case.detectable and case.margin is not None
    ]


def make_headline(several: SeveralRuns) -> str:
    """Describe how many differences are significant and which runs are worse or better, or why none can be."""
    count = sum(case in pair.counted for pair, case in several.significant)
    every = len(several.counted)
    compared, needed = several.conversations, several.needed
    few = needed is not None and compared < needed
    if not several.significant and few and any(case.change for _, case in several.counted):
        begin = f"Too few conversations to tell: {many(compared, 'conversation')} compared."
        return f"{begin} With {many(every, 'difference')}, at least {needed} are needed for any to be significant."
    first = several.names[0]
    sentences = f"{count} of {many(every, 'difference')} {'is' if count == 1 else 'are'} significant."
    sentences += f" Significantly worse than {first}: {_list_runs(several, several.worse) or 'no run'}."
    better = _list_runs(several, several.better)
    return f"{sentences} Significantly better: {better}." if better else sentences


def _list_runs(several: SeveralRuns, differences: Sequence[tuple[RunComparison, CaseDifference]]) -> str:
    """List runs and their checks: `two in ML-U3, ML-I1; three in ML-I1`."""
    checks: dict[str, list[str]] = {}
    for pair, case in differences:
        checks.setdefault(several.name_of(pair.second), []).append(case.check)
    return "; ".join(f"{name} in {', '.join(codes)}" for name, codes in checks.items())


def _rates(several: SeveralRuns) -> ExtraTable:
    columns = [ExtraColumn("Check"), ExtraColumn("Requirement")]
    for name in several.names:
        columns += [ExtraColumn(name, "rate"), ExtraColumn(f"95 % {name}"), ExtraColumn(f"Asked {name}", "count")]
    rows = [
        (check, find_title(check), *(cell for rate in row for cell in _rate_cells(rate)))
        for check, row in several.rates.items()
    ]
    note = "Each run's pass rate over the questions that it decided, with its 95 % interval by conversation."
    return ExtraTable("Rates", note, tuple(columns), tuple(rows))


def _rate_cells(rate: Rate) -> Row:
    return rate.tally.rate, format_bounds(rate.interval), rate.tally.total


def _differences(several: SeveralRuns) -> ExtraTable:
    kinds = ("Check", "From", "To"), ("Rate from", "Rate to"), ("Change", "95 % interval"), ("Asked", "Better", "Worse")
    columns = [ExtraColumn(title) for title in kinds[0]] + [ExtraColumn(title, "rate") for title in kinds[1]]
    columns += [ExtraColumn(title) for title in kinds[2]] + [ExtraColumn(title, "count") for title in kinds[3]]
    columns += [ExtraColumn("p"), ExtraColumn("Holm"), ExtraColumn("Verdict")]
    columns += [ExtraColumn(title) for title in CORRECTED]
    rows: list[Row] = []
    for pair, case in several.differences:
        names = case.check, several.name_of(pair.first), several.name_of(pair.second)
        counts = len(case.pairs), len(case.better), len(case.worse)
        p_values = format_p(case.sign_flip), format_p(pair.find_p(case))
        change = format_points(case.change), format_interval(case)
        rows.append(
            (*names, *case.rates, *change, *counts, *p_values, pair.verdict(case), *_make_corrected_cells(case))
        )
    note = (
        "Every pair of runs, over the questions that both decided. p: the sign-flip test by conversation; Holm: "
        f"corrected for all {many(len(several.counted), 'comparison')}; significant below {several.alpha:g}."
    )
    if any(len(case.by_conversation) < ENOUGH for _, case in several.differences):
        note += f" An interval from fewer than {ENOUGH} conversations is too narrow."
    return ExtraTable("Differences", note, tuple(columns), tuple(rows))


def _make_corrected_cells(case: CaseDifference) -> tuple[str, str]:
    """Return the change corrected for the judges' errors, and the smallest detectable change, in percentage points."""
    if case.true_change is None or case.margin is None:
        return "–", "–"
    return format_points(case.true_change), f"{100 * case.margin:.1f}"


def _violations(several: SeveralRuns) -> ExtraTable:
    """Make the table of violations of each relation by each bot."""
    columns = [ExtraColumn("Relation"), ExtraColumn("Data set")]
    for name in several.names:
        columns += [ExtraColumn(f"{name} violated"), ExtraColumn(name, "rate"), ExtraColumn(f"95 % {name}")]
    by_run = [[row for row in run.results if row.check.startswith(METAMORPHIC)] for run in several.runs]
    places = sorted({(row.kind, row.check, row.testset) for rows in by_run for row in rows})
    lines: list[Row] = []
    for kind, check, testset in places:
        own = [[row for row in rows if (row.check, row.testset) == (check, testset)] for rows in by_run]
        lines.append((f"{kind} {check.partition('.')[2]}", testset, *_violation_cells(own)))
    if len(places) > 1:
        lines.append((ALL, "", *_violation_cells(by_run)))
    note = "Pairs of answers that violate a metamorphic relation, of the pairs that were decided; lower is better."
    return ExtraTable("Violations", note, tuple(columns), tuple(lines))


def _violation_cells(by_run: Sequence[Sequence[Result]]) -> list[str | float | None]:
    cells: list[str | float | None] = []
    for rows in by_run:
        violated = sum(row.verdict is Verdict.FAIL for row in rows)
        decided = violated + sum(row.verdict is Verdict.PASS for row in rows)
        share = violated / decided if decided else None
        ends = None if share is None else wilson(share, decided)
        cells += [f"{violated} of {decided}", share, format_bounds(ends)]
    return cells


def _disagreements(several: SeveralRuns) -> ExtraTable:
    columns = [ExtraColumn(title) for title in ("Check", "Where", "Prompt", "Expected")]
    for name in several.names:
        columns += [ExtraColumn(f"Verdict {name}"), ExtraColumn(f"Reply {name}")]
    rows = []
    for asked in several.disagreements:
        first = asked[0]
        said = [cell for row in asked for cell in (row.verdict.value, row.reply)]
        rows.append((first.check, describe_place(first), first.prompt, first.expected, *said))
    note = "Questions that all runs decided, and some passed and others did not."
    return ExtraTable("Disagreements", note, tuple(columns), tuple(rows))
