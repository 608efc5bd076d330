"""A cache of scores on disk, so that no model scores the same text twice, even after a threshold has changed.

The key of a score is made from the model (its files, the code that reads them and the libraries' versions, see
`models/fingerprint.py`) and the texts, so no score is ever out of date. The file may be deleted at any time. It is an
SQLite database, which several processes can use at once. Scores are stored as JSON, each with a checksum, so that a bit
flipped on the disk cannot change a verdict.
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

from chattest.files.database import check_ordinary, delete_database, is_damage
from chattest.models.protocols import TOXICITY_LABELS, Relation, Span, YesNoReading

WRITE_TIMEOUT = 30.0
"""Seconds to wait while another process writes."""
QUERY_KEYS = 500
"""Keys in one query."""
VERSION = 2
"""The form of the tables; a file of another form is replaced."""
TABLES = """
DROP TABLE IF EXISTS scores;
DROP TABLE IF EXISTS files;
CREATE TABLE scores (key BLOB PRIMARY KEY, score BLOB NOT NULL, checksum BLOB NOT NULL) WITHOUT ROWID;
CREATE TABLE files (path TEXT PRIMARY KEY, state TEXT NOT NULL, digest BLOB NOT NULL, checksum BLOB NOT NULL)
    WITHOUT ROWID;
PRAGMA user_version = 2;
"""


def _checksum(*parts: bytes) -> bytes:
    """Return the checksum by which a damaged row is recognised."""
    return blake2b(b"".join(len(part).to_bytes(8, "big") + part for part in parts), digest_size=8).digest()


def _is_whole(checksum: Any, *parts: Any) -> bool:
    return all(isinstance(part, bytes) for part in parts) and checksum == _checksum(*parts)


class ScoreCache:
    """The file with the scores. A damaged row counts as missing, and a damaged file is replaced by a new one.

    If the file cannot be used at all, it is left alone, a note is printed and nothing is cached.
    """

    def __init__(self, path: Path) -> None:
        """Use a file, which is created on first use."""
        self.path = path
        self._lock = Lock()
        self._usable = True
        self._replaced = False
        self._opened: sqlite3.Connection | None = None

    def scores(self, keys: Collection[bytes]) -> dict[bytes, Any]:
        """Return the scores of the keys that are cached."""
        scores: dict[bytes, Any] = self._try(lambda: self._read(list(keys)), {})
        return scores

    def store(self, scores: Mapping[bytes, Any]) -> None:
        """Store scores, which must be JSON values."""
        texts = {key: json.dumps(score).encode() for key, score in scores.items()}
        rows = [(key, text, _checksum(key, text)) for key, text in texts.items()]
        self._try(lambda: self._write("INSERT OR REPLACE INTO scores VALUES (?, ?, ?)", rows), None)

    def digest(self, path: Path) -> bytes:
        """Hash a file's content to 16 bytes. An unchanged file is not read again. Raises `OSError`."""
        status = path.stat()
        name = str(path.resolve()).encode("utf-8", "backslashreplace").decode()
        state = f"{status.st_size} {status.st_mtime_ns} {status.st_ino}"
        stored: bytes | None = self._try(lambda: self._read_digest(name, state), None)
        if stored is not None:
            return stored
        with path.open("rb") as file:
            digest = file_digest(file, lambda: blake2b(digest_size=16)).digest()
        row = (name, state, digest, _checksum(name.encode(), state.encode(), digest))
        self._try(lambda: self._write("INSERT OR REPLACE INTO files VALUES (?, ?, ?, ?)", [row]), None)
        return digest

    def close(self) -> None:
        """Close the file. It is opened again when it is needed."""
        if self._opened is not None:
            self._opened.close()
            self._opened = None

    def _try(self, work: Callable[[], Any], otherwise: Any) -> Any:
        """Return the result of `work`, or `otherwise` if the database is unusable; print a note the first time."""
        with self._lock:
            if not self._usable:
                return otherwise
            try:
                return work()
            except sqlite3.Error as error:
                if not is_damage(error) or self._replaced:
                    return self._give_up(error, otherwise)
                what = f"Note: the score cache {self.path} was damaged ({error}) and is replaced by an empty one."
                print(what, file=sys.stderr)
            except (OSError, ValueError) as error:
                return self._give_up(error, otherwise)
            try:
                self._replace_file()
                return work()
            except (sqlite3.Error, OSError, ValueError) as error:
                return self._give_up(error, otherwise)

    def _give_up(self, error: Exception, otherwise: Any) -> Any:
        self._usable = False
        what = f"Note: the score cache {self.path} is not used ({error}); delete it if it is damaged."
        print(what, file=sys.stderr)
        return otherwise

    def _replace_file(self) -> None:
        self._replaced = True
        self.close()
        delete_database(self.path)

    @property
    def _connection(self) -> sqlite3.Connection:
        if self._opened is None:
            self.path.parent.mkdir(parents=True, exist_ok=True)
            check_ordinary(self.path)
            # The lock lets one thread use it at a time; `_write` begins transactions explicitly.
            self._opened = sqlite3.connect(self.path, WRITE_TIMEOUT, isolation_level=None, check_same_thread=False)
            self._opened.text_factory = bytes  # a damaged text may be no UTF-8
            if self._form() != VERSION:
                self._make_tables()
        return self._opened

    def _form(self) -> int:
        assert self._opened is not None
        return int(self._opened.execute("PRAGMA user_version").fetchone()[0])

    def _make_tables(self) -> None:
        assert self._opened is not None
        with self._opened as connection:
            connection.execute("BEGIN IMMEDIATE")
            if self._form() != VERSION:  # no other process was quicker
                for statement in TABLES.split(";"):
                    connection.execute(statement)

    def _read(self, keys: list[bytes]) -> dict[bytes, Any]:
        scores: dict[bytes, Any] = {}
        for begin in range(0, len(keys), QUERY_KEYS):
            chunk = keys[begin : begin + QUERY_KEYS]
            marks = ",".join("?" * len(chunk))
            rows = self._connection.execute(f"SELECT key, score, checksum FROM scores WHERE key IN ({marks})", chunk)
            scores.update((key, json.loads(score)) for key, score, checksum in rows if _is_whole(checksum, key, score))
        return scores

    def _write(self, statement: str, rows: Sequence[tuple[Any, ...]]) -> None:
        with self._connection:
            self._connection.execute("BEGIN IMMEDIATE")
            self._connection.executemany(statement, rows)

    def _read_digest(self, name: str, state: str) -> bytes | None:
        row = self._connection.execute(
            "SELECT digest, checksum FROM files WHERE path = ? AND state = ?", (name, state)
        ).fetchone()
        return row[0] if row and _is_whole(row[1], name.encode(), state.encode(), row[0]) else None


