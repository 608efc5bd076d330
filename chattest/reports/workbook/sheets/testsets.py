"""A row per case and test set."""

from chattest.records.report import Report
from chattest.reports.workbook.book import Book, Table
from chattest.reports.workbook.cells import Column
from chattest.reports.workbook.sheets import tallies

NAME = "Test sets"
ABOUT = "a row per case and test set"

COLUMNS = [Column("Case"), Column("Requirement"), Column("Test set"), *tallies.SCORE, *tallies.OTHER]


def wanted(report: Report) -> bool:
    return any(report.testset_tallies.values())


def write(book: Book, report: Report) -> None:
    table = Table(book, book.sheet(NAME), COLUMNS)
    for info in report.checks:
        for testset, tally in sorted(report.testset_tallies.get(info.code, {}).items()):
            scores = [*tallies.score_cells(tally), *tallies.other_cells(tally)]
            table.add([info.code, info.title, testset, *scores])
    table.finish()
    table.colour_rates(6, 1, table.next - 1)
