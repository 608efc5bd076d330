"""Read the rows of a run for the index, and sum up and check what the index holds of them."""

from __future__ import annotations

import sqlite3
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field, replace
from hashlib import blake2b
from pathlib import Path
from threading import Event
from typing import TYPE_CHECKING, Any

from chattest.errors import ChattestError
from chattest.files.links import open_plain

if TYPE_CHECKING:
    from chattest.records.result import Result

KEPT = 4000
"""Longest text that the overview may need, in characters."""


def read_rows(name: str, folder: Path, read: Callable[[int], None]) -> Iterable[tuple[tuple[Any, ...], str, Result]]:
    """Yield each row of a run: its columns in the index, its text in lower case, and the row for the overview.

    Args:
        name: the run's name.
        folder: the run's folder.
        read: called with the number of bytes read so far.

    Raises:
        InputError: a line is no result.
        OSError: the file cannot be read.
    """
    from chattest.judging.rethreshold import find_deciding_scorer
    from chattest.reports.content.text import keep_finite
    from chattest.tally.rates import count_result
    from chattest.web.run_contents import read_run_settings

    settings = read_run_settings(folder)
    originals: dict[str, int] = {}
    path = folder / "results.jsonl"
    start = 0
    with open_plain(path) as file:
        for line, content in enumerate(file, start=1):
            row = parse_row(content, path, line)
            original = originals.setdefault(row.original, line) if row.original else 0
            scorer = find_deciding_scorer(row, settings) if settings is not None else ""
            value = keep_finite(row.score.value)
            texts = (row.prompt, row.reply, row.reason, row.original, row.person_said)
            yield (
                (
                    name,
                    line,
                    start,
                    len(content),
                    *_make_filter_columns(row),
                    original,
                    scorer,
                    value,
                    count_result(row).total,
                ),
                make_storable("\n".join(texts).lower()),
                _drop_texts(row),
            )
            start += len(content)
            read(start)


def _make_filter_columns(row: Result) -> tuple[str | int, ...]:
    """Return the columns of the index that filters use."""
    columns = (row.check, row.verdict.value, int(row.in_doubt), row.conversation, row.run, row.round, row.testset)
    return tuple(make_storable(part) if isinstance(part, str) else part for part in columns)


def parse_row(content: bytes, path: Path, line: int) -> Result:
    """Return the row on a line of a file. Raises `InputError`."""
    from chattest.storage.finished_run import read_row

    return read_row(content, f"{path}:{line}")


def _drop_texts(result: Result) -> Result:
    """Return the row without the texts that no overview shows: a run may have 100,000 rows."""
    if result.verdict in ("FAIL", "ERROR"):
        if len(result.prompt) + len(result.reply) <= 2 * KEPT:
            return result
        return replace(result, prompt=result.prompt[:KEPT], reply=result.reply[:KEPT])
    score = replace(result.score, parts={}) if result.score.parts else result.score
    prompt, reply, original = result.prompt[:1], result.reply[:1], result.original[:1]
    return replace(
        result, prompt=prompt, reply=reply, original=original, expected="", reason="", original_reply="", score=score
    )


def make_storable(text: str) -> str:
    """Return the text as SQLite can hold it: without unpaired surrogates."""
    return text if text.isascii() else text.encode("utf-8", "backslashreplace").decode("utf-8")


@dataclass(frozen=True, slots=True)
class RowSums:
    """Rows of one check whose verdicts one scorer decides."""

    check: str
    scorer: str
    """Empty if more than a threshold decides."""
    rows: int
    counted: int
    """How many count in the rate."""
    passed: int
    """How many of those passed."""
    lowest: float | None
    highest: float | None
    """The largest value of the rows; `lowest` is the smallest."""


@dataclass(slots=True)
class IndexingProgress:
    """A run that is being indexed."""

    size: int
    """Bytes of its results.jsonl."""
    done: int = 0
    """Bytes that are read."""
    error: ChattestError | None = None
    """Why it cannot be indexed."""
    finished: Event = field(default_factory=Event)

    @property
    def percent(self) -> int:
        """How much is read, 0 to 99."""
        return min(99, 100 * self.done // max(1, self.size))


def compute_checksum(connection: sqlite3.Connection, name: str) -> str:
    """Return a checksum of all that the index holds of a run. A flipped bit must not become another verdict."""
    digest = blake2b(digest_size=8)
    for query in (
        "* FROM results WHERE run = ? ORDER BY line",
        "number, line FROM results INDEXED BY results_of_conversation WHERE run = ? ORDER BY number, line",
        "* FROM texts WHERE run = ? ORDER BY line",
        "* FROM overviews WHERE name = ?",
    ):
        for row in connection.execute(f"SELECT {query}", [name]):
            digest.update(repr(row).encode("utf-8", "backslashreplace"))
    return digest.hexdigest()
