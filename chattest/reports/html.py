"""`report.html`: one page that needs no network, with plots, a table to filter and every conversation as a chat."""

import base64
import hashlib
import json
from importlib.resources import files
from pathlib import Path
from typing import Any

from chattest.reports.page.plots import plots
from chattest.reports.page.transcripts import anchors, transcripts
from chattest.reports.parts import figures, sure
from chattest.reports.parts.files import whole_file
from chattest.reports.parts.text import finite, shortened, visible
from chattest.result import Report

FILE = "report.html"

MOST = 250
"""Conversations the page shows; its figures and plots are over all of them."""
WORST = 10
LONGEST = 300
"""Characters of a text in the table; its transcript shows more."""


def write(report: Report, folder: Path) -> Path:
    """Writes the page.

    All texts are escaped, and the page's content policy lets no script run but its own two, nor anything be loaded.
    """
    from jinja2 import Environment, PackageLoader
    from markupsafe import Markup
    from plotly.offline import get_plotlyjs

    environment = Environment(
        loader=PackageLoader("chattest.reports", "page"),
        autoescape=True,
        trim_blocks=True,
        lstrip_blocks=True,
        # What a bot said may hold characters that no page can: they are shown as escapes, wherever they stand.
        finalize=lambda value: visible(value) if type(value) is str else value,
    )
    environment.filters |= {
        "percent": figures.percent,
        "bounds": figures.bounds,
        "cell": figures.cell_in_words,
        "gate": figures.gate_in_words,
        "found": figures.gate_found,
        "place": figures.place_in_words,
        "subject": figures.subject_in_words,
        "shortened": shortened,
    }
    scripts = [get_plotlyjs().replace("\r", ""), files("chattest.reports.page").joinpath("page.js").read_text("utf-8")]
    drawn = plots(report)
    stream = environment.get_template("page.html").stream(
        report=report,
        headline=figures.failures_in_words(report),
        total=figures.total(report.tallies.values()),
        overall=report.overall or sure.NOTHING,
        nothing=sure.NOTHING,
        notes=sure.notes(report),
        gates_of={info.code: figures.gates_of(report, info) for info in report.checks},
        worst=figures.worst_replies(report, WORST),
        anchors=anchors(report, MOST),
        plots=drawn,
        shown=min(MOST, len(report.conversations)),
        transcripts=transcripts(report, MOST),
        settings={name: json.dumps(value, ensure_ascii=False, default=str) for name, value in report.settings.items()},
        data={
            "plots": [plot.figure for plot in drawn],
            "rows": _rows(report),
            "checks": [i.code for i in report.checks],
        },
        style=Markup(files("chattest.reports.page").joinpath("page.css").read_text("utf-8")),
        scripts=[Markup(script) for script in scripts],
        policy=" ".join(f"'sha256-{_hash(script)}'" for script in scripts),
    )
    path = folder / FILE
    with whole_file(path) as part:
        stream.enable_buffering(64)
        stream.dump(str(part), encoding="utf-8")
    return path


def _hash(script: str) -> str:
    return base64.b64encode(hashlib.sha256(script.encode("utf-8")).digest()).decode("ascii")


def _rows(report: Report) -> list[list[Any]]:
    """The table's rows: case, verdict, place in words, prompt, reply, reason, value, place of its transcript."""
    places = anchors(report, MOST)
    order = {info.code: place for place, info in enumerate(report.checks)}
    left_out = {conversation.run for conversation in report.conversations[MOST:]}
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
        for result in sorted(report.results, key=lambda result: (order[result.check], result.run, result.round))
        if result.run not in left_out
    ]
