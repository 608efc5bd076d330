"""Make the page's interactive plots, drawn by plotly, each with a table of its figures.

They are written as plotly's JSON: its Python classes would check every value, and importing them would take longer than
making all plots. A test lets these classes check the plots.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from chattest.records.report import CheckInfo, Report
from chattest.records.result import Tally
from chattest.reports.content import confidence, figures, rates
from chattest.reports.content.curves import Curve, make_dose_curves, make_recall_curves

MOST_CURVES = 12
"""With more curves than this, they are folded away."""
MOST_RATES = 30
"""With more checks than this, each family has a plot of its rates."""
TALL = 20
"""With more rows than this, a plot has its scale at the top, where a reader begins."""
_BLUE, _FAINT = "#3f83d1", "#8fb3dd"
_RUNS = (_BLUE, "#d9772b", "#3d9a5f", "#a95fb8", "#c2504f", "#7d7f86")
"""The colours of several runs; the position also distinguishes them."""


@dataclass(frozen=True, slots=True)
class Plot:
    """A plot and its table of figures."""

    title: str
    figure: dict[str, Any]
    """Plotly's `data` and `layout`; the page adds the colours of its theme."""
    head: tuple[str, ...]
    """Column titles of the table of figures, for readers who cannot see the plot."""
    rows: tuple[tuple[str, ...], ...]
    """Rows of the table of figures."""
    wide: bool = False
    """Whether the plot takes the whole width of the page."""
    folded: bool = False
    """Whether the plot is shown only when the reader asks for it, because there are many like it."""


def make_plots(report: Report) -> list[Plot]:
    """Make all plots of a report; plots without data are left out."""
    drawn = _rates(report)
    curves = [_curve(curve) for curve in make_dose_curves(report)]
    drawn += [replace(plot, folded=len(curves) > MOST_CURVES) for plot in curves]
    drawn += [_curve(curve) for curve in make_recall_curves(report)]
    times = [second for conversation in report.conversations for second in figures.list_seconds(conversation)]
    if times:
        drawn.append(_spread(f"Response times: {figures.describe_times(times)}", "seconds", times))
    spread = figures.collect_scores(report)
    for info in report.checks:
        if info.code in spread:
            drawn.append(_spread(figures.make_check_title(info), f"score ({info.threshold})", spread[info.code]))
    return drawn


def _curve(curve: Curve) -> Plot:
    plot = _success(curve.title, curve.axis, curve.points)
    if curve.understood is not None:
        # The axis counts the points from 0, so the line is between the last that a person understands and the next.
        position = {"x": curve.understood - 0.5, "yref": "paper"}
        line = {"type": "line", "x0": position["x"], "x1": position["x"], "yref": "paper", "y0": 0, "y1": 1}
        label = {**position, "y": 1.02, "text": "a person understands", "xanchor": "right", "showarrow": False}
        plot.figure["layout"]["shapes"] = [{**line, "line": {"color": _FAINT, "dash": "dash"}}]
        plot.figure["layout"]["annotations"] = [label]
    return plot


def _rates(report: Report) -> list[Plot]:
    """Plot the rates of all checks of answers: one plot, or one for each family if there are many checks.

    The rate of a check of groups has no interval to draw: the groups are not a sample.
    """
    title = "Pass rate with its 95 % interval"
    decided = [info for info in rates.select_answer_checks(report) if report.tallies[info.code].total]
    if len(decided) <= MOST_RATES:
        return [_rates_of(report, decided, title)] if decided else []
    families: dict[str, list[CheckInfo]] = {}
    for info in decided:
        family = info.code.partition(".")[0] if info.code == info.name else "conversations"
        families.setdefault(family, []).append(info)
    return [_rates_of(report, infos, f"{title}: {family}", f"{family}.") for family, infos in families.items()]


