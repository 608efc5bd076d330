"""Sheets that show how numbers are spread: response times, scores of replies, and the parts of scores."""

from collections.abc import Sequence

from chattest.records.report import Report
from chattest.reports.content import figures
from chattest.reports.workbook.book import Book, Table
from chattest.reports.workbook.cells import Cell, Column
from chattest.reports.workbook.charts import make_count_chart
from chattest.reports.workbook.sheets.base import Sheet

CHART_ROWS = 16
"""Rows of the sheet that a chart takes."""
_PERCENTILES = [
    Column("Replies", "count"),
    Column("Median", "number"),
    Column("p95", "number"),
    Column("p99", "number"),
]
_TIMES = [Column("Conversation"), *_PERCENTILES, Column("Slowest", "number")]
_SCORES = [Column("Case"), Column("Requirement"), Column("Score"), Column("Replies", "count")]
_PARTS = [Column("Case"), Column("Part"), *_PERCENTILES, Column("Greatest", "number")]


def _write_times(book: Book, report: Report) -> None:
    sheet = book.sheet(TIMES.name)
    times = [second for conversation in report.conversations for second in figures.list_seconds(conversation)]
    bins = Table(book, sheet, [Column("Seconds"), Column("Replies", "count")])
    for low, high, count in figures.count_bins(times):
        bins.add([f"{low:g}–{high:g}", count])
    chart = make_count_chart(book, bins, "Response times", "seconds", 1, bins.next - 1, over=0, counts=1)
    sheet.insert_chart(1, len(_TIMES) + 1, chart)
    table = Table(book, sheet, _TIMES, bins.next + 1)
    table.add(["All", *_spread_cells(times)], total=True)
    for conversation in report.conversations:
        if run_times := figures.list_seconds(conversation):
            table.add([f"Run {conversation.run}", *_spread_cells(run_times)])
    table.fit()


def _spread_cells(values: Sequence[float]) -> list[Cell]:
    return [len(values), *figures.compute_percentiles(values), max(values)]


def _write_scores(book: Book, report: Report) -> None:
    sheet = book.sheet(SCORES.name)
    table = Table(book, sheet, _SCORES)
    spread = figures.collect_scores(report)
    infos = [info for info in report.checks if info.code in spread]
    for number, info in enumerate(infos):
        first = table.next
        for low, high, count in figures.count_bins(spread[info.code]):
            table.add([info.code, info.title, f"{low:g}–{high:g}", count])
        axis = f"score; passes when: {info.threshold}" if info.threshold else "score"
        title = f"{info.code}: {info.title}"
        chart = make_count_chart(book, table, title, axis, first, table.next - 1, over=2, counts=3)
        sheet.insert_chart(1 + number * CHART_ROWS, len(_SCORES) + 1, chart)
    table.finish()


def _write_parts(book: Book, report: Report) -> None:
    table = Table(book, book.sheet(PARTS.name), _PARTS)
    parts = figures.collect_parts(report)
    for info in report.checks:
        for (check, part), values in parts.items():
            if check == info.code:
                table.add([check, part, *_spread_cells(values)])
    table.finish()


TIMES = Sheet(
    "Response times",
    "seconds per reply: median, p95, p99, and their distribution",
    lambda report: any(figures.list_seconds(conversation) for conversation in report.conversations),
    _write_times,
)
SCORES = Sheet(
    "Distributions",
    "the distribution of the scores of toxicity, stuttering, coherence and so on",
    lambda report: bool(figures.collect_scores(report)),
    _write_scores,
)
PARTS = Sheet(
    "Score parts",
    "the parts of the scores of replies, such as the labels of toxicity",
    lambda report: bool(figures.collect_parts(report)),
    _write_parts,
)
