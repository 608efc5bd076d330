"""Write `report.html`: a page that needs no network, with plots, a table to filter and transcripts."""

import json
import re
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

from chattest.records.report import Report
from chattest.records.result import Result
from chattest.reports.content import confidence, figures, marks
from chattest.reports.content.text import Change, keep_finite, shorten, visible
from chattest.reports.content.utterances import group_by_original
from chattest.reports.content.verdict_marks import mark_review
from chattest.reports.page.overview import make_overview_values
from chattest.reports.page.plots import make_plots
from chattest.reports.page.transcripts import make_anchors, make_transcripts
from chattest.reports.page.writing import write_page

FILE = "report.html"

MOST = 250
"""Largest number of transcripts on the page; its figures and plots include all conversations."""
MOST_ROWS = 50_000
"""Largest number of results in the table; browsers become slow with more."""
LONGEST = 300
"""Longest text in the table, in characters; the transcript shows more."""

_CODES = {Change.SAME: 0, Change.ADDED: 1, Change.REMOVED: -1}


def write(report: Report, folder: Path) -> Path:
    """Write the page; see `write_page` for how untrusted text is handled."""
    drawn = make_plots(report)
    shown = _show_results(report)
    rows = figures.select_rows(report, shown, MOST_ROWS)
    places = make_anchors(report, MOST)

    def place_of(result: Result) -> str:
        anchor = places.get((result.run, result.round))
        return f"#{anchor}" if anchor else ""

    path = folder / FILE
    write_page(
        path,
        "page",
        report.name,
        figures.describe_run(report),
        list_filters(),
        **make_overview_values(report, "#results", place_of),
        plots=drawn,
        shown=min(MOST, len(report.conversations)),
        transcripts=make_transcripts(report, MOST),
        left_out=len(shown) - len(rows),
        compared=_find_filters(report),
        settings=format_settings(report),
        data={
            "plots": [plot.figure for plot in drawn],
            "rows": _rows(report, rows),
            "utterances": _utterances(report, rows),
            "checks": [info.code for info in report.checks],
        },
    )
    return path


def format_settings(report: Report) -> dict[str, str]:
    """Map each setting that differs from its default to its value as text."""
    return {name: json.dumps(value, ensure_ascii=False, default=str) for name, value in report.settings.items()}


def list_filters() -> dict[str, Callable[..., Any]]:
    """Return the functions that the templates call to put values into words."""
    return {
        "percent": figures.format_percent,
        "bounds": figures.format_bounds,
        "cell": figures.format_cell,
        "found": figures.describe_gate_with_rate,
        "rests_on": confidence.describe_basis,
        "place": figures.describe_place,
        "breakable": _breakable,
        "reviewed": mark_review,
        "shortened": shorten,
        "clipped": _clip,
        "question": lambda result: marks.shorten_pieces(marks.mark_question(result)),
        "answer": marks.mark_answer,
        "original_answer": marks.mark_original_answer,
    }


def _breakable(code: str) -> str:
    """Make HTML of a check's code that a narrow column breaks only after a dot or an underscore."""
    from markupsafe import Markup

    return Markup("<wbr>").join(visible(part) for part in re.split(r"(?<=[._])(?=.)", code))


def _show_results(report: Report) -> list[Result]:
    """Return the results of single questions and of the conversations on the page."""
    left_out = {conversation.run for conversation in report.conversations[MOST:]}
    return [result for result in report.results if result.run not in left_out]


def _rows(report: Report, rows: Sequence[Result]) -> list[list[Any]]:
    """Return the table's rows for page.js.

    The cells are: case, verdict, location, prompt, reply, reason, value, anchor of the transcript, whether it is in
    doubt, kind of alteration, and people's opinion. Prompt and reply are texts, or the pieces of an original and of an
    altered text; see page.js.
    """
    places = make_anchors(report, MOST)
    return [
        [
            result.check,
            result.verdict.value,
            shorten(figures.describe_place(result), LONGEST),
            _text(result, marks.mark_question(result)),
            _text(result, marks.mark_answer(result)),
            shorten(result.reason or result.score.reason, LONGEST),
            keep_finite(result.score.value),
            places.get((result.run, result.round), ""),
            result.in_doubt,
            shorten(result.kind, LONGEST),
            mark_review(result),
        ]
        for result in rows
    ]


def _text(result: Result, pieces: marks.Pieces) -> str | list[list[Any]]:
    if not result.original:
        return shorten("".join(text for _, text in pieces), LONGEST)
    return [[_CODES[change], _clip(text)] for change, text in marks.shorten_pieces(pieces)]


def _clip(text: str) -> str:
    """Return a piece of a text, with its spaces, cut if it is long."""
    return visible(text if len(text) <= LONGEST else f"{text[:LONGEST]}…")


def _utterances(report: Report, rows: Sequence[Result]) -> list[list[Any]]:
    """Return the list by question for page.js.

    The cells are: question, reply, tags, split, number of failed alterations, number of decided ones, and the indices
    of the alterations in the table's rows.
    """
    index_of = {(row.check, row.round): index for index, row in enumerate(rows) if row.original}
    return [
        [
            shorten(utterance.question, LONGEST),
            shorten(utterance.reply, LONGEST),
            utterance.tags,
            visible(utterance.split),
            utterance.failed,
            utterance.tally.total,
            [index_of[row.check, row.round] for row in utterance.rows if (row.check, row.round) in index_of],
        ]
        for utterance in group_by_original(report)
    ]


def _find_filters(report: Report) -> dict[str, list[str]] | None:
    """Return the choices for filtering the list by question; `None` if no question was altered."""
    rows = [row for row in report.results if row.original]
    if not rows:
        return None
    list_filters = {tag.partition(" (")[0] for row in rows for tag in row.label.removeprefix("fails ").split(", ")
             if row.label.startswith("fails ")}  # fmt: skip
    return {"tags": sorted(list_filters), "splits": sorted({row.split for row in rows} - {""})}
