"""The results that a list shows where not all of them fit."""

from collections.abc import Sequence

from chattest.records.report import Report
from chattest.records.result import Result, Verdict


def listed(report: Report, rows: Sequence[Result], most: int) -> list[Result]:
    """At most `most` of the rows, by check, run and round. If there are more, failed ones and errors are kept first."""
    order = {info.code: index for index, info in enumerate(report.checks)}
    if len(rows) > most:
        rows = sorted(rows, key=lambda result: result.verdict not in (Verdict.FAIL, Verdict.ERROR))[:most]
    return sorted(rows, key=lambda result: (order[result.check], result.run, result.round))
