"""The comparison of several runs for the terminal, as workbook, as page and as Markdown."""

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
    """The lines for the terminal: the runs, their rates, the plainest differences, and the violations.

    detail: `quiet` for the result alone; `verbose` for all differences, where else `LISTED` are shown.
    """
    if detail == "quiet":
        return [headline(several)]
    text = [f"{name}: {run.folder}" for name, run in zip(several.names, several.runs, strict=True)]
    for table in tables(several)[:-1]:
        text += ["", f"{table.name}. {table.note}"]
        listed = table.rows[:LISTED] if table.name == "Differences" and detail != "verbose" else table.rows
        text += _aligned(table, listed)
        if len(listed) < len(table.rows):
            text += [f"{many(len(table.rows) - len(listed), 'more comparison')} in the page and the workbook."]
    return [*text, "", *undetected(several), headline(several)]


def _aligned(table: ExtraTable, rows: tuple[tuple[str | int | float | None, ...], ...]) -> list[str]:
    used = [
        place
        for place, column in enumerate(table.columns)
        if not column.title.startswith(("Requirement", "Asked ")) and column.title not in CORRECTED
    ]
    cells = [[cell_in_words(row[place], table.columns[place].kind) for place in used] for row in rows]
    return aligned([[table.columns[place].title for place in used], *cells])


def write_workbook(several: SeveralRuns, path: Path) -> None:
    """Writes a sheet for each table. Replies are always text, never formulas. Raises `StoreError`."""
    with book(path) as made:
        for table in tables(several):
            write_table(made, table)


def write_markdown(several: SeveralRuns, path: Path) -> None:
    """Writes the headline and all tables but that of single questions. Raises `StoreError`."""
    text = ["## Comparison", "", plain(headline(several)), ""]
    for table in tables(several)[:-1]:
        text += extra_table(table)
    write_whole(path, ("\n".join(text) + "\n").encode("utf-8", "backslashreplace"))


def write_page(several: SeveralRuns, path: Path) -> None:
    """Writes the page, one file that needs no network. Raises `StoreError` if it cannot be written."""
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
