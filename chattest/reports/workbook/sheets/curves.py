"""Sheets with curves of success: over the dose, over the distance to a fact, and over what was said in between."""

from chattest.records.report import CheckInfo, Report
from chattest.records.result import Tally
from chattest.reports.content import figures
from chattest.reports.content.curves import is_curve, make_in_between_curves
from chattest.reports.content.text import shorten
from chattest.reports.workbook.book import Book, Table
from chattest.reports.workbook.cells import Column
from chattest.reports.workbook.charts import make_success_chart
from chattest.reports.workbook.sheets import tallies
from chattest.reports.workbook.sheets.base import Sheet

_BLUE = "#2F6DB5"
CHART_ROWS, CHART_COLUMNS = 16, 10
"""Rows and columns of the sheet that a chart takes."""
ABREAST = 4
"""Number of charts in a row of the sheet if there are more than that."""
LONGEST_TITLE = 70
"""Longest title of a chart, in characters; a longer one would leave the curve no room."""

_DOSES = [
    Column("Case"),
    Column("Requirement"),
    Column("Dose"),
    *tallies.SCORE,
    *tallies.ARMS,
    Column("A person understands"),
]
_RECALL = [Column("Distance", "count"), *tallies.SCORE, *tallies.ARMS]
_IN_BETWEEN = [Column("In between"), Column("How many"), *tallies.SCORE, *tallies.ARMS]


def _write_doses(book: Book, report: Report) -> None:
    sheet = book.sheet(DOSES.name, _BLUE)
    table = Table(book, sheet, _DOSES)
    with_doses = _find_checks_with_doses(report)
    drawn = [info for info in with_doses if is_curve(report.curves[info.code])]
    for info in with_doses:
        first = table.next
        for bin in report.curves[info.code]:
            scores = [*tallies.make_score_cells(bin.tally), *tallies.make_arm_cells(bin.tally)]
            understood = "yes" if figures.is_understood(bin, info) else "no"
            table.add([info.code, info.title, figures.format_dose(bin), *scores, understood])
        if info not in drawn:
            continue
        title = shorten(figures.make_check_title(info), LONGEST_TITLE)
        chart = make_success_chart(book, table, title, figures.make_dose_axis(info), first, table.next - 1, over=2)
        row, column = divmod(drawn.index(info), ABREAST if len(drawn) > ABREAST else 1)
        sheet.insert_chart(1 + row * CHART_ROWS, len(_DOSES) + 1 + column * CHART_COLUMNS, chart)
    table.finish()
    table.colour_rates(6, 1, table.next - 1)


def _find_checks_with_doses(report: Report) -> list[CheckInfo]:
    """Return the checks with a dose curve that has any result."""
    return [info for info in report.checks if any(bin.tally != Tally() for bin in report.curves.get(info.code, ()))]


def _write_recall(book: Book, report: Report) -> None:
    sheet = book.sheet(RECALL.name, _BLUE)
    table = Table(book, sheet, _RECALL)
    for distance, tally in report.recall:
        table.add([distance, *tallies.make_score_cells(tally), *tallies.make_arm_cells(tally)])
    axis = "rounds since the fact was last stated"
    chart = make_success_chart(book, table, "Recall over distance", axis, 1, table.next - 1, over=0)
    sheet.insert_chart(1, len(_RECALL) + 1, chart)
    table.finish()
    table.colour_rates(4, 1, table.next - 1)


def _write_recall_in_between(book: Book, report: Report) -> None:
    sheet = book.sheet(IN_BETWEEN.name, _BLUE)
    table = Table(book, sheet, _IN_BETWEEN)
    for number, curve in enumerate(make_in_between_curves(report)):
        first = table.next
        for label, tally in curve.points:
            table.add([curve.between, label, *tallies.make_score_cells(tally), *tallies.make_arm_cells(tally)])
        chart = make_success_chart(book, table, curve.title, curve.axis, first, table.next - 1, over=1)
        sheet.insert_chart(1 + number * CHART_ROWS, len(_IN_BETWEEN) + 1, chart)
    table.finish()
    table.colour_rates(5, 1, table.next - 1)


DOSES = Sheet(
    "Doses",
    "success by how strongly a question was altered, with a curve if there is more than one dose",
    lambda report: bool(_find_checks_with_doses(report)),
    _write_doses,
)
RECALL = Sheet(
    "Recall",
    "success by the number of rounds between a fact and the question about it, with the curve",
    lambda report: bool(report.recall),
    _write_recall,
)
IN_BETWEEN = Sheet(
    "Recall in between",
    "success by the number of similar facts, and of tokens, between a fact and the question about it, with curves",
    lambda report: bool(make_in_between_curves(report)),
    _write_recall_in_between,
)