def _rates_of(report: Report, infos: Sequence[CheckInfo], title: str, prefix: str = "") -> Plot:
    """Plot the rates of some checks; `prefix`, which the title already shows, is removed from their codes."""
    decided = [(info, report.tallies[info.code]) for info in infos]
    # Plotly draws the first category at the bottom.
    # The code of a check by single questions explains itself; with its long title there would be no room to draw.
    names = [
        info.code.removeprefix(prefix) if info.code == info.name else f"{info.code} {info.title}"
        for info, _ in reversed(decided)
    ]
    tallies = [tally for _, tally in reversed(decided)]
    ends = [confidence.find_interval(report, info) for info, _ in reversed(decided)]
    points = _Points([tally.rate for tally in tallies], ends, [str(tally) for tally in tallies])
    trace = _scatter(points, x=points.rates, y=names, error_x=_arms(points), mode="markers")
    layout: dict[str, Any] = {
        "xaxis": {"tickformat": ".0%", "range": [-0.02, 1.02], "title": {"text": "share passed"}},
        "yaxis": _make_name_axis(len(names)),
        "height": 120 + 26 * len(names),
    }
    if len(names) > TALL:
        layout["xaxis"]["side"] = "top"
        layout["margin"] = {"l": 60, "r": 16, "t": 60, "b": 10}
    rows = tuple(_row(f"{i.code} {i.title}", tally, confidence.find_interval(report, i)) for i, tally in decided)
    return Plot(title, _figure(layout, trace), ("case", *_HEAD), rows, wide=True)


def _make_name_axis(count: int) -> dict[str, Any]:
    """Make an axis that shows every name."""
    # Without a range, the space above the first and below the last would grow with the number of names.
    return {"automargin": True, "dtick": 1, "range": [-0.7, count - 0.3]}


def plot_changes(
    title: str,
    rows: Sequence[tuple[str, str, str]],
    changes: Sequence[float],
    intervals: Sequence[tuple[float, float] | None],
) -> Plot:
    """Plot changes of rates with their intervals, and a line at no change.

    Args:
        title: The title of the plot.
        rows: Name, change and interval of each row, as text.
        changes: The changes, -1 to 1.
        intervals: The intervals of the changes.
    """
    names, values = [name for name, _, _ in reversed(rows)], list(reversed(changes))
    ends = [interval or (value, value) for interval, value in zip(reversed(intervals), values, strict=True)]
    trace = {
        "type": "scatter",
        "x": values,
        "y": names,
        "error_x": _arms(_Points([*values], [*ends], [])),
        "mode": "markers",
        "customdata": [f"{change}, {interval}" for _, change, interval in reversed(rows)],
        "hovertemplate": "%{customdata}<extra></extra>",
        "marker": {"size": 9, "color": _BLUE},
    }
    layout = {
        "xaxis": {"tickformat": "+.0%", "range": [-1.05, 1.05], "title": {"text": "change of the rate"}},
        "yaxis": _make_name_axis(len(names)),
        "height": 120 + 26 * len(names),
        "shapes": [{"type": "line", "x0": 0, "x1": 0, "yref": "paper", "y0": 0, "y1": 1, "line": {"color": _FAINT}}],
    }
    return Plot(title, _figure(layout, trace), ("case", "change", "95 % interval"), tuple(rows), wide=True)


def plot_compared_rates(
    title: str,
    names: Sequence[str],
    rates: Mapping[str, Sequence[tuple[Tally, tuple[float, float] | None]]],
) -> Plot:
    """Plot the pass rates of several runs, check by check.

    Args:
        title: The title of the plot.
        names: The names of the runs.
        rates: Check -> each run's tally and interval.
    """
    checks = list(reversed(list(rates)))  # plotly draws the first category at the bottom
    traces = []
    for index, name in enumerate(names):
        own = [rates[check][index] for check in checks]
        points = _Points([tally.rate for tally, _ in own], [ends for _, ends in own], [str(tally) for tally, _ in own])
        colour = _RUNS[index % len(_RUNS)]
        trace = _scatter(points, x=points.rates, y=checks, error_x=_arms(points), mode="markers", name=name)
        traces.append(trace | {part: trace[part] | {"color": colour} for part in ("marker", "error_x")})
    layout = {
        "xaxis": {"tickformat": ".0%", "range": [-0.02, 1.02], "title": {"text": "share passed"}},
        "yaxis": _make_name_axis(len(checks)),
        "height": 140 + 12 * len(checks) * (1 + len(names)),
        "scattermode": "group",
        "showlegend": True,
    }
    rows = tuple(
        _row(f"{check}, {name}", *rate) for check in rates for name, rate in zip(names, rates[check], strict=True)
    )
    return Plot(title, _figure(layout, *traces), ("check and run", *_HEAD), rows, wide=True)


