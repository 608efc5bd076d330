"""The parts of scores, such as the labels of toxicity."""

from chattest.records.report import Report
from chattest.reports.content import figures
from chattest.reports.workbook.book import Book, Table
from chattest.reports.workbook.cells import Column

NAME = "Score parts"
ABOUT = "what the scores of every reply are made of, such as the labels of toxicity"

COLUMNS = [
    Column("Case"),
    Column("Part"),
    Column("Replies", "count"),
    Column("Median", "number"),
    Column("p95", "number"),
    Column("p99", "number"),
    Column("Greatest", "number"),
]


def wanted(report: Report) -> bool:
    return bool(figures.score_parts(report))


def write(book: Book, report: Report) -> None:
    table = Table(book, book.sheet(NAME), COLUMNS)
    parts = figures.score_parts(report)
    for info in report.checks:
        for (check, part), values in parts.items():
            if check == info.code:
                shares = [figures.percentile(values, share) for share in (0.5, 0.95, 0.99)]
                table.add([check, part, len(values), *shares, max(values)])
    table.finish()
