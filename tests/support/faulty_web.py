"""A web service that fails in many ways, over real sockets, and keeps a record of what it did."""

import json
import socket
import struct
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from threading import Lock, Thread
from typing import Any

LATE = 1.5
"""Seconds after which a late service answers."""
BIG = 50_000_000
"""Bytes of an overlong answer."""


def answer(status: int, body: bytes, *headers: str, length: int | None = None) -> bytes:
    """A whole answer as it goes over the wire; length: what it says of its body's, if that is not true."""
    head = [f"HTTP/1.1 {status} X", f"Content-Length: {len(body) if length is None else length}", *headers]
    return "\r\n".join([*head, "", ""]).encode() + body


def said(value: Any) -> bytes:
    """An answer with a JSON body that has the value where the reply is expected."""
    return answer(200, json.dumps({"text": value}).encode(), "Content-Type: application/json")


AGAIN = {
    "429": answer(429, b"slow down", "Retry-After: 0"),
    "500": answer(500, b"<h1>Internal Server Error</h1>"),
    "502": answer(502, b""),
    "503": answer(503, b'{"error": "overloaded"}'),
    "drops the connection": b"",
    "resets the connection": b"RESET",
    "half an answer": answer(200, b'{"text": "hel', length=500),
    "no HTTP": b"220 mail.example.org ESMTP\r\n",
}
"""What may pass: the request is repeated."""

FOR_GOOD = {
    "404": answer(404, b"no such bot"),
    "HTML instead of JSON": answer(200, b"<!doctype html><p>Please log in", "Content-Type: text/html"),
    "JSON cut short": answer(200, b'{"text": "hel'),
    "invalid UTF-8": answer(200, b'{"text": "caf\xe9 \xff\xfe"}', "Content-Type: application/json"),
    "no body": answer(200, b""),
    "null": answer(200, b"null"),
    "null as reply": said(None),
    "a number": said(7),
    "a list of numbers": said([1, 2]),
    "another place": answer(200, b'{"message": "hello"}'),
    "no gzip": answer(200, b"plain", "Content-Encoding: gzip"),
    "moved to another host": answer(302, b"", "Location: http://127.0.0.1:1/"),
    "50 MB": b"BIG",
    "late": b"LATE",
    "never": b"NEVER",
}
"""What ends the conversation with an ERROR."""

FAULTS = AGAIN | FOR_GOOD

Choose = Callable[[str, int], str]
"""Conversation and number of the request in it, from 0 -> the fault's name, or '' for none."""


@dataclass
class Service:
    """What the service does, and what it did."""

    choose: Choose
    late: float = LATE
    url: str = ""
    requests: list[tuple[str, str, str, str]] = field(default_factory=list)
    """Conversation, what the bot was told, the fault's name, the reply; in order of arrival."""
    lock: Lock = field(default_factory=Lock)
    seen: dict[str, int] = field(default_factory=dict)

    def decide(self, conversation: str, told: str) -> tuple[str, str]:
        """The fault's name and the reply for the next request, which are recorded."""
        with self.lock:
            number = self.seen.get(conversation, 0)
            self.seen[conversation] = number + 1
            fault = self.choose(conversation, number)
            reply = "" if fault else f"Reply {len(self.requests)} to {told}"
            self.requests.append((conversation, told, fault, reply))
        return fault, reply


@contextmanager
def serving(choose: Choose, late: float = LATE) -> Iterator[Service]:
    """The service on loopback, answering `{"id": ..., "text": ...}` with `{"text": ...}`."""
    service = Service(choose, late)

    class Handler(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"
        disable_nagle_algorithm = True

        def log_message(self, *ignored: Any) -> None: ...

        def do_POST(self) -> None:
            asked = json.loads(self.rfile.read(int(self.headers["content-length"])))
            fault, reply = service.decide(asked["id"], asked["text"])
            with suppress(OSError):  # the other side may have had enough
                self._send(FAULTS[fault] if fault else said(reply), bool(fault))

        def _send(self, wire: bytes, close: bool) -> None:
            self.close_connection = close
            if wire == b"RESET":
                self.connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
                self.connection.close()
            elif wire == b"BIG":
                self.wfile.write(answer(200, b'{"text": "', length=BIG))
                for _ in range(BIG // 100_000):
                    self.wfile.write(b"x" * 100_000)
            elif wire == b"LATE":
                time.sleep(service.late)
                self.wfile.write(said("Sorry, what was the question?"))
            elif wire == b"NEVER":
                time.sleep(3 * service.late)
            else:
                self.wfile.write(wire)

    class Server(ThreadingHTTPServer):
        request_queue_size = 128
        daemon_threads = True

        def handle_error(self, request: Any, client_address: Any) -> None: ...  # hanging up is what it is for

    running = Server(("127.0.0.1", 0), Handler)
    thread = Thread(target=running.serve_forever, kwargs={"poll_interval": 0.02})
    thread.start()
    service.url = f"http://127.0.0.1:{running.server_port}/chat"
    try:
        yield service
    finally:
        running.shutdown()
        running.server_close()
        thread.join()


def options(url: str, **more: Any) -> dict[str, Any]:
    """Options of the chatter `http` for this service."""
    body = {"id": "{conversation_id}", "text": "{last}"}
    return {"url": url, "body": body, "timeout": 10.0, "backoff": 0.01, "retries": 3} | more