def _success(title: str, axis: str, points: Sequence[tuple[str, Tally]]) -> Plot:
    tallies = [tally for _, tally in points]
    labels = [label for label, _ in points]
    drawn = _Points([tally.rate for tally in tallies], [tally.interval for tally in tallies], list(map(str, tallies)))
    trace = _scatter(drawn, x=labels, y=drawn.rates, error_y=_arms(drawn), mode="lines+markers")
    layout = {
        "xaxis": {"type": "category", "title": {"text": axis}, "automargin": True},
        "yaxis": {"tickformat": ".0%", "range": [-0.04, 1.04], "title": {"text": "share of right answers"}},
    }
    rows = tuple(_row(label, tally, tally.interval) for label, tally in points)
    return Plot(title, _figure(layout, trace), (axis, *_HEAD), rows)


def _spread(title: str, axis: str, values: Sequence[float]) -> Plot:
    bins = figures.count_bins(values)
    middles = [(low + high) / 2 for low, high, _ in bins]
    words = [f"{low:g}–{high:g}" for low, high, _ in bins]
    trace = {
        "type": "bar",
        "x": middles,
        "y": [count for _, _, count in bins],
        "width": [0.92 * (high - low) for low, high, _ in bins],
        "customdata": words,
        "hovertemplate": "%{customdata}: %{y} replies<extra></extra>",
        "marker": {"color": _BLUE},
    }
    layout = {"xaxis": {"title": {"text": axis}}, "yaxis": {"title": {"text": "replies"}}}
    rows = tuple((word, str(count)) for word, (_, _, count) in zip(words, bins, strict=True))
    return Plot(title, _figure(layout, trace), (axis, "replies"), rows)


_HEAD = ("passed of total", "rate", "95 % interval")


@dataclass(frozen=True, slots=True)
class _Points:
    """Rates to draw, with their intervals and counts."""

    rates: list[float | None]
    intervals: list[tuple[float, float] | None]
    counts: list[str]


def _row(name: str, tally: Tally, interval: tuple[float, float] | None) -> tuple[str, ...]:
    return (name, str(tally), figures.format_percent(tally.rate), figures.format_bounds(interval))


def _arms(points: _Points) -> dict[str, Any]:
    """Make the error bars of the rates; those of unknown rates have no length."""
    ends = [(rate or 0.0, ends or (0.0, 0.0)) for rate, ends in zip(points.rates, points.intervals, strict=True)]
    return {
        "type": "data",
        "symmetric": False,
        "array": [high - rate for rate, (_, high) in ends],
        "arrayminus": [rate - low for rate, (low, _) in ends],
        "color": _FAINT,
        "thickness": 1.5,
        "width": 4,
    }


def _scatter(points: _Points, **options: Any) -> dict[str, Any]:
    values = zip(points.counts, points.rates, points.intervals, strict=True)
    return {
        "type": "scatter",
        "customdata": [
            f"{count} = {figures.format_percent(rate)}, {figures.format_bounds(ends)}" for count, rate, ends in values
        ],
        "hovertemplate": "%{customdata}<extra></extra>",
        "marker": {"size": 9, "color": _BLUE},
        "line": {"color": _BLUE},
        "cliponaxis": False,  # a mark at 0 or 100 % is whole
        **options,
    }


def _figure(layout: dict[str, Any], *traces: dict[str, Any]) -> dict[str, Any]:
    base = {"height": 300, "margin": {"l": 60, "r": 16, "t": 10, "b": 60}, "showlegend": False}
    return {"data": list(traces), "layout": base | layout}
