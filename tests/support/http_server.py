"""A real web server on loopback whose answers the test decides."""

import json
import threading
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

import pytest


@dataclass
class Asked:
    """One request the server got."""

    method: str
    path: str
    headers: dict[str, str]
    body: Any


@dataclass
class Server:
    """A web server on loopback; `answer` says what each request gets: (status, headers, body)."""

    url: str = ""
    asked: list[Asked] = field(default_factory=list)
    answer: Callable[[Asked], tuple[int, dict[str, str], Any]] = lambda asked: (200, {}, {})


@pytest.fixture
def server() -> Iterator[Server]:
    """A real HTTP/1.1 server in a thread. Bodies: bytes and iterators of bytes go out as they are, others as JSON."""
    state = Server()

    class Handler(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"

        def log_message(self, *args: Any) -> None:
            pass

        def handle_any(self) -> None:
            content = self.rfile.read(int(self.headers.get("content-length", 0)))
            asked = Asked(self.command, self.path, dict(self.headers), json.loads(content) if content else None)
            state.asked.append(asked)
            status, headers, body = state.answer(asked)
            if status == 0:  # hang up without a word
                self.close_connection = True
                return
            if not isinstance(body, bytes | Iterator):
                body = json.dumps(body).encode()
            self.send_response(status)
            for name, value in headers.items():
                self.send_header(name, value)
            if isinstance(body, bytes):
                self.send_header("Content-Length", str(len(body)))
                self.end_headers()
                self.wfile.write(body)
                return
            self.send_header("Connection", "close")
            self.end_headers()
            try:
                for part in body:
                    self.wfile.write(part)
                    self.wfile.flush()
            except OSError:
                pass  # the other side has heard enough

        do_GET = do_POST = do_PUT = do_DELETE = handle_any  # noqa: N815 - the names http.server looks for

    running = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    running.daemon_threads = True
    thread = threading.Thread(target=running.serve_forever, kwargs={"poll_interval": 0.02})
    thread.start()
    state.url = f"http://127.0.0.1:{running.server_port}"
    yield state
    running.shutdown()
    running.server_close()
    thread.join()
