"""Recall by distance: the success rate by the number of rounds since the fact was last stated."""

from chattest.records.report import Report
from chattest.reports.workbook.book import Book, Table
from chattest.reports.workbook.cells import Column
from chattest.reports.workbook.charts import success_chart
from chattest.reports.workbook.sheets import tallies

NAME = "Recall"
ABOUT = "success over rounds between a fact and the question about it, with the curve"

COLUMNS = [Column("Distance", "count"), *tallies.SCORE, *tallies.ARMS]


def wanted(report: Report) -> bool:
    return bool(report.recall)


def write(book: Book, report: Report) -> None:
    sheet = book.sheet(NAME, "#2F6DB5")
    table = Table(book, sheet, COLUMNS)
    for distance, tally in report.recall:
        table.add([distance, *tallies.score_cells(tally), *tallies.arm_cells(tally)])
    axis = "rounds since the fact was last stated"
    chart = success_chart(book, table, "Recall over distance", axis, 1, table.next - 1, over=0)
    sheet.insert_chart(1, len(COLUMNS) + 1, chart)
    table.finish()
    table.colour_rates(4, 1, table.next - 1)
