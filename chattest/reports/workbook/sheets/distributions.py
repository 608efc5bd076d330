"""The distribution of the scores of checks that judge every reply: toxicity, stuttering, coherence."""

from chattest.records.report import Report
from chattest.reports.content import figures
from chattest.reports.workbook.book import Book, Table
from chattest.reports.workbook.cells import Column
from chattest.reports.workbook.charts import count_chart

NAME = "Distributions"
ABOUT = "how the scores of toxicity, stuttering, coherence and the like are spread"

COLUMNS = [Column("Case"), Column("Requirement"), Column("Score"), Column("Replies", "count")]
CHART_ROWS = 16


def wanted(report: Report) -> bool:
    return bool(figures.distributions(report))


def write(book: Book, report: Report) -> None:
    sheet = book.sheet(NAME)
    table = Table(book, sheet, COLUMNS)
    spread = figures.distributions(report)
    shown = [info for info in report.checks if info.code in spread]
    for number, info in enumerate(shown):
        first = table.next
        for low, high, count in figures.histogram(spread[info.code]):
            table.add([info.code, info.title, f"{low:g}–{high:g}", count])
        axis = f"score; passes when: {info.threshold}" if info.threshold else "score"
        title = f"{info.code}: {info.title}"
        chart = count_chart(book, table, title, axis, first, table.next - 1, over=2, counts=3)
        sheet.insert_chart(1 + number * CHART_ROWS, len(COLUMNS) + 1, chart)
    table.finish()
