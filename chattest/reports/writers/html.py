"""`report.html`: one page that needs no network, with plots, a table to filter and a transcript per conversation."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

from chattest.records.report import Report
from chattest.records.result import Verdict
from chattest.reports.content import confidence, failures, figures, rates, worst
from chattest.reports.content.text import finite, shortened
from chattest.reports.page.plots import plots
from chattest.reports.page.transcripts import anchors, transcripts
from chattest.reports.page.writing import write_page

FILE = "report.html"

MOST = 250
"""Largest number of transcripts on the page; its figures and plots include all conversations."""
MOST_ROWS = 50_000
"""Largest number of results in the table; browsers become slow with more."""
WORST = 10
OF_A_CASE = 2
"""How many of the worst replies are shown, in all and for a single case."""
LONGEST = 300
"""Longest text in the table, in characters; the transcript shows more."""


def write(report: Report, folder: Path) -> Path:
    """Writes the page; see `write_page` for how untrusted text is handled."""
    drawn = plots(report)
    words: dict[str, Callable[..., Any]] = {
        "percent": figures.percent,
        "bounds": figures.bounds,
        "cell": figures.cell_in_words,
        "found": figures.gate_found,
        "place": figures.place_in_words,
        "shortened": shortened,
    }
    path = folder / FILE
    write_page(
        path,
        "page",
        report.name,
        figures.subject_in_words(report),
        words,
        report=report,
        headline=rates.headline(report),
        broken=failures.notes(report),
        common=rates.common(report),
        nothing=confidence.NOTHING,
        notes=confidence.notes(report),
        gates_of={
            info.code: zip(figures.gates_of(report, info), figures.gates_in_row(report, info), strict=True)
            for info in report.checks
        },
        worst=worst.worst_replies(report, WORST, OF_A_CASE),
        worst_said=worst.SAID,
        anchors=anchors(report, MOST),
        plots=drawn,
        shown=min(MOST, len(report.conversations)),
        transcripts=transcripts(report, MOST),
        left_out=max(0, _listed(report) - MOST_ROWS),
        settings={name: json.dumps(value, ensure_ascii=False, default=str) for name, value in report.settings.items()},
        data={
            "plots": [plot.figure for plot in drawn],
            "rows": _rows(report),
            "checks": [info.code for info in report.checks],
        },
    )
    return path


def _listed(report: Report) -> int:
    """Number of results of single questions and of the conversations that are shown."""
    left_out = {conversation.run for conversation in report.conversations[MOST:]}
    return sum(result.run not in left_out for result in report.results)


def _rows(report: Report) -> list[list[Any]]:
    """The table's rows: case, verdict, location, prompt, reply, reason, value, anchor of its transcript.

    If there are too many, failed results are kept rather than passed ones.
    """
    places = anchors(report, MOST)
    order = {info.code: index for index, info in enumerate(report.checks)}
    left_out = {conversation.run for conversation in report.conversations[MOST:]}
    rows = [result for result in report.results if result.run not in left_out]
    if len(rows) > MOST_ROWS:
        rows.sort(key=lambda result: result.verdict not in (Verdict.FAIL, Verdict.ERROR))
        rows = rows[:MOST_ROWS]
    return [
        [
            result.check,
            result.verdict.value,
            shortened(figures.place_in_words(result), LONGEST),
            shortened(result.prompt, LONGEST),
            shortened(result.reply, LONGEST),
            shortened(result.reason or result.score.reason, LONGEST),
            finite(result.score.value),
            places.get((result.run, result.round), ""),
        ]
        for result in sorted(rows, key=lambda result: (order[result.check], result.run, result.round))
    ]
