"""`report.xlsx`: the full report as a workbook."""

from pathlib import Path
from typing import Any

from chattest.records.report import Report
from chattest.reports.workbook.book import book
from chattest.reports.workbook.sheets import (
    altered,
    conversations,
    distributions,
    doses,
    extra,
    parts,
    perturbations,
    recall,
    recall_over,
    results,
    runs,
    settings,
    summary,
    testsets,
    times,
    utterances,
    worst,
)
from chattest.text.format import many

FILE = "report.xlsx"

SHEETS = (
    worst,
    altered,
    utterances,
    conversations,
    testsets,
    doses,
    perturbations,
    recall,
    recall_over,
    times,
    distributions,
    parts,
    results,
    runs,
    settings,
)
"""The sheets after the summary, in order."""


def write(report: Report, folder: Path) -> Path:
    """Writes the workbook: the summary, the tables, a sheet per conversation, and the settings.

    Memory does not grow with the number of rows. The same report gives the same bytes.
    """
    path = folder / FILE
    wanted: list[Any] = [extra.Sheet(table) for table in report.tables]
    wanted += [sheet for sheet in SHEETS if sheet.wanted(report)]
    left_out = len(report.conversations) - runs.MOST
    note = (
        f"{many(left_out, 'conversation')} at the end without a sheet of their own: their rows are in Results."
        if left_out > 0
        else ""
    )
    with book(path) as workbook:
        summary.write(workbook, report, wanted, note)
        for sheet in wanted:
            sheet.write(workbook, report)
    return path
