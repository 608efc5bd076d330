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
LIMITED = (worst, altered, utterances, results, runs)
"""Those that show so many rows at most; they say what they leave out."""


def write(report: Report, folder: Path) -> Path:
    """Writes the workbook: the summary, the tables, a sheet per conversation, and the settings.

    Memory does not grow with the number of rows. The same report gives the same bytes.
    """
    path = folder / FILE
    wanted: list[Any] = [extra.Sheet(table) for table in report.tables]
    wanted += [sheet for sheet in SHEETS if sheet.wanted(report)]
    notes = [note for sheet in LIMITED if (note := sheet.left_out(report))]
    with book(path) as workbook:
        summary.write(workbook, report, wanted, notes)
        for sheet in wanted:
            sheet.write(workbook, report)
    return path
