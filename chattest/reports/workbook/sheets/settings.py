"""The last sheet: settings, seed, versions and models of the run."""

import json

from chattest.records.report import Report
from chattest.reports.workbook.book import Book, Table
from chattest.reports.workbook.cells import Column

NAME = "Settings"
ABOUT = "what the run was made with: settings that differ from the defaults, seed, versions, models"

COLUMNS = [Column("What"), Column("Name"), Column("Value", "wrap", 100)]


def wanted(report: Report) -> bool:
    return True


def write(book: Book, report: Report) -> None:
    table = Table(book, book.sheet(NAME), COLUMNS)
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
