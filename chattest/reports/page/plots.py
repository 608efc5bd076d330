"""The page's interactive plots, drawn by plotly, each with a table of its figures."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from chattest.records.report import Report
from chattest.records.result import Tally
from chattest.reports.content import confidence, figures

_BLUE, _FAINT = "#3f83d1", "#8fb3dd"


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


def plots(report: Report) -> list[Plot]:
    """All plots of a report; plots without data are left out."""
    drawn = [_rates(report)] if any(tally.total for tally in report.tallies.values()) else []
    for info in report.checks:
        curve = report.curves.get(info.code, ())
        if any(bin.tally.total for bin in curve):
            axis = f"dose ({info.dose_unit})" if info.dose_unit else "dose"
            points = [(figures.dose_words(bin), bin.tally) for bin in curve]
            drawn.append(_success(f"{info.code}: {info.title}", axis, points))
    points = [(str(distance), tally) for distance, tally in report.recall if tally.total]
    if points:
        drawn.append(_success("Recall over distance", "rounds since the fact was last stated", points))
    times = [second for conversation in report.conversations for second in figures.seconds(conversation)]
    if times:
        shares = {"median": 0.5, "p95": 0.95, "p99": 0.99}
        words = ", ".join(f"{name} {figures.percentile(times, share):.2f} s" for name, share in shares.items())
        drawn.append(_spread(f"Response times: {words}", "seconds", times))
    spread = figures.distributions(report)
    for info in report.checks:
        if info.code in spread:
            drawn.append(_spread(f"{info.code}: {info.title}", f"score ({info.threshold})", spread[info.code]))
    return drawn


def _rates(report: Report) -> Plot:
    decided = [(info, report.tallies[info.code]) for info in report.checks if report.tallies[info.code].total]
    # Plotly draws the first category at the bottom.
    names = [f"{info.code} {info.title}" for info, _ in reversed(decided)]
    tallies = [tally for _, tally in reversed(decided)]
    ends = [confidence.interval(report, info) for info, _ in reversed(decided)]
    points = _Points([tally.rate for tally in tallies], ends, [str(tally) for tally in tallies])
    trace = _scatter(points, x=points.rates, y=names, error_x=_arms(points), mode="markers")
    layout = {
        "xaxis": {"tickformat": ".0%", "range": [-0.02, 1.02], "title": {"text": "share passed"}},
        "yaxis": {"automargin": True},
        "height": 120 + 26 * len(names),
    }
    rows = tuple(_row(f"{i.code} {i.title}", tally, confidence.interval(report, i)) for i, tally in decided)
    return Plot("Pass rate with its 95 % interval", _figure(trace, layout), ("case", *_HEAD), rows, wide=True)


def changes_plot(
    title: str,
    rows: Sequence[tuple[str, str, str]],
    changes: Sequence[float],
    intervals: Sequence[tuple[float, float] | None],
) -> Plot:
    """A plot of changes of rates with their intervals, and a line at no change.

    rows: name, change and interval as text. changes, intervals: the same as numbers, -1 to 1.
    """
    from plotly import graph_objects

    names, values = [name for name, _, _ in reversed(rows)], list(reversed(changes))
    ends = [interval or (value, value) for interval, value in zip(reversed(intervals), values, strict=True)]
    trace = graph_objects.Scatter(
        x=values,
        y=names,
        error_x=_arms(_Points([*values], [*ends], [])),
        mode="markers",
        customdata=[f"{change}, {interval}" for _, change, interval in reversed(rows)],
        hovertemplate="%{customdata}<extra></extra>",
        marker={"size": 9, "color": _BLUE},
    )
    layout = {
        "xaxis": {"tickformat": "+.0%", "range": [-1.05, 1.05], "title": {"text": "change of the rate"}},
        "yaxis": {"automargin": True},
        "height": 120 + 26 * len(names),
        "shapes": [{"type": "line", "x0": 0, "x1": 0, "yref": "paper", "y0": 0, "y1": 1, "line": {"color": _FAINT}}],
    }
    return Plot(title, _figure(trace, layout), ("case", "change", "95 % interval"), tuple(rows), wide=True)


def _success(title: str, axis: str, points: Sequence[tuple[str, Tally]]) -> Plot:
    tallies = [tally for _, tally in points]
    labels = [label for label, _ in points]
    shown = _Points([tally.rate for tally in tallies], [tally.interval for tally in tallies], list(map(str, tallies)))
    trace = _scatter(shown, x=labels, y=shown.rates, error_y=_arms(shown), mode="lines+markers")
    layout = {
        "xaxis": {"type": "category", "title": {"text": axis}, "automargin": True},
        "yaxis": {"tickformat": ".0%", "range": [-0.04, 1.04], "title": {"text": "share of right answers"}},
    }
    rows = tuple(_row(label, tally, tally.interval) for label, tally in points)
    return Plot(title, _figure(trace, layout), (axis, *_HEAD), rows)


def _spread(title: str, axis: str, values: Sequence[float]) -> Plot:
    from plotly import graph_objects

    bins = figures.histogram(values)
    middles = [(low + high) / 2 for low, high, _ in bins]
    words = [f"{low:g}–{high:g}" for low, high, _ in bins]
    trace = graph_objects.Bar(
        x=middles,
        y=[count for _, _, count in bins],
        width=[0.92 * (high - low) for low, high, _ in bins],
        customdata=words,
        hovertemplate="%{customdata}: %{y} replies<extra></extra>",
        marker={"color": _BLUE},
    )
    layout = {"xaxis": {"title": {"text": axis}}, "yaxis": {"title": {"text": "replies"}}}
    rows = tuple((word, str(count)) for word, (_, _, count) in zip(words, bins, strict=True))
    return Plot(title, _figure(trace, layout), (axis, "replies"), rows)


_HEAD = ("passed of total", "rate", "95 % interval")


@dataclass(frozen=True, slots=True)
class _Points:
    """Rates to draw, with their intervals and counts."""

    rates: list[float | None]
    intervals: list[tuple[float, float] | None]
    counts: list[str]


def _row(name: str, tally: Tally, interval: tuple[float, float] | None) -> tuple[str, ...]:
    return (name, str(tally), figures.percent(tally.rate), figures.bounds(interval))


def _arms(points: _Points) -> dict[str, Any]:
    """The error bars of the rates; of no length for unknown rates."""
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


def _scatter(points: _Points, **options: Any) -> Any:
    from plotly import graph_objects

    shown = zip(points.counts, points.rates, points.intervals, strict=True)
    return graph_objects.Scatter(
        customdata=[f"{count} = {figures.percent(rate)}, {figures.bounds(ends)}" for count, rate, ends in shown],
        hovertemplate="%{customdata}<extra></extra>",
        marker={"size": 9, "color": _BLUE},
        line={"color": _BLUE},
        **options,
    )


def _figure(trace: Any, layout: dict[str, Any]) -> dict[str, Any]:
    from plotly import graph_objects

    base = {"template": "none", "height": 300, "margin": {"l": 60, "r": 16, "t": 10, "b": 60}, "showlegend": False}
    figure: dict[str, Any] = graph_objects.Figure(trace, base | layout).to_plotly_json()
    figure["layout"].pop("template", None)
    return figure
