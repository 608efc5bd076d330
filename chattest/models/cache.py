"""Scores on disk, so that a text that a model has judged once is not judged again: not in the next run either, and
not after a threshold was changed.

A score is found by what it was made from: the model (its files, the code that reads them and the libraries' versions,
see `models/fingerprint.py`) and the texts. Nothing must ever be deleted for being out of date; the whole file may be
deleted at any time. It is an SQLite database and may be used by several processes at once. Scores are kept as JSON.
"""

import json
import sqlite3
import sys
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import astuple
from hashlib import blake2b, file_digest
from pathlib import Path
from threading import Lock
from typing import Any, NamedTuple

from chattest.models.protocols import TOXICITY_LABELS, Span, YesNoReading

PATIENCE = 30.0
"""Seconds to wait for another process that is writing."""
AT_ONCE = 500
"""Keys in one question to the database."""
TABLES = """
CREATE TABLE IF NOT EXISTS scores (key BLOB PRIMARY KEY, score TEXT NOT NULL) WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS files (path TEXT PRIMARY KEY, state TEXT NOT NULL, digest BLOB NOT NULL) WITHOUT ROWID;
"""


class ScoreCache:
    """The file with the scores. One that is damaged or cannot be used is left alone, with a note: nothing is cached."""

    def __init__(self, path: Path) -> None:
        """path: the file; made when it is first used and not there."""
        self.path = path
        self._lock = Lock()
        self._usable = True
        self._opened: sqlite3.Connection | None = None

    def scores(self, keys: Collection[bytes]) -> dict[bytes, Any]:
        """The scores there are, by key."""
        found: dict[bytes, Any] = self._try(lambda: self._read(list(keys)), {})
        return found

    def keep(self, scores: Mapping[bytes, Any]) -> None:
        """Adds scores, plain JSON values."""
        rows = [(key, json.dumps(score)) for key, score in scores.items()]
        self._try(lambda: self._write("INSERT OR REPLACE INTO scores VALUES (?, ?)", rows), None)

    def digest(self, path: Path) -> bytes:
        """What is in a file, in 16 bytes; a file that has not changed since is not read again.

        Raises `OSError` where it cannot be read.
        """
        found = path.stat()
        name, state = str(path.resolve()), f"{found.st_size} {found.st_mtime_ns} {found.st_ino}"
        known: bytes | None = self._try(lambda: self._known_digest(name, state), None)
        if known is not None:
            return known
        with path.open("rb") as file:
            digest = file_digest(file, lambda: blake2b(digest_size=16)).digest()
        self._try(lambda: self._write("INSERT OR REPLACE INTO files VALUES (?, ?, ?)", [(name, state, digest)]), None)
        return digest

    def _try(self, work: Callable[[], Any], otherwise: Any) -> Any:
        """What `work` gives; `otherwise` where there is no usable database, which is told once."""
        with self._lock:
            if not self._usable:
                return otherwise
            try:
                return work()
            except (sqlite3.Error, OSError, ValueError) as error:
                self._usable = False
                print(
                    f"Note: the score cache {self.path} is not used ({error}); delete it if it is damaged.",
                    file=sys.stderr,
                )
                return otherwise

    @property
    def _connection(self) -> sqlite3.Connection:
        if self._opened is None:
            self.path.parent.mkdir(parents=True, exist_ok=True)
            # Used by one thread at a time, see the lock; transactions are begun by hand.
            self._opened = sqlite3.connect(self.path, PATIENCE, isolation_level=None, check_same_thread=False)
            self._opened.executescript(TABLES)
        return self._opened

    def _read(self, keys: list[bytes]) -> dict[bytes, Any]:
        found: dict[bytes, Any] = {}
        for begin in range(0, len(keys), AT_ONCE):
            some = keys[begin : begin + AT_ONCE]
            marks = ",".join("?" * len(some))
            rows = self._connection.execute(f"SELECT key, score FROM scores WHERE key IN ({marks})", some)
            found.update((key, json.loads(score)) for key, score in rows)
        return found

    def _write(self, statement: str, rows: Sequence[tuple[Any, ...]]) -> None:
        with self._connection:
            self._connection.execute("BEGIN IMMEDIATE")
            self._connection.executemany(statement, rows)

    def _known_digest(self, name: str, state: str) -> bytes | None:
        found = self._connection.execute(
            "SELECT digest FROM files WHERE path = ? AND state = ?", (name, state)
        ).fetchone()
        return found[0] if found else None


class _Form(NamedTuple):
    """How a kind of model is asked, and how its scores stand in the cache."""

    method: str
    plain: Callable[[Any], Any]
    score: Callable[[Any], Any]


FORMS = {
    "reader": _Form("read", astuple, lambda plain: Span(*plain)),
    "similarity": _Form("similarity", float, float),
    "match": _Form("match", float, float),
    "yes_no": _Form("read", astuple, lambda plain: YesNoReading(*plain)),
    "toxicity": _Form(
        "labels",
        lambda labels: [labels[label] for label in TOXICITY_LABELS],
        lambda plain: dict(zip(TOXICITY_LABELS, plain, strict=True)),
    ),
    "coherence": _Form("coherence", float, float),
}
"""Kind of model -> its form."""


class Remembering:
    """Stands before a model and asks it only what the cache does not know; until then the model is not even loaded.

    It has the one method that its kind of model has, see `chattest.models.protocols`.
    """

    def __init__(self, kind: str, name: str, fingerprint: bytes, load: Callable[[], Any], cache: ScoreCache) -> None:
        """fingerprint: of the model. load: gives the model when first needed; its errors are raised then."""
        self.name = name
        self._form = FORMS[kind]
        self._fingerprint = fingerprint
        self._load = load
        self._cache = cache
        self._model: Any = None
        setattr(self, self._form.method, self._scores)

    def _scores(self, *columns: Sequence[str]) -> list[Any]:
        rows = list(zip(*columns, strict=True))
        keys = [self._key(row) for row in rows]
        known = {}
        for key, plain in self._cache.scores(set(keys)).items():
            try:
                known[key] = self._form.score(plain)
            except (TypeError, ValueError):  # not what was written there: as if it were not there
                continue
        missing = {key: row for key, row in zip(keys, rows, strict=True) if key not in known}
        if missing:
            if self._model is None:
                self._model = self._load()
            found = getattr(self._model, self._form.method)(*map(list, zip(*missing.values(), strict=True)))
            fresh = dict(zip(missing, found, strict=True))
            self._cache.keep({key: self._form.plain(score) for key, score in fresh.items()})
            known |= fresh
        return [known[key] for key in keys]

    def _key(self, row: tuple[str, ...]) -> bytes:
        return blake2b(json.dumps(row).encode(), digest_size=16, key=self._fingerprint).digest()
