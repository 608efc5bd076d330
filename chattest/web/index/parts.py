"""What the index says of the rows of a run: sums of them, how far it has come, and whether it is undamaged."""

from __future__ import annotations

import sqlite3
from dataclasses import dataclass, field
from hashlib import blake2b
from threading import Event

from chattest.errors import ChattestError


@dataclass(frozen=True, slots=True)
class Sums:
    """Rows of one check whose verdicts one scorer decides."""

    check: str
    scorer: str
    """Empty where it takes more than a threshold."""
    rows: int
    counted: int
    """How many count in the rate."""
    passed: int
    """How many of those passed."""
    lowest: float | None
    highest: float | None
    """The ends of their values."""


@dataclass(slots=True)
class Reading:
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


def checksum(connection: sqlite3.Connection, name: str) -> str:
    """Return the checksum of what the index holds of a run, as a bit that turned must not become a verdict."""
    found = blake2b(digest_size=8)
    for query in (
        "* FROM results WHERE run = ? ORDER BY line",
        "number, line FROM results INDEXED BY results_of_conversation WHERE run = ? ORDER BY number, line",
        "* FROM texts WHERE run = ? ORDER BY line",
        "* FROM overviews WHERE name = ?",
    ):
        for row in connection.execute(f"SELECT {query}", [name]):
            found.update(repr(row).encode("utf-8", "backslashreplace"))
    return found.hexdigest()
