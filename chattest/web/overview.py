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

    from chattest.reports.content.curves import make_dose_curves, make_recall_curves
    from chattest.reports.page.overview import make_overview_values
    from chattest.reports.page.plots import MOST_CURVES
    from chattest.reports.writers.html import format_settings
    from chattest.storage.reports import read_record
    from chattest.tally.rates import complete_report
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
        report = complete_report(replace(record, results=results, conversations=conversations))
    except InputError as error:
        return render.part("overview_of_run.html", report=None, problems=error.problems)
    address = f"/runs/{quote(folder.name, safe='')}"

    def place_of(row: Result) -> str:
        return f"{address}/conversations/{row.run}#round-{row.round}" if row.run else ""

    curves = make_dose_curves(report)
    return render.part(
        "overview_of_run.html",
        problems=problems,
        at=address,
        curves=curves if len(curves) <= MOST_CURVES else [],
        folded=curves if len(curves) > MOST_CURVES else [],
        recall=make_recall_curves(report),
        histograms=[*_make_time_histograms(report), *_make_score_histograms(report)],
        altered=any(row.original for row in results),
        settings=format_settings(report),
        points=place_points,
        **make_overview_values(report, f"{address}/results", place_of),
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

    times = [second for conversation in report.conversations for second in figures.list_seconds(conversation)]
    if times:
        yield Histogram(f"Response times: {figures.describe_times(times)}", "seconds", tuple(figures.count_bins(times)))


def _make_score_histograms(report: Report) -> Iterable[Histogram]:
    from chattest.reports.content import figures

    spread = figures.collect_scores(report)
    for info in report.checks:
        if info.code in spread:
            bins = tuple(figures.count_bins(spread[info.code]))
            yield Histogram(f"{info.code}: {info.title}", f"score ({info.threshold})", bins)
