"""The rows of finished runs, indexed to filter and page quickly. The rows themselves are read from results.jsonl."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import islice
from pathlib import Path
from threading import Lock, Thread
from typing import TYPE_CHECKING, Any

from chattest.errors import ChattestError, InputError, Problem
from chattest.files.links import open_plain
from chattest.web.index.base import DamagedIndexError, Index, make_stamp
from chattest.web.index.rows import IndexingProgress, RowSums, compute_checksum, make_storable, parse_row, read_rows
from chattest.web.project import NotThereError, Project

if TYPE_CHECKING:
    from chattest.records.result import Result

PAGE = 100
"""Rows of a page."""
SMALL = 1_000_000
"""Size of a results.jsonl, in bytes, below which a visitor waits until it is indexed."""
MOMENT = 0.4
"""Seconds that a visitor waits for a larger one; then the page shows how far it is."""
STEP = 4000
"""Rows that are written in one transaction, so that no other page waits long for the index."""


@dataclass(frozen=True, slots=True)
class Filter:
    """Which rows are wanted. An empty field filters nothing."""

    case: str = ""
    verdict: str = ""
    doubt: str = ""
    text: str = ""
    testset: str = ""
    conversation: str = ""
    """The number of a conversation."""

    def where(self, run: str) -> tuple[str, list[Any]]:
        """Return the condition in SQL and its values."""
        parts, values = ["run = ?"], [run]
        for column, value in (("check_code", self.case), ("verdict", self.verdict), ("testset", self.testset)):
            if value:
                parts.append(f"{column} = ?")
                values.append(value)
        if self.doubt:
            parts.append("doubt = 1")
        if self.conversation:
            parts.append("number = ?")
            values.append(self.conversation)
        if self.text:
            parts.append("line IN (SELECT line FROM texts WHERE run = ? AND instr(text, ?))")
            values += [run, make_storable(self.text.lower())]
        return " AND ".join(parts), values


class Results:
    """The indexed rows of all runs of a project."""

    def __init__(self, project: Project) -> None:
        """Open the index of the project's runs."""
        self.project = project
        self.index = Index(project.reports)
        self._readings: dict[str, IndexingProgress] = {}
        self._whole: dict[str, str] = {}
        """Run -> the stamp of its rows that were found undamaged."""
        self._lock = Lock()

    def prepare(self, name: str) -> IndexingProgress | None:
        """Index a run as its files are now, unless that is done already.

        Returns:
            The progress if it takes longer than a moment, else `None`.

        Raises:
            InputError: the rows cannot be read.
        """
        folder = self.project.run(name)
        now = _stamp(folder)
        if self._is_indexed(name, now):
            return None
        path = folder / "results.jsonl"
        try:
            size = path.stat().st_size
        except OSError as error:
            remedy = f"If it still talks, wait; else judge it: {self.project.program} judge {folder}"
            raise InputError([Problem(str(path), "the run has no results yet", remedy)]) from error
        with self._lock:
            reading = self._readings.get(name)
            if reading is None:
                reading = self._readings[name] = IndexingProgress(size)
                Thread(target=self._read, args=(name, folder, now, reading), daemon=True).start()
        if not reading.finished.wait(10 if reading.size < SMALL else MOMENT):
            return reading
        if reading.error is not None:
            raise reading.error
        return None

    def _read(self, name: str, folder: Path, now: str, reading: IndexingProgress) -> None:
        try:
            try:
                self._index(name, folder, now, reading)
            except DamagedIndexError:  # the file is gone, and a new one takes the rows
                self._index(name, folder, now, reading)
        except ChattestError as error:
            reading.error = error
        except (OSError, sqlite3.Error) as error:
            remedy = "Open the page again; if it stays, delete .view.sqlite in the folder of runs."
            reading.error = InputError([Problem(str(folder), f"cannot be indexed: {error}", remedy)])
        except Exception as error:
            reading.error = InputError([Problem(str(folder), f"cannot be shown: {type(error).__name__}: {error}")])
        finally:
            with self._lock:
                self._readings.pop(name, None)
            reading.finished.set()

    def _index(self, name: str, folder: Path, now: str, reading: IndexingProgress) -> None:
        from chattest.web.overview import draw_overview

        with self.index.open() as connection:
            for table in ("results", "texts"):
                connection.execute(f"DELETE FROM {table} WHERE run = ?", [name])
            connection.execute("DELETE FROM indexed WHERE name = ?", [name])

        def read(done: int) -> None:
            reading.done = done

        kept: list[Result] = []
        rows: list[tuple[Any, ...]] = []
        texts: list[tuple[str, int, str]] = []
        for row, text, result in read_rows(name, folder, read):
            kept.append(result)
            rows.append(row)
            texts.append((name, row[1], text))
            if len(rows) >= STEP:
                self._add(rows, texts)
        self._add(rows, texts)
        drawn = draw_overview(self.project, folder, tuple(kept))
        with self.index.open() as connection:
            connection.execute("REPLACE INTO overviews VALUES (?, ?, ?)", [name, now, make_storable(drawn)])
            connection.execute("REPLACE INTO indexed VALUES (?, ?, ?)", [name, now, compute_checksum(connection, name)])
        self._whole[name] = now

    def _add(self, rows: list[tuple[Any, ...]], texts: list[tuple[str, int, str]]) -> None:
        with self.index.open() as connection:
            connection.execute("PRAGMA synchronous = OFF")  # after a power cut, it is made again
            connection.executemany(f"REPLACE INTO results VALUES ({', '.join('?' * 15)})", rows)
            connection.executemany("REPLACE INTO texts VALUES (?, ?, ?)", texts)
        rows.clear()
        texts.clear()

    def overview(self, name: str) -> str:
        """Return the overview of an indexed run, as HTML from templates."""
        rows = self._query("SELECT content FROM overviews WHERE name = ?", [name])
        return str(rows[0][0]) if rows else ""

    def count(self, name: str, wanted: Filter) -> int:
        """Count the rows that a filter leaves."""
        where, values = wanted.where(name)
        return int(self._query(f"SELECT COUNT(*) FROM results WHERE {where}", values)[0][0])

    def first(self, name: str) -> list[Result]:
        """Read the first rows from the file itself, while it is being indexed. Raises `InputError`."""
        path = self.project.run(name) / "results.jsonl"
        try:
            with open_plain(path) as file:
                return [parse_row(line, path, number) for number, line in enumerate(islice(file, PAGE), start=1)]
        except OSError as error:
            raise _make_gone_error(path, error) from error

    def page(self, name: str, wanted: Filter, page: int) -> list[tuple[int, Result]]:
        """Read the rows of a page (from 1), each with its line."""
        where, values = wanted.where(name)
        sql = f"SELECT line, start, length FROM results WHERE {where} ORDER BY line LIMIT ? OFFSET ?"
        return self._read_at(name, self._query(sql, [*values, PAGE, PAGE * (page - 1)]))

    def every(self, name: str, wanted: Filter) -> tuple[Result, ...]:
        """Read all rows that a filter leaves, in order. For a filter that leaves few."""
        where, values = wanted.where(name)
        places = self._query(f"SELECT line, start, length FROM results WHERE {where} ORDER BY line", values)
        return tuple(result for _, result in self._read_at(name, places))

    def lines(self, name: str, lines: Sequence[int]) -> list[Result]:
        """Read the rows on some lines of the file, in the order of the lines given."""
        places: list[Any] = []
        for line in lines:
            places += self._query("SELECT line, start, length FROM results WHERE run = ? AND line = ?", [name, line])
        return [result for _, result in self._read_at(name, places)]

    def choices(self, name: str, column: str) -> list[str]:
        """Return the values of a column, `check_code` or `testset`, without the empty one."""
        sql = f"SELECT DISTINCT {column} FROM results WHERE run = ?"
        return sorted(str(value) for (value,) in self._query(sql, [name]) if value)

    def questions(self, name: str, text: str, page: int, size: int) -> tuple[int, list[int]]:
        """Return how many original questions were altered, and the lines of those of a page, most failures first."""
        condition, values = "run = ? AND original > 0", [name]
        if text:
            condition += " AND line IN (SELECT line FROM texts WHERE run = ? AND instr(text, ?))"
            values += [name, make_storable(text.lower())]
        inner = f"SELECT DISTINCT original FROM results WHERE {condition}"
        total = self._query(f"SELECT COUNT(*) FROM ({inner})", values)[0][0]
        sql = (
            f"SELECT original FROM results WHERE run = ? AND original IN ({inner}) "
            "GROUP BY original ORDER BY SUM(verdict = 'FAIL') DESC, original LIMIT ? OFFSET ?"
        )
        rows = self._query(sql, [name, *values, size, size * (page - 1)])
        return int(total), [int(original) for (original,) in rows]

    def alterations(self, name: str, originals: Sequence[int]) -> tuple[Result, ...]:
        """Read the rows of some original questions, given by their lines as `questions` returns them."""
        marks = ", ".join("?" * len(originals))
        sql = f"SELECT line, start, length FROM results WHERE run = ? AND original IN ({marks}) ORDER BY line"
        return tuple(result for _, result in self._read_at(name, self._query(sql, [name, *originals])))

    def scored(self, name: str, scorer: str) -> list[tuple[int, str, int, float, int]]:
        """Return line, check, passed, value and counted of the rows whose verdict a scorer's threshold decides."""
        sql = "SELECT line, check_code, verdict = 'PASS', value, counts FROM results WHERE run = ? AND scorer = ?"
        return self._query(sql, [name, scorer])

    def sums(self, name: str) -> list[RowSums]:
        """Sum up the rows with PASS or FAIL, by check and by the scorer whose threshold decides."""
        sql = (
            "SELECT check_code, scorer, COUNT(*), SUM(counts), SUM(counts AND verdict = 'PASS'), MIN(value), "
            "MAX(value) FROM results WHERE run = ? AND verdict IN ('PASS', 'FAIL') GROUP BY check_code, scorer"
        )
        return [RowSums(*row) for row in self._query(sql, [name])]

    def _query(self, sql: str, values: Sequence[Any]) -> list[Any]:
        """Run a query whose first value is the name of an indexed run. A damaged index is made again first."""
        try:
            with self.index.open() as connection:
                return connection.execute(sql, values).fetchall()
        except DamagedIndexError:
            reading = self.prepare(values[0])
        if reading is not None:
            reading.finished.wait()
        with self.index.open() as connection:
            return connection.execute(sql, values).fetchall()

    def _is_indexed(self, name: str, now: str) -> bool:
        """Return True if the index holds the rows of a run as its files are now, undamaged."""
        try:
            with self.index.open() as connection:
                sql = "SELECT checksum FROM indexed WHERE name = ? AND stamp = ?"
                row = connection.execute(sql, [name, now]).fetchone()
                if row is None:
                    return False
                if self._whole.get(name) != now and row[0] != compute_checksum(connection, name):
                    # Damaged rows may not be found to be deleted one by one.
                    raise sqlite3.DatabaseError(f"the rows of {name} are malformed")
        except DamagedIndexError:
            return False
        self._whole[name] = now
        return True

    def _read_at(self, name: str, places: Iterable[tuple[int, int, int]]) -> list[tuple[int, Result]]:
        """Read the rows at some positions of the file. Raises `InputError` if the file has changed since."""
        path = self.project.run(name) / "results.jsonl"
        rows = []
        try:
            with open_plain(path) as file:
                for line, start, length in places:
                    file.seek(start)
                    rows.append((line, parse_row(file.read(length), path, line)))
        except OSError as error:
            raise _make_gone_error(path, error) from error
        return rows


@lru_cache(maxsize=8)
def open_results(project: Project) -> Results:
    """Return the indexed rows of a project; the same object for all pages, so that no run is indexed twice at once."""
    return Results(project)


def _make_gone_error(path: Path, error: OSError) -> NotThereError:
    what = f"cannot be read: {error.strerror or error}"
    return NotThereError([Problem(str(path), what, "It may have been deleted. Open the page again.")])


def _stamp(folder: Path) -> str:
    from chattest.records.version import VERSION

    return f"{VERSION} {make_stamp(*(folder / file for file in ('results.jsonl', 'report.json', 'run.json')))}"
