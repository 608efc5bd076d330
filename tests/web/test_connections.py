"""Visitors who begin requests and never end them, read no answer, or come in crowds: others are answered."""

import asyncio
import logging
import socket
import threading
import time
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import Any

import httpx
import pytest
from uvicorn import Server

from chattest.web import connections
from chattest.web.log import OnceASecond
from chattest.web.server import open_listener
from tests.soak import half_open

PATIENCE = 60.0
"""Seconds in which what happens after a limit of half a second must have happened."""


class Answering:
    """An app that answers `/`, waits at `/wait` until it may answer, and sends a lot at `/large`."""

    def __init__(self) -> None:
        self.waiting = threading.Semaphore(0)
        """Released for every request that has come."""
        self.go_on = threading.Event()

    async def __call__(self, scope: Any, receive: Any, send: Any) -> None:
        body = b""
        while (message := await receive())["type"] == "http.request":
            body += message["body"]
            if not message["more_body"]:
                break
        self.waiting.release()
        if scope["path"] == "/wait":
            while not self.go_on.is_set():
                await asyncio.sleep(0.01)
        await send({"type": "http.response.start", "status": 200, "headers": []})
        if scope["path"] == "/large":
            for _ in range(2000):
                await send({"type": "http.response.body", "body": b"x" * 100_000, "more_body": True})
        await send({"type": "http.response.body", "body": b"read " + body})


@pytest.fixture
def app() -> Answering:
    """The app."""
    return Answering()


@pytest.fixture
def listener() -> socket.socket:
    """The socket of the app."""
    return open_listener("127.0.0.1", 0)


@pytest.fixture
def port(server: Server, listener: socket.socket) -> int:
    """The port at which the app is served."""
    return int(listener.getsockname()[1])


@pytest.fixture
def server(app: Answering, listener: socket.socket, monkeypatch: pytest.MonkeyPatch) -> Iterator[Server]:
    """The app, served with short limits and 16 connections."""
    monkeypatch.setattr(connections, "MOST", 16)
    for limit in ("HEADERS", "REQUEST", "UNREAD"):
        monkeypatch.setattr(connections, limit, 0.5)
    server = connections.make_server(app)
    thread = threading.Thread(target=server.run, kwargs={"sockets": [listener]}, daemon=True)
    thread.start()
    while not server.started:
        time.sleep(0.01)
    yield server
    app.go_on.set()
    server.should_exit = True
    thread.join(timeout=30)


@contextmanager
def connected(port: int, text: bytes) -> Iterator[socket.socket]:
    """A connection that has sent something."""
    with socket.create_connection(("127.0.0.1", port), timeout=PATIENCE) as connection:
        connection.sendall(text)
        yield connection


def rest(connection: socket.socket) -> bytes:
    """What comes until the other end closes."""
    pieces = []
    try:
        while piece := connection.recv(65536):
            pieces.append(piece)
    except ConnectionResetError:
        pass
    return b"".join(pieces)


def drip(connection: socket.socket) -> None:
    """Send a byte again and again, until it fails or patience ends."""
    give_up = time.monotonic() + PATIENCE
    while time.monotonic() < give_up:
        connection.sendall(b"x")
        time.sleep(0.05)


@pytest.mark.parametrize(
    ("text", "answer"),
    [
        (b"", b""),
        (b"GET / HTTP/1.1\r\nHost: a", b"HTTP/1.1 408"),
        (b"POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 9\r\n\r\nabc", b""),
        (b"POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nabc", b""),
        (b"GET / HTTP/1.1\r\nHost: a\r\n\r\nGET / HTTP/1.1\r\nHo", b"HTTP/1.1 200"),
    ],
)
def test_a_request_that_does_not_end_is_ended(port: int, text: bytes, answer: bytes) -> None:
    with connected(port, text) as connection:
        assert rest(connection).startswith(answer)


def test_dripping_does_not_prolong_it(port: int) -> None:
    begun = connected(port, b"GET / HTTP/1.1\r\nHost: a\r\nX: ")
    with begun as connection, pytest.raises(OSError, match=r"reset|[Bb]roken"):
        drip(connection)


def test_a_request_in_pieces_is_answered(port: int) -> None:
    with connected(port, b"POST / HTTP/1.1\r\nHost: a\r\n") as connection:
        connection.sendall(b"Connection: close\r\nContent-Length: 6\r\n\r\nabc")
        connection.sendall(b"def")
        assert rest(connection).endswith(b"read abcdef\r\n0\r\n\r\n")


def test_a_slow_answer_is_waited_for(port: int, app: Answering) -> None:
    with connected(port, b"GET /wait HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n") as connection:
        assert app.waiting.acquire(timeout=PATIENCE)
        time.sleep(1.2)  # longer than every limit
        app.go_on.set()
        assert rest(connection).startswith(b"HTTP/1.1 200")


def test_who_reads_no_answer_is_left(port: int, server: Server, app: Answering) -> None:
    with connected(port, b"GET /large HTTP/1.1\r\nHost: a\r\n\r\n") as connection:
        assert app.waiting.acquire(timeout=PATIENCE)
        give_up = time.monotonic() + PATIENCE
        while server.server_state.connections and time.monotonic() < give_up:
            time.sleep(0.01)
        assert len(rest(connection)) < 2000 * 100_000


def test_half_open_connections_make_room(port: int) -> None:
    with ExitStack() as stack:
        held = [stack.enter_context(connected(port, b"GET / HT")) for _ in range(200)]
        for _ in range(10):
            assert httpx.get(f"http://127.0.0.1:{port}/", timeout=PATIENCE).status_code == 200
        for connection in held:
            rest(connection)  # all are closed by the app


def test_over_the_bound_one_is_told_and_others_go_on(port: int, app: Answering) -> None:
    with ExitStack() as stack:
        text = b"GET /wait HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n"
        held = [stack.enter_context(connected(port, text)) for _ in range(16)]
        for _ in held:
            assert app.waiting.acquire(timeout=PATIENCE)
        with connected(port, b"") as connection:
            assert rest(connection).startswith(b"HTTP/1.1 503")
        app.go_on.set()
        assert all(rest(connection).startswith(b"HTTP/1.1 200") for connection in held)
    assert httpx.get(f"http://127.0.0.1:{port}/", timeout=PATIENCE).status_code == 200


def test_the_log_says_a_thing_once_a_second(caplog: pytest.LogCaptureFixture) -> None:
    log = logging.getLogger("tests.web.connections")
    log.addFilter(OnceASecond(interval=3600))
    for number in range(1000):
        log.warning("Refused a connection: %d are open.", number)
        log.warning("Another thing.")
    assert [record.getMessage() for record in caplog.records] == ["Refused a connection: 0 are open.", "Another thing."]


def test_it_tells_how_many_it_left_out() -> None:
    log, said = OnceASecond(), []
    for second in (0.0, 0.1, 0.2, 1.5, 1.6, 9.0):
        record = logging.makeLogRecord({"name": "a", "msg": "Closed %d.", "args": (3,), "created": 100 + second})
        if log.filter(record):
            said.append(record.getMessage())
    assert said == ["Closed 3.", "Closed 3. (and 2 more)", "Closed 3. (and 1 more)"]


@pytest.mark.slow
def test_two_hundred_half_open_connections_keep_nobody_out(tmp_path: Path) -> None:
    held = half_open.hold(tmp_path, 200, limit=5)  # `make soak` waits for the app's own, a minute
    assert half_open.mistakes(held) == [], held
