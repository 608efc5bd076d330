"""The last sheet, with settings, seed, versions and models of the run."""

import json

from chattest.records.report import Report
from chattest.reports.workbook.book import Book, Table
from chattest.reports.workbook.cells import Column
from chattest.reports.workbook.sheets.base import Sheet

COLUMNS = [Column("What"), Column("Name"), Column("Value", "wrap", 100)]


def _write(book: Book, report: Report) -> None:
    table = Table(book, book.sheet(SHEET.name), COLUMNS)
    driver, subject = report.chatters
    for name, value in (("name", report.name), ("seed", report.seed), ("driver", driver), ("subject", subject)):
        table.add(["run", name, str(value)])
    for name, setting in report.settings.items():
        table.add(["setting", name, json.dumps(setting, ensure_ascii=False, default=str)])
    for kind, model in report.models.items():
        table.add(["model", kind, model])
    for name, version in report.versions.items():
        table.add(["version", name, version])
    table.finish()


SHEET = Sheet(
    "Settings",
    "settings that differ from the defaults, seed, versions and models of the run",
    lambda _: True,
    _write,
)
