"""The line up to which a person understands, and facts that were known before, as the reports show them."""

from dataclasses import replace
from pathlib import Path

import pytest
from openpyxl import load_workbook

from chattest.records.report import Report
from chattest.reports.page.plots import Plot, make_plots
from chattest.reports.writers import xlsx
from chattest.reports.writers.jsonl import make_record
from tests.support.sample_report import sample, with_line


def plot_of(report: Report) -> Plot:
    return next(plot for plot in make_plots(report) if plot.title.startswith("ML-U3") and "dose" in plot.head[0])


@pytest.mark.parametrize(("understood_to", "place"), [(0.5, 2.5), (0.25, 1.5), (0.6, 2.5), (1.5, None), (None, None)])
def test_the_plot_marks_the_line_after_the_last_bin_that_a_person_understands(
    understood_to: float | None, place: float | None
) -> None:
    plot = plot_of(with_line(understood_to))
    assert [shape["x0"] for shape in plot.figure["layout"].get("shapes", ())] == ([] if place is None else [place])
    assert [note["text"] for note in plot.figure["layout"].get("annotations", ())] == (
        [] if place is None else ["a person understands"]
    )
    said = "" if understood_to is None else f"; a person understands up to {understood_to:g}"
    assert plot.head[0] == f"dose (share of words × mistakes per word{said})"


def test_the_workbook_says_it_of_every_step(tmp_path: Path) -> None:
    head, *rows = load_workbook(xlsx.write(with_line(0.5), tmp_path))["Doses"].iter_rows(values_only=True)
    column = head.index("A person understands")
    assert [row[column] for row in rows if row[0] == "ML-U3"] == ["yes"] * 3 + ["no"] * 4
    assert {row[column] for row in rows if row[0] == "ML-U4"} == {"yes"}


def test_a_row_says_that_its_fact_was_known_before(tmp_path: Path) -> None:
    made = sample(2, 12)
    first, *others = made.results
    known = replace(made, results=(replace(first, known_before=True), *others))
    assert make_record(known.results[0])["known_before"] is True
    assert "known_before" not in make_record(others[0])
    sheet = load_workbook(xlsx.write(known, tmp_path))["Results"]
    head, *rows = sheet.iter_rows(values_only=True)
    assert [row[head.index("Known before")] for row in rows].count("yes") == 1
