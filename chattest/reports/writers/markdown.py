"""Write `report.md`: the summary as Markdown, for the page of a CI job or a pull request."""

import re
from pathlib import Path

from chattest.files.atomic import whole_file
from chattest.records.report import Estimate, ExtraTable, Report
from chattest.records.result import Tally
from chattest.reports.content import confidence, faults, figures, marks, rates, verdict_marks, worst
from chattest.reports.content.curves import make_in_between_curves, make_rounds_curve
from chattest.reports.content.text import shorten

FILE = "report.md"

WORST = 5
"""How many of the worst replies are shown, at most one per case."""

LONGEST = 3000
"""Longest paragraph, in characters."""

_HEAD = "| case | requirement | passed | total | rate | 95 % interval | corrected | not applicable | errors | gate |"
_RULE = "|---|---|--:|--:|--:|---|---|--:|--:|---|"


def write(report: Report, folder: Path) -> Path:
    """Write headline, gates, a row per case, and the worst replies as code, so that none of their text is markup."""
    lines = [
        f"## {escape(report.name)}",
        "",
        f"{escape(figures.describe_run(report))}.",
        "",
        f"{rates.make_headline(report)}.",
        "",
    ]
    for note in faults.list_notes(report):
        lines += [f"**{escape(note)}**", ""]
    for outcome in report.gates:
        mark = "✅" if outcome.met else "❌" if outcome.gate.blocking else "⚠️"
        lines.append(
            f"- {mark} gate {format_code(outcome.gate.title)} {escape(figures.describe_gate_with_rate(outcome))}"
        )
    lines += ["", *_rates(report)] if report.gates else _rates(report)
    lines.append("")
    if parts := confidence.explain_confidence(report):
        lines += [f"**{confidence.HEADING}** {escape(' '.join(parts), LONGEST)}", ""]
    lines += _recall(report)
    for table in report.tables:
        lines += format_table(table)
    worst_replies = worst.select_worst(report, WORST, each=1)
    if worst_replies:
        lines += ["### Worst replies", "", escape(worst.introduce(report, marked=True)), ""]
    for number, worst_reply in enumerate(worst_replies, start=1):
        first = worst_reply.failed[0]
        quote = f"{format_code(marks.format_question(first))} – {format_code(marks.format_answer(first))}"
        lines.append(f"{number}. {escape(figures.describe_place(first))}: {quote}")
        lines += [f"   - {escape(reason)}" for reason in worst_reply.reasons]
    path = folder / FILE
    with whole_file(path) as temporary:
        temporary.write_text("\n".join(lines) + "\n", encoding="utf-8", newline="\n")
    return path


def _rates(report: Report) -> list[str]:
    """Return a row per case, and one per kind of result; with a column of verdicts in doubt if there are any."""
    groups = rates.compute_overall(report)
    any_doubt = any(tally.in_doubt for tally in report.tallies.values())
    counts = [str(report.tallies[info.code].in_doubt) for info in report.checks]
    counts += [str(group.tally.in_doubt) for group in groups]
    rows = []
    for info in report.checks:
        gates = escape("; ".join(figures.describe_gates(report, info)))
        cells = _cells(report.tallies[info.code], confidence.find_estimate(report, info))
        rows.append([escape(info.code), escape(info.title), *cells, gates])
    rows += [["**all**", group.name, *_cells(group.tally, group.estimate), ""] for group in groups]
    if not any_doubt:
        return [_HEAD, _RULE, *map(_row, rows)]
    with_counts = [_row([*row, count]) for row, count in zip(rows, counts, strict=True)]
    return [f"{_HEAD} {verdict_marks.WORDS} |", f"{_RULE}--:|", *with_counts]


def _recall(report: Report) -> list[str]:
    """Return a table of the curves of recall, a row per point; empty if no curve has two points."""
    curves = [make_rounds_curve(report), *make_in_between_curves(report)]
    curves = [curve for curve in curves if len(curve.points) > 1]
    if not curves:
        return []
    rows = [
        _row([curve.between, label, *_counts(tally), figures.format_bounds(tally.interval)])
        for curve in curves
        for label, tally in curve.points
    ]
    note = escape(f"In between: {'; '.join(curve.axis for curve in curves)}.")
    head = ["| in between | how many | passed | total | rate | 95 % interval |", "|---|---|--:|--:|--:|---|"]
    return ["### Recall", "", note, "", *head, *rows, ""]


def format_table(table: ExtraTable) -> list[str]:
    """Return the lines of one table, with its heading and note."""
    rule = ["---" if column.kind == "text" else "--:" for column in table.columns]
    head = [_row([escape(column.title) for column in table.columns]), f"|{'|'.join(rule)}|"]
    rows = [
        _row([escape(figures.format_cell(cell, column.kind)) for cell, column in zip(row, table.columns, strict=True)])
        for row in table.rows
    ]
    return [f"### {escape(table.name)}", "", escape(table.note, LONGEST), "", *head, *rows, ""]


def _row(cells: list[str]) -> str:
    return f"| {' | '.join(cells)} |"


def _cells(tally: Tally, estimate: Estimate) -> list[str]:
    interval = figures.format_bounds(estimate.interval or tally.interval)
    corrected = confidence.format_corrected(estimate)
    return [*_counts(tally), interval, corrected, str(tally.not_applicable), str(tally.errors)]


def _counts(tally: Tally) -> list[str]:
    return [str(tally.passed), str(tally.total), figures.format_percent(tally.rate)]


def escape(text: str, most: int = 300) -> str:
    """Return a text of at most `most` characters on one line, with all Markdown and HTML in it escaped."""
    line = shorten(text, most).replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;")
    # An @ or a URL would become a mention or a link even after a backslash.
    line = line.replace("@", "&#64;").replace("://", "&#58;//").replace("www.", "www&#46;")
    return re.sub(r"([\\`*_{}\[\]|~#!])", r"\\\1", line).replace("&\\#", "&#")


def format_code(text: str) -> str:
    """Return a text on one line as a code span, in which nothing is Markdown, HTML, a mention or a link."""
    line = shorten(text, 160)
    if not line:
        return "(nothing)"
    longest = max(map(len, re.findall("`+", line)), default=0)
    fence = "`" * (longest + 1)
    return f"{fence} {line} {fence}"
