"""Draw the overview of a run. The index keeps it, because a run may have 100,000 results."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING
from urllib.parse import quote

from chattest.errors import InputError, Problem
from chattest.web.project import Project
from chattest.web.run_contents import read_conversations, read_run_report

if TYPE_CHECKING:
    from chattest.records.conversation import Conversation
    from chattest.records.report import Report
    from chattest.records.result import Result
    from chattest.reports.content.curves import Curve


@dataclass(frozen=True, slots=True)
class Histogram:
    """The distribution of some values."""

    title: str
    axis: str
    bins: tuple[tuple[float, float, int], ...]
    """Lower end, upper end and count of each bin."""

    @property
    def highest(self) -> int:
        """The largest count."""
        return max(count for _, _, count in self.bins)


def draw_overview(project: Project, folder: Path, results: tuple[Result, ...]) -> str:
    """Return the overview of a run as HTML. A file that cannot be read is named in its place.

    Args:
        project: the project of the run.
        folder: the run's folder.
        results: its rows; rows that passed may lack their texts.
    """
    from dataclasses import replace

    from chattest.reports.content.curves import dose_curves, recall_curves
    from chattest.reports.page.overview import overview_values
    from chattest.reports.page.plots import MOST_CURVES
    from chattest.reports.writers.html import settings_in_words
    from chattest.storage.reports import read_record
    from chattest.tally.rates import completed
    from chattest.web.answers import Renderer

    problems: list[Problem] = []
    conversations: tuple[Conversation, ...] = ()
    try:
        conversations = read_conversations(project, folder)
    except InputError as error:
        problems += error.problems
    render = Renderer(project)
    try:
        # Only the report has what the rows of a finished run are about.
        record = read_record(folder, (), ()) if results else read_run_report(folder)
        report = completed(replace(record, results=results, conversations=conversations))
    except InputError as error:
        return render.part("overview_of_run.html", report=None, problems=error.problems)
    address = f"/runs/{quote(folder.name, safe='')}"

    def place_of(row: Result) -> str:
        return f"{address}/conversations/{row.run}#round-{row.round}" if row.run else ""

    curves = dose_curves(report)
    return render.part(
        "overview_of_run.html",
        problems=problems,
        at=address,
        curves=curves if len(curves) <= MOST_CURVES else [],
        folded=curves if len(curves) > MOST_CURVES else [],
        recall=recall_curves(report),
        histograms=[*_make_time_histograms(report), *_make_score_histograms(report)],
        altered=any(row.original for row in results),
        settings=settings_in_words(report),
        points=place_points,
        **overview_values(report, f"{address}/results", place_of),
    )


def place_points(curve: Curve) -> list[dict[str, float | None]]:
    """Return the points of a curve in a picture of 300 by 120: x, y, and both ends of the interval (`high`, `low`)."""
    step = 300 / len(curve.points)
    drawn: list[dict[str, float | None]] = []
    for number, (_, tally) in enumerate(curve.points):
        low, high = tally.interval or (0.0, 0.0)
        y = None if tally.rate is None else 120 * (1 - tally.rate)
        drawn.append({"x": step * (number + 0.5), "y": y, "low": 120 * (1 - low), "high": 120 * (1 - high)})
    return drawn


def _make_time_histograms(report: Report) -> Iterable[Histogram]:
    from chattest.reports.content import figures

    times = [second for conversation in report.conversations for second in figures.seconds(conversation)]
    if times:
        yield Histogram(f"Response times: {figures.times_in_words(times)}", "seconds", tuple(figures.histogram(times)))


def _make_score_histograms(report: Report) -> Iterable[Histogram]:
    from chattest.reports.content import figures

    spread = figures.distributions(report)
    for info in report.checks:
        if info.code in spread:
            bins = tuple(figures.histogram(spread[info.code]))
            yield Histogram(f"{info.code}: {info.title}", f"score ({info.threshold})", bins)
