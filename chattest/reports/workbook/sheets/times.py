"""Response times of the bot under test."""

from collections.abc import Sequence

from chattest.records.report import Report
from chattest.reports.content import figures
from chattest.reports.workbook.book import Book, Table
from chattest.reports.workbook.cells import Cell, Column
from chattest.reports.workbook.charts import count_chart

NAME = "Response times"
ABOUT = "seconds per reply: median, p95, p99, and how they are spread"

COLUMNS = [
    Column("Conversation"),
    Column("Replies", "count"),
    Column("Median", "number"),
    Column("p95", "number"),
    Column("p99", "number"),
    Column("Slowest", "number"),
]


def wanted(report: Report) -> bool:
    return any(figures.seconds(conversation) for conversation in report.conversations)


def write(book: Book, report: Report) -> None:
    sheet = book.sheet(NAME)
    times = [second for conversation in report.conversations for second in figures.seconds(conversation)]
    bins = Table(book, sheet, [Column("Seconds"), Column("Replies", "count")])
    for low, high, count in figures.histogram(times):
        bins.add([f"{low:g}–{high:g}", count])
    chart = count_chart(book, bins, "Response times", "seconds", 1, bins.next - 1, over=0, counts=1)
    sheet.insert_chart(1, len(COLUMNS) + 1, chart)
    table = Table(book, sheet, COLUMNS, bins.next + 1)
    table.add(["All", *_cells(times)], total=True)
    for conversation in report.conversations:
        if run_times := figures.seconds(conversation):
            table.add([f"Run {conversation.run}", *_cells(run_times)])
    table.fit()


def _cells(times: Sequence[float]) -> list[Cell]:
    return [len(times), *(figures.percentile(times, share) for share in (0.5, 0.95, 0.99)), max(times)]
