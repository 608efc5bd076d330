"""Print what the app has to say; whatever visitors can cause is printed once a second at most."""

from __future__ import annotations

import logging
import traceback

from chattest.credentials import mask_secrets

LOGS = ("uvicorn.error", "asyncio", "chattest.web")
"""The logs in which visitors can have something written."""


class OnceASecond(logging.Filter):
    """Let a message pass once a second; the next one says how many like it were left out."""

    def __init__(self, interval: float = 1.0) -> None:
        """Set the time between two messages of a kind, in seconds."""
        super().__init__()
        self.interval = interval
        self._last: dict[tuple[str, str], tuple[float, int]] = {}

    def filter(self, record: logging.LogRecord) -> bool:
        """Return True if the message is printed. Messages that differ only in their values are of one kind."""
        kind = (record.name, str(record.msg)[:100])
        last, more = self._last.get(kind, (0.0, 0))
        if last and record.created - last < self.interval and record.created >= last:
            self._last[kind] = (last, more + 1)
            return False
        self._last[kind] = (record.created, 0)
        if more:
            record.msg = f"{record.getMessage()} (and {more:,} more)"
            record.args = None
        return True


def limit_logs() -> None:
    """Limit all logs in which visitors can have something written. Repeated calls change nothing."""
    for name in LOGS:
        log = logging.getLogger(name)
        if not any(isinstance(each, OnceASecond) for each in log.filters):
            log.addFilter(OnceASecond())


def log_bug(error: Exception) -> None:
    """Print the traceback of a bug to stderr, without secrets."""
    text = mask_secrets("".join(traceback.format_exception(error)))
    logging.getLogger("chattest.web").error("%s", text.rstrip())
