"""Write `report.xlsx`: the full report as a workbook."""

from pathlib import Path

from chattest.records.report import Report
from chattest.reports.workbook.book import open_book
from chattest.reports.workbook.sheets import (
    altered,
    breakdowns,
    conversations,
    curves,
    extra,
    results,
    runs,
    settings,
    spreads,
    summary,
    utterances,
    worst,
)

FILE = "report.xlsx"

SHEETS = (
    worst.SHEET,
    altered.SHEET,
    utterances.SHEET,
    conversations.SHEET,
    breakdowns.TESTSETS,
    curves.DOSES,
    breakdowns.PERTURBATIONS,
    curves.RECALL,
    curves.IN_BETWEEN,
    spreads.TIMES,
    spreads.SCORES,
    spreads.PARTS,
    results.SHEET,
    runs.SHEET,
    settings.SHEET,
)
"""The sheets after the summary and the extra tables, in order."""


def write(report: Report, folder: Path) -> Path:
    """Write the workbook: the summary, the tables, a sheet per conversation, and the settings.

    Memory does not grow with the number of rows. The same report gives the same bytes.
    """
    path = folder / FILE
    sheets = [extra.make_sheet(table) for table in report.tables]
    sheets += [sheet for sheet in SHEETS if sheet.wanted(report)]
    notes = [note for sheet in SHEETS if (note := sheet.left_out(report))]
    with open_book(path) as workbook:
        summary.write(workbook, report, sheets, notes)
        for sheet in sheets:
            sheet.write(workbook, report)
    return path
