"""Plots are in plotly's own JSON: its Python classes, which check every name and value, take them as they are."""

from typing import Any

import pytest
from plotly.graph_objects import Figure

from chattest.records.result import Tally
from chattest.reports.page.plots import make_plots, plot_changes, plot_compared_rates
from tests.support.sample_report import with_line


def as_plotly_has_it(figure: dict[str, Any]) -> dict[str, Any]:
    """The figure after plotly has checked it; without its template, which the page does not use."""
    taken: dict[str, Any] = Figure(figure["data"], figure["layout"] | {"template": "none"}).to_plotly_json()
    del taken["layout"]["template"]
    return taken


def test_plotly_takes_every_plot_of_a_report() -> None:
    drawn = make_plots(with_line(0.5))
    assert {trace["type"] for plot in drawn for trace in plot.figure["data"]} == {"scatter", "bar"}
    assert any("shapes" in plot.figure["layout"] for plot in drawn)
    for plot in drawn:
        assert as_plotly_has_it(plot.figure) == plot.figure


def test_plotly_takes_the_plots_of_a_comparison_with_a_colour_for_each_run() -> None:
    changes = plot_changes("t", [("ML-U3", "+10", "0 to 20"), ("ML-U4", "-5", "–")], [0.1, -0.05], [(0.0, 0.2), None])
    rates = {"ML-U3": [(Tally(1, 2), (0.1, 0.9)), (Tally(0, 0), None)]}
    compared = plot_compared_rates("t", ["one", "other"], rates)
    for plot in (changes, compared):
        assert as_plotly_has_it(plot.figure) == plot.figure
    first, second = compared.figure["data"]
    assert first["marker"]["color"] == first["error_x"]["color"] != second["marker"]["color"]
    assert first["error_x"]["array"] == [pytest.approx(0.4)]
