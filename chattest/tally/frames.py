"""Turn a report into pandas tables, for notebooks and programs."""

from dataclasses import fields
from typing import TYPE_CHECKING, Any

from chattest.records.report import Report
from chattest.records.result import Result, Verdict

if TYPE_CHECKING:
    from pandas import DataFrame

_FIELDS = tuple(field.name for field in fields(Result) if field.name != "score")


def make_results_frame(report: Report) -> "DataFrame":
    """Make a table with a row for each result, in the report's order.

    Columns: the fields of `Result` (see `chattest.records.result`), with the verdict as a word; then, from its score,
    `value` (in the scorer's unit, `None` if there is none), `interpretation`, and `parts`, a dictionary of the numbers
    behind the value. `votes` is a dictionary of each judge's verdict, if several were asked. Each label of toxicity has
    a column too (`toxicity`, `severe_toxicity`, `obscene`, ...).
    """
    from pandas import DataFrame

    from chattest.reports.content.figures import collect_parts

    labels = list(dict.fromkeys(part for _, part in collect_parts(report)))

    rows = [
        {name: getattr(result, name) for name in _FIELDS}
        | {label: result.score.parts.get(label) for label in labels}
        | {
            "verdict": result.verdict.value,
            "value": result.score.value,
            "interpretation": result.score.interpretation,
            "parts": result.score.parts,
            "votes": {judge: vote.value for judge, vote in result.score.votes.items()},
        }
        for result in report.results
    ]
    several = ["votes"] if any(result.score.votes for result in report.results) else []
    return DataFrame(rows, columns=[*_FIELDS, "value", "interpretation", "parts", *labels, *several])


def make_rates_frame(report: Report) -> "DataFrame":
    """Make a table with a row for each case or check, by its code.

    Columns: `name`; `passed` and `total` (PASS + FAIL); `rate`, 0 to 1; `low` and `high`, its 95 % interval by
    conversation (Wilson's with fewer than two conversations); `corrected`, the rate corrected for the judge's errors,
    `corrected_low` and `corrected_high`, its interval, and `labels`, the number of labels that it is based on (0: it is
    based on the judge's errors on replies of other bots); `not_applicable` and `errors`, which no rate counts;
    `in_doubt`, how many of `total` are in doubt; `experimental`, whether nobody should draw a conclusion from the rate.
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
            "corrected_low": None if corrected is None else corrected.interval[0],
            "corrected_high": None if corrected is None else corrected.interval[1],
            "labels": None if corrected is None else corrected.labels + corrected.known,
            "not_applicable": tally.not_applicable,
            "errors": tally.errors,
            "in_doubt": tally.in_doubt,
            "experimental": bool(info.experimental),
        }
    columns = ["name", "passed", "total", "rate", "low", "high", "corrected"]
    columns += ["corrected_low", "corrected_high", "labels", "not_applicable", "errors", "in_doubt", "experimental"]
    return make_rows_frame(rows, columns)


def make_rows_frame(rows: dict[str, dict[str, Any]], columns: list[str]) -> "DataFrame":
    """Make a table with a row for each case or check.

    Args:
        rows: Code -> column -> value.
        columns: The columns, in order.
    """
    from pandas import DataFrame

    frame = DataFrame(list(rows.values()), columns=columns, index=list(rows))
    return frame.rename_axis("check")


def make_failures_frame(report: Report) -> "DataFrame":
    """Return the rows of `make_results_frame` that failed, those in doubt first; ERROR rows count as failed."""
    frame = make_results_frame(report)
    failed = frame["verdict"].isin([Verdict.FAIL.value, Verdict.ERROR.value])
    return frame[failed].sort_values("in_doubt", ascending=False, kind="stable").reset_index(drop=True)


def make_in_doubt_frame(report: Report) -> "DataFrame":
    """Return the rows of `make_results_frame` whose verdict is in doubt, including those that passed."""
    frame = make_results_frame(report)
    return frame[frame["in_doubt"].astype(bool)].reset_index(drop=True)
