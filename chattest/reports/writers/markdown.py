"""`report.md`: the summary as Markdown, for the page of a CI job or a pull request."""

import re
from pathlib import Path

from chattest.files.atomic import whole_file
from chattest.records.report import Estimate, ExtraTable, Report
from chattest.records.result import Tally
from chattest.reports.content import confidence, failures, figures, rates, worst
from chattest.reports.content.text import shortened

FILE = "report.md"

WORST = 5
"""How many of the worst replies are shown, at most one per case."""

_HEAD = "| case | requirement | passed | total | rate | 95 % interval | corrected | not applicable | errors | gate |"
_RULE = "|---|---|--:|--:|--:|---|---|--:|--:|---|"


def write(report: Report, folder: Path) -> Path:
    """Writes the file: headline, gates, a row per case, and the worst replies as code, so that none of it is markup."""
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
    lines += ["", _HEAD, _RULE] if report.gates else [_HEAD, _RULE]
    for info in report.checks:
        gates = plain("; ".join(figures.gates_in_row(report, info)))
        cells = _cells(report.tallies[info.code], confidence.of(report, info))
        lines.append(_row([plain(info.code), plain(info.title), *cells, gates]))
    lines += [_row(["**all**", group.name, *_cells(group.tally, group.estimate), ""]) for group in rates.common(report)]
    lines.append("")
    if notes := confidence.notes(report):
        lines += [*notes, ""]
    for table in report.tables:
        lines += _extra(table)
    listed = worst.worst_replies(report, WORST, each=1)
    if listed:
        lines += ["### Worst replies", "", worst.SAID, ""]
    for number, worst_reply in enumerate(listed, start=1):
        first = worst_reply.failed[0]
        lines.append(f"{number}. {plain(figures.place_in_words(first))}: {code(first.prompt)} – {code(first.reply)}")
        lines += [f"   - {plain(reason)}" for reason in worst_reply.reasons]
    path = folder / FILE
    with whole_file(path) as temporary:
        temporary.write_text("\n".join(lines) + "\n", encoding="utf-8", newline="\n")
    return path


def _extra(table: ExtraTable) -> list[str]:
    rule = ["---" if column.kind == "text" else "--:" for column in table.columns]
    head = [_row([plain(column.title) for column in table.columns]), f"|{'|'.join(rule)}|"]
    rows = [
        _row([plain(figures.cell_in_words(cell, column.kind)) for cell, column in zip(row, table.columns, strict=True)])
        for row in table.rows
    ]
    return [f"### {plain(table.name)}", "", plain(table.note), "", *head, *rows, ""]


def _row(cells: list[str]) -> str:
    return f"| {' | '.join(cells)} |"


def _cells(tally: Tally, estimate: Estimate) -> list[str]:
    shares = [figures.percent(tally.rate), figures.bounds(estimate.interval or tally.interval)]
    corrected = confidence.corrected_in_words(estimate)
    return [str(tally.passed), str(tally.total), *shares, corrected, str(tally.not_applicable), str(tally.errors)]


def plain(text: str) -> str:
    """A text on one line as plain text: all Markdown and HTML in it is escaped."""
    line = shortened(text, 300).replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;")
    # An @ or a URL would become a mention or a link even after a backslash.
    line = line.replace("@", "&#64;").replace("://", "&#58;//").replace("www.", "www&#46;")
    return re.sub(r"([\\`*_{}\[\]|~#!])", r"\\\1", line).replace("&\\#", "&#")


def code(text: str) -> str:
    """A text on one line as a code span, in which nothing is Markdown, HTML, a mention or a link."""
    line = shortened(text, 160)
    if not line:
        return "(nothing)"
    longest = max(map(len, re.findall("`+", line)), default=0)
    fence = "`" * (longest + 1)
    return f"{fence} {line} {fence}"
