"""SQLite files that may be deleted at any time, because their content can be computed again."""

import sqlite3
from pathlib import Path

SIDES = ("", "-journal", "-wal", "-shm")
"""Endings of the files that belong to a database."""
WORDS = ("malformed", "not a database", "no such table", "no such column", "corrupt", "decode", "schema")
"""Words in the errors of a damaged file; other errors come from a lock, a full disk or missing rights."""


def is_damage(error: sqlite3.Error) -> bool:
    """Return True if an error means that the file is damaged, so that it may be deleted and made again."""
    if isinstance(error, sqlite3.OperationalError):
        return any(word in str(error) for word in WORDS)
    return isinstance(error, sqlite3.DatabaseError) and not isinstance(
        error, sqlite3.ProgrammingError | sqlite3.IntegrityError
    )


def check_ordinary(path: Path) -> None:
    """Raise `OSError` if a database or one of its files is a link or no file: SQLite would write through it."""
    for side in SIDES:
        beside = path.with_name(path.name + side)
        if beside.is_symlink() or (beside.exists() and not beside.is_file()):
            raise OSError(f"{beside} is a symbolic link or no ordinary file, which is not followed; delete it")


def delete_database(path: Path) -> None:
    """Delete a database and its other files. Raises `OSError`."""
    for side in SIDES:
        path.with_name(path.name + side).unlink(missing_ok=True)
