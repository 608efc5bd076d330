"""The index: one SQLite file in the folder of runs. It only repeats what the run folders hold, so it may be deleted."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from threading import Lock

from chattest.files.database import check_ordinary, delete_database, is_damage

FILE = ".view.sqlite"
"""The file, in the folder of runs."""
VERSION = 4
"""Version of the tables. A file with another version is replaced."""
TABLES = """
CREATE TABLE runs (name TEXT PRIMARY KEY, stamp TEXT NOT NULL, content TEXT NOT NULL);
CREATE TABLE indexed (name TEXT PRIMARY KEY, stamp TEXT NOT NULL, checksum TEXT NOT NULL);
CREATE TABLE results (
    run TEXT NOT NULL, line INTEGER NOT NULL, start INTEGER NOT NULL, length INTEGER NOT NULL,
    check_code TEXT NOT NULL, verdict TEXT NOT NULL, doubt INTEGER NOT NULL, conversation TEXT NOT NULL,
    number INTEGER NOT NULL, round INTEGER NOT NULL, testset TEXT NOT NULL, original INTEGER NOT NULL,
    scorer TEXT NOT NULL, value REAL, counts INTEGER NOT NULL,
    PRIMARY KEY (run, line)
) WITHOUT ROWID;
CREATE INDEX results_of_conversation ON results (run, number);
CREATE TABLE texts (run TEXT NOT NULL, line INTEGER NOT NULL, text TEXT NOT NULL, PRIMARY KEY (run, line));
CREATE TABLE overviews (name TEXT PRIMARY KEY, stamp TEXT NOT NULL, content TEXT NOT NULL);
"""
"""The tables of the index.

`runs`: a summary of each run for the table of runs. `indexed`: the runs whose rows are in `results`. `results`: the
position and length of each row in results.jsonl, with the columns that filters use. `original` is the first line with
the same original question, 0 without one. `scorer` and `value` are set if a threshold alone decides the verdict.
`counts` is 1 for a verdict that counts in the rate. `texts`: the searched text of each row, in lower case.
`overviews`: the overview of a run as HTML. A stamp shows whether a file is still the one that was read.
"""


class DamagedIndexError(sqlite3.DatabaseError):
    """The file was damaged and has been deleted; its contents must be read again."""


class Index:
    """The index of a folder of runs."""

    _making = Lock()

    def __init__(self, reports: Path) -> None:
        """Name the folder of runs. If it cannot be written, the index is kept in memory."""
        self.reports = reports
        self._memory: sqlite3.Connection | None = None

    @contextmanager
    def open(self) -> Iterator[sqlite3.Connection]:
        """Open a connection for one thread. Changes are committed at the end, or undone after an exception.

        Raises:
            DamagedIndexError: the file is damaged.
        """
        connection = self._connect()
        try:
            with connection:
                yield connection
        except sqlite3.Error as error:
            if connection is self._memory or not is_damage(error):
                raise
            with suppress(OSError):
                delete_database(self.reports / FILE)
            raise DamagedIndexError(f"{self.reports / FILE} was damaged: {error}") from error
        finally:
            if connection is not self._memory:
                connection.close()

    def _connect(self) -> sqlite3.Connection:
        if self._memory is not None:
            return self._memory
        path = self.reports / FILE
        for attempt in (1, 2):
            connection = None
            try:
                check_ordinary(path)
                connection = sqlite3.connect(path, timeout=30)
                with self._making:  # two threads that change its journal at once refuse each other
                    self._prepare(connection)
                return connection
            except OSError:  # a link or a folder has its name
                break
            except sqlite3.DatabaseError as error:  # damaged, of another form, or nowhere to write
                if connection is not None:
                    connection.close()
                if attempt == 1 and "locked" not in str(error):
                    with suppress(OSError):
                        delete_database(path)
        self._memory = sqlite3.connect(":memory:", check_same_thread=False)
        self._prepare(self._memory)
        return self._memory

    @staticmethod
    def _prepare(connection: sqlite3.Connection) -> None:
        if connection.execute("PRAGMA user_version").fetchone()[0] == VERSION:
            return
        connection.execute("PRAGMA journal_mode=WAL")
        connection.execute("BEGIN IMMEDIATE")
        if connection.execute("PRAGMA user_version").fetchone()[0] != VERSION:
            for (table,) in connection.execute("SELECT name FROM sqlite_master WHERE type = 'table'").fetchall():
                quoted = table.replace('"', '""')
                connection.execute(f'DROP TABLE "{quoted}"')
            for statement in TABLES.split(";"):
                connection.execute(statement)
            connection.execute(f"PRAGMA user_version = {VERSION}")
        connection.commit()


def make_stamp(*files: Path) -> str:
    """Return a stamp of files: their sizes, times and inodes. A missing file has a stamp, too."""
    parts = []
    for file in files:
        try:
            known = file.stat()
            parts.append(f"{known.st_size}.{known.st_mtime_ns}.{known.st_ino}")
        except OSError:
            parts.append("-")
    return " ".join(parts)
