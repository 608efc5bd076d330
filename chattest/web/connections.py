"""Limit connections in number and in the time that a request may take to arrive.

uvicorn limits only the time between two requests. A visitor who begins a request and never ends it, or reads no
answer, would keep a connection for ever, and a few hundred of them would use up the files that the process may open.
"""

from __future__ import annotations

import asyncio
import resource
from enum import Enum
from time import monotonic
from typing import TYPE_CHECKING, Any

import h11
from uvicorn import Config, Server
from uvicorn.protocols.http.h11_impl import H11Protocol

from chattest.web.log import limit_logs

if TYPE_CHECKING:
    from starlette.types import ASGIApp

MOST = 128
"""Most connections that may be open at once, unless the system allows the process few files."""
WAITING = 64
"""Connections that the system holds until the app takes them."""
HEADERS = 10.0
"""Seconds within which the headers of a request must arrive."""
REQUEST = 60.0
"""Seconds within which the whole request must arrive."""
UNREAD = 60.0
"""Seconds that an answer waits for a visitor who does not read on."""
IDLE = 15
"""Seconds that a connection stays open after an answer."""
TOO_LATE = b"HTTP/1.1 408 Request Timeout\r\nConnection: close\r\nContent-Length: 0\r\n\r\n"
FULL = b"""\
HTTP/1.1 503 Service Unavailable\r\nConnection: close\r\nRetry-After: 5\r\nContent-Type: text/plain\r\n\r
Too many visitors at once. Try again in a moment.
"""


class Phase(Enum):
    """What a connection waits for."""

    HEADERS = "the rest of a request's headers"
    BODY = "the rest of a request"
    NOTHING = "an answer, or the next request"


class PatientProtocol(H11Protocol):
    """uvicorn's connection, with limits."""

    def __init__(self, *arguments: Any, **named: Any) -> None:
        """Pass on uvicorn's arguments."""
        super().__init__(*arguments, **named)
        self.phase = Phase.NOTHING
        self.begun = monotonic()
        self._limit: asyncio.TimerHandle | None = None
        self._unread: asyncio.TimerHandle | None = None

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        """Begin a connection. Refuse it if too many are open and all of them are being answered."""
        super().connection_made(transport)
        if len(self.connections) > most_connections() and not self._make_room():
            self.connections.discard(self)
            self.logger.warning("Refused a connection: %d are open, and all are being answered.", most_connections())
            transport.write(FULL)
            transport.close()
            return
        self._enter(Phase.HEADERS)

    def data_received(self, data: bytes) -> None:
        """Read what arrived, and set the time limit for what must come next."""
        if not self.transport.is_closing():
            super().data_received(data)
            self._look()

    def on_response_complete(self) -> None:
        """Set the time limit for the next request."""
        super().on_response_complete()
        self._look()

    def pause_writing(self) -> None:
        """Abort the connection if the visitor does not read on in time."""
        super().pause_writing()
        self._unread = self.loop.call_later(UNREAD, self.transport.abort)

    def resume_writing(self) -> None:
        """Continue an answer that was paused."""
        super().resume_writing()
        _cancel(self._unread)

    def connection_lost(self, exc: Exception | None) -> None:
        """Cancel the time limits."""
        _cancel(self._limit)
        _cancel(self._unread)
        super().connection_lost(exc)

    @property
    def waits(self) -> bool:
        """Whether no request of this connection is being answered."""
        return self.phase is Phase.HEADERS or self.cycle is None or self.cycle.response_complete

    def _look(self) -> None:
        """Set the time limit for what must come next. It keeps running while the same thing is awaited."""
        theirs = self.conn.their_state
        if theirs is h11.SEND_BODY:
            self._enter(Phase.BODY)
        elif theirs is h11.IDLE and self.conn.trailing_data[0]:
            self._enter(Phase.HEADERS)
        elif theirs is not h11.IDLE or self.phase is Phase.BODY or self.cycle is not None:
            self._enter(Phase.NOTHING)

    def _enter(self, phase: Phase) -> None:
        if phase is self.phase:
            return
        self.phase, self.begun = phase, monotonic()
        _cancel(self._limit)
        if phase is not Phase.NOTHING:
            self._limit = self.loop.call_later(HEADERS if phase is Phase.HEADERS else REQUEST, self._too_late)

    def _too_late(self) -> None:
        if self.phase is Phase.HEADERS and self.conn.trailing_data[0]:
            self.transport.write(TOO_LATE)
        # A request whose body does not come has its answer under way, or none at all: it ends without one.
        self.transport.close() if self.phase is Phase.HEADERS else self.transport.abort()

    def _make_room(self) -> bool:
        """Close the connection that has waited longest for its visitor. Return False if none waits."""
        others = [each for each in self.connections if isinstance(each, PatientProtocol) and each is not self]
        waiting = [each for each in others if each.waits]
        if not waiting:
            return False
        oldest = min(waiting, key=lambda each: each.begun)
        self.connections.discard(oldest)
        self.logger.warning("%d connections are open: closed the one that has waited longest.", most_connections())
        oldest.transport.abort()
        return True


def most_connections() -> int:
    """Return how many connections may be open: a quarter of the files that the process may open, at most `MOST`."""
    files, _ = resource.getrlimit(resource.RLIMIT_NOFILE)
    return MOST if files == resource.RLIM_INFINITY else max(4, min(MOST, files // 4))


def make_server(app: ASGIApp) -> Server:
    """Return a server for the app, with all limits."""
    limit_logs()
    config = Config(
        app,
        http=PatientProtocol,
        ws="none",
        log_level="warning",
        access_log=False,
        server_header=False,
        lifespan="off",
        timeout_keep_alive=IDLE,
        backlog=min(WAITING, most_connections()),
    )
    return Server(config)


def _cancel(timer: asyncio.TimerHandle | None) -> None:
    if timer is not None:
        timer.cancel()
