"""A report as pandas tables, for notebooks and programs. The one place of the library that makes them."""

from dataclasses import fields
from typing import TYPE_CHECKING, Any

from chattest.records.report import Report
from chattest.records.result import Result, Verdict

if TYPE_CHECKING:
    from pandas import DataFrame

_FIELDS = tuple(field.name for field in fields(Result) if field.name != "score")


def results_frame(report: Report) -> "DataFrame":
    """One row a result, in the report's order.

    Columns: the fields of `Result` (see `chattest.records.result`), the verdict as its word; then of its score `value`
    (in the scorer's unit, `None` where there is none), `interpretation`, and `parts`, a dictionary of the numbers that
    the value was made from.
    """
    from pandas import DataFrame

    rows = [
        {name: getattr(result, name) for name in _FIELDS}
        | {
            "verdict": result.verdict.value,
            "value": result.score.value,
            "interpretation": result.score.interpretation,
            "parts": result.score.parts,
        }
        for result in report.results
    ]
    return DataFrame(rows, columns=[*_FIELDS, "value", "interpretation", "parts"])


def rates_frame(report: Report) -> "DataFrame":
    """One row a case or check, by its code.

    Columns: `name`; `passed` and `total` (PASS + FAIL); `rate`, 0 to 1; `low` and `high`, its 95 % interval by
    conversation (Wilson's with fewer than two conversations); `corrected`, the rate with the judge's measured errors
    taken out; `not_applicable` and `errors`, which no rate counts.
    """
    rows: dict[str, dict[str, Any]] = {}
    for info in report.checks:
        tally, estimate = report.tallies[info.code], report.estimates.get(info.code)
        low, high = (estimate.interval if estimate is not None else None) or tally.interval or (None, None)
        corrected = estimate.corrected if estimate is not None else None
        rows[info.code] = {
            "name": info.name,
            "passed": tally.passed,
            "total": tally.total,
            "rate": tally.rate,
            "low": low,
            "high": high,
            "corrected": None if corrected is None else corrected.rate,
            "not_applicable": tally.not_applicable,
            "errors": tally.errors,
        }
    columns = ["name", "passed", "total", "rate", "low", "high", "corrected", "not_applicable", "errors"]
    return rows_frame(rows, columns)


def rows_frame(rows: dict[str, dict[str, Any]], columns: list[str]) -> "DataFrame":
    """A table with one row a case or check. rows: code -> column -> value."""
    from pandas import DataFrame

    frame = DataFrame(list(rows.values()), columns=columns, index=list(rows))
    return frame.rename_axis("check")


def failures_frame(report: Report) -> "DataFrame":
    """The rows of `results_frame` that failed, or in which a chatter or judge failed, numbered anew."""
    frame = results_frame(report)
    failed = frame["verdict"].isin([Verdict.FAIL.value, Verdict.ERROR.value])
    return frame[failed].reset_index(drop=True)
