"""Success rate by dose: `[passed, total]` for each dose step, and a chart per case."""

from chattest.records.report import CheckInfo, Report
from chattest.records.result import Tally
from chattest.reports.content import figures
from chattest.reports.workbook.book import Book, Column, Table
from chattest.reports.workbook.charts import success_chart
from chattest.reports.workbook.sheets import tallies

NAME = "Doses"
ABOUT = "success over how strongly a question was perturbed, with curves"

COLUMNS = [Column("Case"), Column("Requirement"), Column("Dose"), *tallies.SCORE, *tallies.ARMS]
CHART_ROWS = 16


def wanted(report: Report) -> bool:
    return bool(_dosed(report))


def write(book: Book, report: Report) -> None:
    sheet = book.sheet(NAME, "#2F6DB5")
    table = Table(book, sheet, COLUMNS)
    for number, info in enumerate(_dosed(report)):
        first = table.next
        for bin in report.curves[info.code]:
            scores = [*tallies.score_cells(bin.tally), *tallies.arm_cells(bin.tally)]
            table.add([info.code, info.title, figures.dose_words(bin), *scores])
        axis = f"dose ({info.dose_unit})" if info.dose_unit else "dose"
        chart = success_chart(book, table, f"{info.code}: {info.title}", axis, first, table.next - 1, over=2)
        sheet.insert_chart(1 + number * CHART_ROWS, len(COLUMNS) + 1, chart)
    table.finish()
    table.colour_rates(6, 1, table.next - 1)


def _dosed(report: Report) -> list[CheckInfo]:
    """The checks whose dose curve has any result."""
    return [info for info in report.checks if any(bin.tally != Tally() for bin in report.curves.get(info.code, ()))]
