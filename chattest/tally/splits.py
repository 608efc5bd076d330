"""Failing rates by data split, for question files that name one."""

from collections.abc import Iterable

from chattest.records.report import ExtraColumn, ExtraTable
from chattest.records.result import Result, Tally
from chattest.tally.rates import counted

NAME = "Failing by split"
NOTE = "How many rows of each check fail, by the data split that the question file names."
COLUMNS = (
    ExtraColumn("Check"),
    ExtraColumn("Split"),
    ExtraColumn("Failed", "count"),
    ExtraColumn("Total", "count"),
    ExtraColumn("Failing rate", "rate"),
)


def tables(rows: Iterable[Result]) -> list[ExtraTable]:
    """The table; empty where no question has a split."""
    tallies: dict[tuple[str, str], Tally] = {}
    for row in rows:
        if row.split and counted(row).total:
            key = (row.check, row.split)
            tallies[key] = tallies.get(key, Tally()) + counted(row)
    if not tallies:
        return []
    order = {check: number for number, check in enumerate(dict.fromkeys(check for check, _ in tallies))}
    figures = [
        (check, split, tally.total - tally.passed, tally.total, 1 - tally.passed / tally.total)
        for (check, split), tally in sorted(tallies.items(), key=lambda pair: (order[pair[0][0]], pair[0][1]))
    ]
    return [ExtraTable(NAME, NOTE, COLUMNS, tuple(figures))]
