"""Write `results.jsonl`: one line per result, for programs. Texts are complete and unaltered."""

import json
from dataclasses import fields
from math import isfinite
from pathlib import Path
from typing import Any

from chattest.files.atomic import whole_file
from chattest.records.report import Report
from chattest.records.result import Result, Score

FILE = "results.jsonl"

_FIELDS = tuple(field.name for field in fields(Result))
_SCORE = tuple(field.name for field in fields(Score))

# JSON does not escape these characters, but some readers take them for the end of a line.
_LINE_ENDS = {code: f"\\u{code:04x}" for code in (*range(0x7F, 0xA0), 0x2028, 0x2029)}


def write(report: Report, folder: Path) -> Path:
    """Write one JSON object per `Result` with the names of its fields, in the report's order.

    Verdicts are written as words and missing numbers as `null`; `known_before` is there only where it is true, and
    `person` and `person_said` are left out of rows that nobody reviewed. The file is UTF-8. Only one result at a time
    is in memory as JSON.
    """
    path = folder / FILE
    # A lone surrogate, which a reply may contain and UTF-8 does not allow, is written as a JSON escape.
    encode = json.JSONEncoder(ensure_ascii=False, allow_nan=False).encode
    with (
        whole_file(path) as temporary,
        temporary.open("w", encoding="utf-8", errors="backslashreplace", newline="\n") as file,
    ):
        for result in report.results:
            line = encode(make_record(result))
            file.write((line if _is_plain(line) else line.translate(_LINE_ENDS)) + "\n")
    return path


def make_record(result: Result) -> dict[str, Any]:
    """Return a result as plain JSON values; numbers that are not finite become `None`.

    `scorer`, `judge`, and the score's `rule` and `votes` are there only where they are not empty.
    """
    row = {name: _plain(getattr(result, name)) for name in _FIELDS}
    for name in ("scorer", "judge"):
        if not row[name]:
            del row[name]
    row["score"] = {name: _plain(getattr(result.score, name)) for name in _SCORE}
    if not result.known_before:
        del row["known_before"]
    if not result.person:  # most rows have none, and older versions of chattest can read them without it
        del row["person"], row["person_said"]
    for name in ("rule", "votes"):
        if not row["score"][name]:
            del row["score"][name]
    return row


def _is_plain(line: str) -> bool:
    """Return True if nothing in a line needs `_LINE_ENDS`, which is quick to see for most lines."""
    return line.isascii() and "\x7f" not in line


def _plain(value: Any) -> Any:
    if isinstance(value, float):
        return value if isfinite(value) else None
    if isinstance(value, dict):
        return {key: _plain(entry) for key, entry in value.items()}
    return value
