"""Write `report.md`: the summary as Markdown, for the page of a CI job or a pull request."""

import re
from pathlib import Path

from chattest.files.atomic import whole_file
from chattest.records.report import Estimate, ExtraTable, Report
from chattest.records.result import Tally
from chattest.reports.content import confidence, failures, figures, marks, rates, verdict_marks, worst
from chattest.reports.content.curves import recall_in_between, recall_over_rounds
from chattest.reports.content.text import shortened

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
        f"## {plain(report.name)}",
        "",
        f"{plain(figures.subject_in_words(report))}.",
        "",
        f"{rates.headline(report)}.",
        "",
    ]
    for note in failures.notes(report):
        lines += [f"**{plain(note)}**", ""]
    for outcome in report.gates:
        mark = "✅" if outcome.met else "❌" if outcome.gate.blocking else "⚠️"
        lines.append(f"- {mark} gate {code(outcome.gate.pattern)} {plain(figures.gate_found(outcome))}")
    lines += ["", *_rates(report)] if report.gates else _rates(report)
    lines.append("")
    if parts := confidence.how_sure(report):
        lines += [f"**{confidence.HEADING}** {plain(' '.join(parts), LONGEST)}", ""]
    lines += _recall(report)
    for table in report.tables:
        lines += extra_table(table)
    worst_replies = worst.worst_replies(report, WORST, each=1)
    if worst_replies:
        lines += ["### Worst replies", "", plain(worst.introduce(report, marked=True)), ""]
    for number, worst_reply in enumerate(worst_replies, start=1):
        first = worst_reply.failed[0]
        quote = f"{code(marks.question_in_words(first))} – {code(marks.answer_in_words(first))}"
        lines.append(f"{number}. {plain(figures.place_in_words(first))}: {quote}")
        lines += [f"   - {plain(reason)}" for reason in worst_reply.reasons]
    path = folder / FILE
    with whole_file(path) as temporary:
        temporary.write_text("\n".join(lines) + "\n", encoding="utf-8", newline="\n")
    return path


def _rates(report: Report) -> list[str]:
    """Return a row per case, and one per kind of result; with a column of verdicts in doubt if there are any."""
    groups = rates.common(report)
    any_doubt = bool(verdict_marks.note(report))
    counts = [str(report.tallies[info.code].in_doubt) for info in report.checks]
    counts += [str(group.tally.in_doubt) for group in groups]
    rows = []
    for info in report.checks:
        gates = plain("; ".join(figures.gates_in_row(report, info)))
        cells = _cells(report.tallies[info.code], confidence.of(report, info))
        rows.append([plain(info.code), plain(info.title), *cells, gates])
    rows += [["**all**", group.name, *_cells(group.tally, group.estimate), ""] for group in groups]
    if not any_doubt:
        return [_HEAD, _RULE, *map(_row, rows)]
    with_counts = [_row([*row, count]) for row, count in zip(rows, counts, strict=True)]
    return [f"{_HEAD} {verdict_marks.WORDS} |", f"{_RULE}--:|", *with_counts]


def _recall(report: Report) -> list[str]:
    """Return a table of the curves of recall, a row per point; empty if no curve has two points."""
    curves = [recall_over_rounds(report), *recall_in_between(report)]
    curves = [curve for curve in curves if len(curve.points) > 1]
    if not curves:
        return []
    rows = [
        _row([curve.between, label, *_counts(tally), figures.bounds(tally.interval)])
        for curve in curves
        for label, tally in curve.points
    ]
    note = plain(f"In between: {'; '.join(curve.axis for curve in curves)}.")
    head = ["| in between | how many | passed | total | rate | 95 % interval |", "|---|---|--:|--:|--:|---|"]
    return ["### Recall", "", note, "", *head, *rows, ""]


def extra_table(table: ExtraTable) -> list[str]:
    """Return the lines of one table, with its heading and note."""
    rule = ["---" if column.kind == "text" else "--:" for column in table.columns]
    head = [_row([plain(column.title) for column in table.columns]), f"|{'|'.join(rule)}|"]
    rows = [
        _row([plain(figures.cell_in_words(cell, column.kind)) for cell, column in zip(row, table.columns, strict=True)])
        for row in table.rows
    ]
    return [f"### {plain(table.name)}", "", plain(table.note, LONGEST), "", *head, *rows, ""]


def _row(cells: list[str]) -> str:
    return f"| {' | '.join(cells)} |"


def _cells(tally: Tally, estimate: Estimate) -> list[str]:
    interval = figures.bounds(estimate.interval or tally.interval)
    corrected = confidence.corrected_in_words(estimate)
    return [*_counts(tally), interval, corrected, str(tally.not_applicable), str(tally.errors)]


def _counts(tally: Tally) -> list[str]:
    return [str(tally.passed), str(tally.total), figures.percent(tally.rate)]


def plain(text: str, most: int = 300) -> str:
    """Return a text of at most `most` characters on one line, with all Markdown and HTML in it escaped."""
    line = shortened(text, most).replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;")
    # An @ or a URL would become a mention or a link even after a backslash.
    line = line.replace("@", "&#64;").replace("://", "&#58;//").replace("www.", "www&#46;")
    return re.sub(r"([\\`*_{}\[\]|~#!])", r"\\\1", line).replace("&\\#", "&#")


def code(text: str) -> str:
    """Return a text on one line as a code span, in which nothing is Markdown, HTML, a mention or a link."""
    line = shortened(text, 160)
    if not line:
        return "(nothing)"
    longest = max(map(len, re.findall("`+", line)), default=0)
    fence = "`" * (longest + 1)
    return f"{fence} {line} {fence}"
