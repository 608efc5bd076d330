"""Write the comparison of several runs: for the terminal, as workbook, as page and as Markdown."""

from pathlib import Path

from chattest.comparison.several import SeveralRuns
from chattest.comparison.tables import CORRECTED, headline, tables, undetected
from chattest.files.atomic import write_whole
from chattest.records.report import ExtraTable
from chattest.reports.content.figures import cell_in_words
from chattest.reports.content.text import shortened
from chattest.reports.page.plots import compared_rates_plot
from chattest.reports.page.writing import write_page as _write_page
from chattest.reports.workbook.book import book
from chattest.reports.workbook.sheets.extra import write_table
from chattest.reports.writers.markdown import extra_table, plain
from chattest.text.format import aligned, many

LISTED = 10
"""Number of differences that the terminal lists."""
LONGEST = 2000
"""Longest text that the page shows, in characters."""


def lines(several: SeveralRuns, detail: str = "normal") -> list[str]:
    """Return the lines for the terminal: the runs, their rates, the clearest differences, and the violations.

    Args:
        several: The comparison.
        detail: `quiet` for the result only, `verbose` for all differences; otherwise `LISTED` differences are shown.
    """
    if detail == "quiet":
        return [headline(several)]
    text = [f"{name}: {run.folder}" for name, run in zip(several.names, several.runs, strict=True)]
    for table in tables(several)[:-1]:
        text += ["", f"{table.name}. {table.note}"]
        listed = table.rows[:LISTED] if table.name == "Differences" and detail != "verbose" else table.rows
        text += _align_columns(table, listed)
        if len(listed) < len(table.rows):
            text += [f"{many(len(table.rows) - len(listed), 'more comparison')} in the page and the workbook."]
    return [*text, "", *undetected(several), headline(several)]


def _align_columns(table: ExtraTable, rows: tuple[tuple[str | int | float | None, ...], ...]) -> list[str]:
    indices = [
        index
        for index, column in enumerate(table.columns)
        if not column.title.startswith(("Requirement", "Asked ")) and column.title not in CORRECTED
    ]
    cells = [[cell_in_words(row[index], table.columns[index].kind) for index in indices] for row in rows]
    return aligned([[table.columns[index].title for index in indices], *cells])


def write_workbook(several: SeveralRuns, path: Path) -> None:
    """Write a workbook with a sheet for each table; replies are always text, never formulas.

    Raises:
        StoreError: The file cannot be written.
    """
    with book(path) as workbook:
        for table in tables(several):
            write_table(workbook, table)


def write_markdown(several: SeveralRuns, path: Path) -> None:
    """Write the headline and all tables, except that of single questions, as Markdown.

    Raises:
        StoreError: The file cannot be written.
    """
    text = ["## Comparison", "", plain(headline(several)), ""]
    for table in tables(several)[:-1]:
        text += extra_table(table)
    write_whole(path, ("\n".join(text) + "\n").encode("utf-8", "backslashreplace"))


def write_page(several: SeveralRuns, path: Path) -> None:
    """Write the page, a single file that needs no network.

    Raises:
        StoreError: The file cannot be written.
    """
    rates = several.rates
    plot = compared_rates_plot(
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
        {"cell": lambda value, kind: shortened(cell_in_words(value, kind), LONGEST)},
        headline=headline(several),
        tables=tables(several),
        plots=[plot] if rates else [],
        data={"plots": [plot.figure] if rates else []},
    )
