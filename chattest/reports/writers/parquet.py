"""Write `results.parquet`: the results as a table that DuckDB, Polars, pandas and Spark read column by column."""

from collections.abc import Iterator, Sequence
from dataclasses import fields
from pathlib import Path
from typing import Any, get_type_hints

from chattest.errors import InputError
from chattest.files.atomic import whole_file
from chattest.records.report import Report
from chattest.records.result import Result, Score, Verdict
from chattest.reports.base import find_unavailable
from chattest.reports.content.text import keep_finite

FILE = "results.parquet"

GROUP = 20_000
"""Rows that are written, and in memory, at once."""


def write(report: Report, folder: Path) -> Path:
    """Write a row per `Result`, in the report's order, with the names of its fields as columns.

    `score` is a struct with the fields of `Score`. Every file has all columns. Numbers that are not finite become null,
    as in `results.jsonl`; a lone surrogate, which the format does not allow, becomes its escape as text.

    Raises:
        InputError: pyarrow is not installed.
    """
    if problems := find_unavailable(["parquet"]):
        raise InputError(problems)
    import pyarrow
    from pyarrow.parquet import ParquetWriter

    schema = pyarrow.schema(list(_types(Result).items()))
    path = folder / FILE
    with whole_file(path) as temporary, ParquetWriter(temporary, schema, compression="zstd") as file:
        for start in range(0, len(report.results), GROUP):
            rows = report.results[start : start + GROUP]
            columns = [
                pyarrow.array(column, type=field.type) for column, field in zip(_columns(rows), schema, strict=True)
            ]
            file.write_table(pyarrow.Table.from_arrays(columns, schema=schema))
    return path


def _types(cls: type[Result] | type[Score]) -> dict[str, Any]:
    """Map each field to its type in the file."""
    import pyarrow

    text, number = pyarrow.string(), pyarrow.float64()
    of = {
        str: text,
        Verdict: text,
        int: pyarrow.int64(),
        int | None: pyarrow.int64(),
        float | None: number,
        bool: pyarrow.bool_(),
        dict[str, float]: pyarrow.map_(text, number),
        dict[str, Verdict]: pyarrow.map_(text, text),
    }
    hints = get_type_hints(cls)
    return {
        field.name: pyarrow.struct(list(_types(Score).items())) if hints[field.name] is Score else of[hints[field.name]]
        for field in fields(cls)
    }


def _columns(rows: Sequence[Result]) -> Iterator[list[Any]]:
    """Yield the values of each field over all rows."""
    score = [field.name for field in fields(Score)]
    for field in fields(Result):
        values = [getattr(row, field.name) for row in rows]
        if field.name == "score":
            yield [{name: _plain(getattr(value, name)) for name in score} for value in values]
        else:
            yield [_plain(value) for value in values]


def _plain(value: Any) -> Any:
    """Convert a value to one that pyarrow accepts."""
    if isinstance(value, str):
        return value if value.isascii() else value.encode("utf-8", "backslashreplace").decode("utf-8")
    if isinstance(value, float):
        return keep_finite(value)
    if isinstance(value, dict):
        return [(_plain(key), _plain(entry)) for key, entry in value.items()]
    return value
