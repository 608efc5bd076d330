"""The curves of recall over similar facts and over tokens are in the workbook, on the page and in Markdown."""

import json
import re
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from openpyxl import load_workbook

from chattest.records.report import DoseBin, Report
from chattest.records.result import Tally
from chattest.reports.page.plots import make_plots
from chattest.reports.writers import markdown, xlsx
from tests.support.sample_report import sample

FACTS = ((0, Tally(9, 10)), (2, Tally(5, 10)), (3, Tally(0, 4)))
TOKENS = (DoseBin(0, 500, Tally(8, 8)), DoseBin(500, 1000, Tally(3, 9)))


@pytest.fixture(scope="module")
def report() -> Report:
    return replace(sample(), recall_facts=FACTS, recall_tokens=TOKENS)


def test_the_workbook_has_both_curves(report: Report, tmp_path: Path) -> None:
    workbook = load_workbook(xlsx.write(report, tmp_path))
    sheet: Any = workbook["Recall in between"]
    rows = [[cell.value for cell in row[:4]] for row in sheet.iter_rows(min_row=2)]
    assert rows == [
        ["similar facts", "0", "[9, 10]", 9],
        ["similar facts", "2", "[5, 10]", 5],
        ["similar facts", "3", "[0, 4]", 0],
        ["tokens", "0–500", "[8, 8]", 8],
        ["tokens", "500–1000", "[3, 9]", 3],
    ]
    assert len(sheet._charts) == 2


def test_the_page_draws_both_with_their_intervals(report: Report) -> None:
    drawn = {plot.title: plot for plot in make_plots(report)}
    tokens = drawn["Recall over tokens"]
    assert tokens.rows[1][:3] == ("500–1000", "[3, 9]", "33.3 %")
    assert re.fullmatch(r"\d+ to \d+ %", tokens.rows[1][3])
    assert "arrayminus" in json.dumps(tokens.figure["data"][0]["error_y"], default=str)
    like = drawn["Recall over similar facts"]
    assert len(like.rows) == 3
    assert like.figure["layout"]["xaxis"]["title"]["text"] == "facts of the same type stated in between"


def test_the_markdown_has_a_row_for_each_point(report: Report, tmp_path: Path) -> None:
    lines = markdown.write(replace(report, recall=((1, Tally(4, 4)), (7, Tally(1, 4)))), tmp_path).read_text("utf-8")
    rows = [line for line in lines.splitlines() if re.match(r"\| (rounds|similar facts|tokens) \|", line)]
    assert [row.split(" | ")[:5] for row in rows] == [
        ["| rounds", "1", "4", "4", "100.0 %"],
        ["| rounds", "7", "1", "4", "25.0 %"],
        ["| similar facts", "0", "9", "10", "90.0 %"],
        ["| similar facts", "2", "5", "10", "50.0 %"],
        ["| similar facts", "3", "0", "4", "0.0 %"],
        ["| tokens", "0–500", "8", "8", "100.0 %"],
        ["| tokens", "500–1000", "3", "9", "33.3 %"],
    ]
    assert all(re.search(r"\d+ to \d+ % \|$", row) for row in rows)


@pytest.mark.parametrize("facts", [(), ((0, Tally(9, 10)),)])
def test_a_curve_without_two_points_is_left_out(facts: tuple[tuple[int, Tally], ...], tmp_path: Path) -> None:
    made = replace(sample(), recall=(), recall_facts=facts)
    titles = [plot.title for plot in make_plots(made)]
    assert not any("over similar facts" in title or "over tokens" in title for title in titles)
    assert "### Recall" not in markdown.write(made, tmp_path).read_text("utf-8")
