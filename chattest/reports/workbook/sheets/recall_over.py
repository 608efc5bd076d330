"""Recall by what lies between: success over the like facts told, or the tokens said, since the fact was stated."""

from chattest.records.report import Report
from chattest.reports.content.curves import recall_in_between
from chattest.reports.workbook.book import Book, Table
from chattest.reports.workbook.cells import Column
from chattest.reports.workbook.charts import success_chart
from chattest.reports.workbook.sheets import tallies

NAME = "Recall in between"
ABOUT = "success over the like facts told, and the tokens said, between a fact and the question about it, with curves"

COLUMNS = [Column("In between"), Column("How many"), *tallies.SCORE, *tallies.ARMS]
CHART_ROWS = 16
"""Rows of the sheet that a chart takes."""


def wanted(report: Report) -> bool:
    return bool(recall_in_between(report))


def write(book: Book, report: Report) -> None:
    sheet = book.sheet(NAME, "#2F6DB5")
    table = Table(book, sheet, COLUMNS)
    for number, curve in enumerate(recall_in_between(report)):
        first = table.next
        for label, tally in curve.points:
            table.add([curve.between, label, *tallies.score_cells(tally), *tallies.arm_cells(tally)])
        chart = success_chart(book, table, curve.title, curve.axis, first, table.next - 1, over=1)
        sheet.insert_chart(1 + number * CHART_ROWS, len(COLUMNS) + 1, chart)
    table.finish()
    table.colour_rates(5, 1, table.next - 1)
