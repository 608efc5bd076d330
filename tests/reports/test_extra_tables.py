"""A table a report brings along is shown by workbook, page, Markdown and terminal."""

import contextlib
import io
import re
from dataclasses import replace
from pathlib import Path

import openpyxl
import pytest
from markdown_it import MarkdownIt

from chattest.records.report import ExtraColumn, ExtraTable, Report
from chattest.reports.writers import console, html, markdown, xlsx
from tests.support.sample_report import sample

TABLE = ExtraTable(
    "Ends of the scale",
    "What a bot that knows everything and one that forgets everything reach.",
    (ExtraColumn("Bot"), ExtraColumn("Passed", "count"), ExtraColumn("Rate", "rate"), ExtraColumn("Hours", "number")),
    (("oracle <b>", 1234, 1.0, 2.0), ("=1+1", 0, None, 0.125)),
)
WORDS = [["oracle <b>", "1,234", "100.0 %", "2.00"], ["=1+1", "0", "–", "0.12"]]


class Terminal(io.StringIO):
    def isatty(self) -> bool:
        return True


@pytest.fixture(scope="module")
def report() -> Report:
    return replace(sample(conversations=1), tables=(TABLE,))


def test_the_workbook_has_a_sheet_of_it(report: Report, tmp_path: Path) -> None:
    book = openpyxl.load_workbook(xlsx.write(report, tmp_path))
    assert book.sheetnames[:2] == ["Summary", TABLE.name]
    rows = [list(row) for row in book[TABLE.name].iter_rows(values_only=True)]
    assert rows[0][0] == TABLE.note
    assert rows[2:] == [["Bot", "Passed", "Rate", "Hours"], ["oracle <b>", 1234, 1, 2], ["=1+1", 0, None, 0.125]]
    assert book[TABLE.name]["C4"].number_format == "0.0%"
    assert any(cell.value == TABLE.name and cell.hyperlink for row in book["Summary"] for cell in row)


def test_the_page_shows_it_and_takes_its_cells_for_text(report: Report, tmp_path: Path) -> None:
    page = html.write(report, tmp_path).read_text("utf-8")
    assert f">{TABLE.name}</h3>" in page
    assert f"<p>{TABLE.note}</p>" in page
    cells = [re.sub(r' data-label="[^"]*"', "", cell) for cell in re.findall(r"<td.*?</td>", page)]
    assert '<td dir="auto">oracle &lt;b&gt;</td>' in cells
    assert '<td class="n" dir="auto">100.0 %</td>' in cells


def test_markdown_shows_it(report: Report, tmp_path: Path) -> None:
    page = MarkdownIt("gfm-like", {"linkify": False}).render(markdown.write(report, tmp_path).read_text("utf-8"))
    assert f"<h3>{TABLE.name}</h3>" in page
    assert "<td>oracle &lt;b&gt;</td>" in page
    assert '<td style="text-align:right">100.0 %</td>' in page


def test_the_terminal_shows_it(report: Report, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    plain, terminal = io.StringIO(), Terminal()
    monkeypatch.setenv("COLUMNS", "120")
    for output in (plain, terminal):
        with contextlib.redirect_stdout(output):
            console.write(report, tmp_path)
    lines = plain.getvalue().splitlines()
    assert lines[lines.index(TABLE.name) + 1] == TABLE.note
    assert [line.split("\t") for line in lines[lines.index(TABLE.name) + 3 :][:2]] == WORDS
    shown = terminal.getvalue()
    assert all(cell in shown for row in WORDS for cell in row)
    assert TABLE.name in shown
