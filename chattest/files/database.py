"""SQLite files that may be deleted at any time, as what they hold can be made anew: whether one is damaged."""

import sqlite3
from pathlib import Path

SIDES = ("", "-journal", "-wal", "-shm")
"""Endings of the files that belong to a database."""
WORDS = ("malformed", "not a database", "no such table", "no such column", "corrupt", "decode", "schema")
"""What an error says that comes from a damaged file; others come from a lock, a full disk or missing rights."""


def is_damage(error: sqlite3.Error) -> bool:
    """Return whether an error says that the file is damaged, so that it may be deleted and made anew."""
    if isinstance(error, sqlite3.OperationalError):
        return any(word in str(error) for word in WORDS)
    return isinstance(error, sqlite3.DatabaseError) and not isinstance(
        error, sqlite3.ProgrammingError | sqlite3.IntegrityError
    )


def is_ordinary(path: Path) -> None:
    """Raise `OSError` if a database or a file beside it is a link or no file: SQLite would write through it."""
    for side in SIDES:
        beside = path.with_name(path.name + side)
        if beside.is_symlink() or (beside.exists() and not beside.is_file()):
            raise OSError(f"{beside} is a symbolic link or no ordinary file, which is not followed; delete it")


def delete_database(path: Path) -> None:
    """Delete a database and the files beside it. Raises `OSError`."""
    for side in SIDES:
        path.with_name(path.name + side).unlink(missing_ok=True)
