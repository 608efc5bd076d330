"""Write the comparison of several runs: for the terminal, as workbook, as page and as Markdown."""

from pathlib import Path

from chattest.comparison.several import SeveralRuns
from chattest.comparison.tables import CORRECTED, list_undetected, make_headline, make_tables
from chattest.files.atomic import write_whole
from chattest.records.report import ExtraTable
from chattest.reports.content.figures import format_cell
from chattest.reports.content.text import shorten
from chattest.reports.page.plots import plot_compared_rates
from chattest.reports.page.writing import write_page as _write_page
from chattest.reports.workbook.book import open_book
from chattest.reports.workbook.sheets.extra import write_table
from chattest.reports.writers.markdown import escape, format_table
from chattest.text.format import align, many

LISTED = 10
"""Number of differences that the terminal lists."""
LONGEST = 2000
"""Longest text that the page shows, in characters."""


def format_lines(several: SeveralRuns, detail: str = "normal") -> list[str]:
    """Return the lines for the terminal: the runs, their rates, the clearest differences, and the violations.

    Args:
        several: The comparison.
        detail: `quiet` for the result only, `verbose` for all differences; otherwise `LISTED` differences are shown.
    """
    if detail == "quiet":
        return [make_headline(several)]
    text = [f"{name}: {run.folder}" for name, run in zip(several.names, several.runs, strict=True)]
    for table in make_tables(several)[:-1]:
        text += ["", f"{table.name}. {table.note}"]
        listed = table.rows[:LISTED] if table.name == "Differences" and detail != "verbose" else table.rows
        text += _align_columns(table, listed)
        if len(listed) < len(table.rows):
            text += [f"{many(len(table.rows) - len(listed), 'more comparison')} in the page and the workbook."]
    return [*text, "", *list_undetected(several), make_headline(several)]


def _align_columns(table: ExtraTable, rows: tuple[tuple[str | int | float | None, ...], ...]) -> list[str]:
    indices = [
        index
        for index, column in enumerate(table.columns)
        if not column.title.startswith(("Requirement", "Asked ")) and column.title not in CORRECTED
    ]
    cells = [[format_cell(row[index], table.columns[index].kind) for index in indices] for row in rows]
    return align([[table.columns[index].title for index in indices], *cells])


def write_workbook(several: SeveralRuns, path: Path) -> None:
    """Write a workbook with a sheet for each table; replies are always text, never formulas.

    Raises:
        StoreError: The file cannot be written.
    """
    with open_book(path) as workbook:
        for table in make_tables(several):
            write_table(workbook, table)


def write_markdown(several: SeveralRuns, path: Path) -> None:
    """Write the headline and all tables, except that of single questions, as Markdown.

    Raises:
        StoreError: The file cannot be written.
    """
    text = ["## Comparison", "", escape(make_headline(several)), ""]
    for table in make_tables(several)[:-1]:
        text += format_table(table)
    write_whole(path, ("\n".join(text) + "\n").encode("utf-8", "backslashreplace"))


def write_page(several: SeveralRuns, path: Path) -> None:
    """Write the page, a single file that needs no network.

    Raises:
        StoreError: The file cannot be written.
    """
    rates = several.rates
    plot = plot_compared_rates(
        "Pass rate of each run with its 95 % interval",
        several.names,
        {check: [(rate.tally, rate.interval) for rate in row] for check, row in rates.items()},
    )
    names = ", ".join(several.names)
    _write_page(
        path,
        "several",
        f"Comparison of {names}",
        f"{len(several.runs)} runs on the same plan",
        {"cell": lambda value, kind: shorten(format_cell(value, kind), LONGEST)},
        headline=make_headline(several),
        tables=make_tables(several),
        plots=[plot] if rates else [],
        data={"plots": [plot.figure] if rates else []},
    )