class _Form(NamedTuple):
    """How a kind of model is called, and how its scores are stored."""

    method: str
    """Name of the method that scores."""
    plain: Callable[[Any], Any]
    """Score -> JSON value."""
    score: Callable[[Any], Any]
    """JSON value -> score."""


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
    "inference": _Form("relations", astuple, lambda plain: Relation(*plain)),
    "same_question": _Form("same", float, float),
    "equivalence": _Form("equivalent", float, float),
}
"""Kind of model -> its form."""


class CachedModel:
    """A model that is called only for texts that are not cached, and loaded when it is first needed.

    It has the method of its kind of model, see `chattest.models.protocols`.
    """

    def __init__(self, kind: str, name: str, fingerprint: bytes, load: Callable[[], Any], cache: ScoreCache) -> None:
        """Wrap a model.

        Args:
            kind: Its kind.
            name: Its name in reports.
            fingerprint: Its fingerprint, see `chattest.models.fingerprint`.
            load: Returns the model; called when it is first needed.
            cache: Where its scores are stored.
        """
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
        cached = {}
        for key, plain in self._cache.scores(set(keys)).items():
            try:
                cached[key] = self._form.score(plain)
            except (TypeError, ValueError):  # a damaged entry counts as missing
                continue
        missing = {key: row for key, row in zip(keys, rows, strict=True) if key not in cached}
        if missing:
            if self._model is None:
                self._model = self._load()
            missing_scores = getattr(self._model, self._form.method)(*map(list, zip(*missing.values(), strict=True)))
            fresh = dict(zip(missing, missing_scores, strict=True))
            self._cache.store({key: self._form.plain(score) for key, score in fresh.items()})
            cached |= fresh
        return [cached[key] for key in keys]

    def _key(self, row: tuple[str, ...]) -> bytes:
        return blake2b(json.dumps(row).encode(), digest_size=16, key=self._fingerprint).digest()
