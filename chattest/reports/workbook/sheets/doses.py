"""Success rate by dose: `[passed, total]` for each dose step, and a chart per case."""

from chattest.records.report import CheckInfo, Report
from chattest.records.result import Tally
from chattest.reports.content import figures
from chattest.reports.content.curves import is_curve
from chattest.reports.content.text import shortened
from chattest.reports.workbook.book import Book, Table
from chattest.reports.workbook.cells import Column
from chattest.reports.workbook.charts import success_chart
from chattest.reports.workbook.sheets import tallies

NAME = "Doses"
ABOUT = "success over how strongly a question was perturbed, with a curve where there is more than one dose"

COLUMNS = [
    Column("Case"),
    Column("Requirement"),
    Column("Dose"),
    *tallies.SCORE,
    *tallies.ARMS,
    Column("A person understands"),
]
CHART_ROWS, CHART_COLUMNS = 16, 10
"""Rows and columns of the sheet that a chart takes."""
ABREAST = 4
"""How many charts stand beside each other where there are more than that."""
LONGEST_TITLE = 70
"""Longest title of a chart, in characters; a longer one would leave the curve no room."""


def wanted(report: Report) -> bool:
    return bool(_dosed(report))


def write(book: Book, report: Report) -> None:
    sheet = book.sheet(NAME, "#2F6DB5")
    table = Table(book, sheet, COLUMNS)
    dosed = _dosed(report)
    drawn = [info for info in dosed if is_curve(report.curves[info.code])]
    for info in dosed:
        first = table.next
        for bin in report.curves[info.code]:
            scores = [*tallies.score_cells(bin.tally), *tallies.arm_cells(bin.tally)]
            line = "yes" if figures.understood(bin, info) else "no"
            table.add([info.code, info.title, figures.dose_words(bin), *scores, line])
        if info not in drawn:
            continue
        title = shortened(figures.check_title(info), LONGEST_TITLE)
        chart = success_chart(book, table, title, figures.dose_axis(info), first, table.next - 1, over=2)
        below, beside = divmod(drawn.index(info), ABREAST if len(drawn) > ABREAST else 1)
        sheet.insert_chart(1 + below * CHART_ROWS, len(COLUMNS) + 1 + beside * CHART_COLUMNS, chart)
    table.finish()
    table.colour_rates(6, 1, table.next - 1)


def _dosed(report: Report) -> list[CheckInfo]:
    """The checks whose dose curve has any result."""
    return [info for info in report.checks if any(bin.tally != Tally() for bin in report.curves.get(info.code, ()))]
