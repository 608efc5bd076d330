"""A row per case, perturbation and kind of change."""

from chattest.records.report import Report
from chattest.reports.content import figures
from chattest.reports.workbook.book import Book, Table
from chattest.reports.workbook.cells import Column
from chattest.reports.workbook.sheets import tallies

NAME = "Perturbations"
ABOUT = "a row per case, perturbation and kind of modification; unchanged questions are not counted"

COLUMNS = [Column("Case"), Column("Perturbation"), Column("Kind"), *tallies.SCORE, *tallies.OTHER]


def wanted(report: Report) -> bool:
    return bool(figures.perturbation_tallies(report))


def write(book: Book, report: Report) -> None:
    table = Table(book, book.sheet(NAME), COLUMNS)
    for (check, perturbation, kind), tally in figures.perturbation_tallies(report).items():
        table.add([check, perturbation, kind, *tallies.score_cells(tally), *tallies.other_cells(tally)])
    table.finish()
    table.colour_rates(6, 1, table.next - 1)
