"""Sheets that break rates down: by test set, and by perturbation."""

from chattest.records.report import Report
from chattest.reports.content import figures
from chattest.reports.workbook.book import Book, Table
from chattest.reports.workbook.cells import Column
from chattest.reports.workbook.sheets import tallies
from chattest.reports.workbook.sheets.base import Sheet

_TESTSETS = [Column("Case"), Column("Requirement"), Column("Test set"), *tallies.SCORE, *tallies.OTHER]
_PERTURBATIONS = [Column("Case"), Column("Perturbation"), Column("Kind"), *tallies.SCORE, *tallies.OTHER]


def _write_testsets(book: Book, report: Report) -> None:
    table = Table(book, book.sheet(TESTSETS.name), _TESTSETS)
    for info in report.checks:
        for testset, tally in sorted(report.testset_tallies.get(info.code, {}).items()):
            scores = [*tallies.make_score_cells(tally), *tallies.make_other_cells(tally)]
            table.add([info.code, info.title, testset, *scores])
    table.finish()
    table.colour_rates(6, 1, table.next - 1)


def _write_perturbations(book: Book, report: Report) -> None:
    table = Table(book, book.sheet(PERTURBATIONS.name), _PERTURBATIONS)
    for (check, perturbation, kind), tally in figures.tally_perturbations(report).items():
        table.add([check, perturbation, kind, *tallies.make_score_cells(tally), *tallies.make_other_cells(tally)])
    table.finish()
    table.colour_rates(6, 1, table.next - 1)


TESTSETS = Sheet(
    "Test sets",
    "a row per case and test set",
    lambda report: any(report.testset_tallies.values()),
    _write_testsets,
)
PERTURBATIONS = Sheet(
    "Perturbations",
    "a row per case, perturbation and kind of modification; unchanged questions are not counted",
    lambda report: bool(figures.tally_perturbations(report)),
    _write_perturbations,
)
