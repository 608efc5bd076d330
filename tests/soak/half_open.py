"""Holds many half-open connections to `view`, and asks it for pages meanwhile as a normal visitor does.

    python -m tests.soak.half_open [--connections 200]

The connections begin requests that never end: with a line of a request, with headers that drip in, with a body that
does not come, with nothing, or they read no answer. Checked: every page that the visitor asks for is answered, the app
closes all half-open connections by itself, what it prints stays short, and so does its memory.
"""

import argparse
import os
import re
import resource
import selectors
import signal
import socket
import subprocess
import sys
import tempfile
import time
from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple
from urllib.parse import urlsplit

import httpx

from tests.support.stand_ins import ROOT

FILES = 512
"""Files that the app's process may have open: few, as on many machines."""
PATIENCE = 150.0
"""Seconds in which all half-open connections must be closed; the longest limit of the app is 60."""
MOST_PRINTED = 20_000
"""Characters that the app may print."""
MOST_MEMORY = 60_000_000
"""Bytes that its memory may grow by."""
BEGINNINGS = (
    b"",
    b"GET / HT",
    b"GET / HTTP/1.1\r\nHost: {host}\r\nX-Slow: ",
    b"POST /chat HTTP/1.1\r\nHost: {host}\r\nContent-Length: 1000\r\n\r\nbot=",
    b"\x16\x03\x01\x02\x00\x01",
)
"""What the connections send, in turn; the third goes on dripping."""
LIMITED = """
import runpy, sys
from chattest.web import connections
connections.HEADERS = connections.REQUEST = connections.UNREAD = float(sys.argv.pop(1))
runpy.run_module("chattest", run_name="__main__", alter_sys=True)
"""
"""`chattest` with one limit, in seconds, for all that a visitor may take."""


class Held(NamedTuple):
    """What came of it."""

    opened: int
    pages: int
    """Pages that the visitor was given meanwhile."""
    slowest: float
    """Seconds of the slowest one."""
    closed: int
    """Connections that the app had closed at the end."""
    printed: str
    growth: int
    """Bytes."""


def hold(folder: Path, connections: int, files: int = FILES, limit: float | None = None) -> Held:
    """Serve an empty project in a process of its own, and attack it.

    folder: an empty one. limit: seconds in place of the app's own limits, of which the longest is a minute.
    """
    (folder / "reports").mkdir(parents=True)
    log = folder / "printed"
    program = ["-m", "chattest"] if limit is None else ["-c", LIMITED, str(limit)]
    with log.open("wb") as output:
        app = subprocess.Popen(
            [sys.executable, *program, "view", "--no-open", "--port", "0"],
            cwd=folder,
            env=os.environ | {"PYTHONPATH": str(ROOT), "PYTHONUNBUFFERED": "1", "CHATTEST_VIEW_TOKEN": "soak"},
            stdout=output,
            stderr=subprocess.STDOUT,
            preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_NOFILE, (files, files)),
        )
    try:
        return _attack(app.pid, _address(log), connections, log)
    finally:
        app.send_signal(signal.SIGINT)
        try:
            app.wait(60)
        except subprocess.TimeoutExpired:
            app.kill()
            app.wait()


def _attack(pid: int, address: str, connections: int, log: Path) -> Held:
    with httpx.Client(base_url=address, timeout=60) as visitor:
        assert visitor.get("/", params={"token": "soak"}).status_code == 303
        before = _memory(pid)
        held = [_begin(address, BEGINNINGS[number % len(BEGINNINGS)]) for number in range(connections)]
        opened, pages, slowest = len(held), 0, 0.0
        give_up = time.monotonic() + PATIENCE
        while held and time.monotonic() < give_up:
            for path in ("/", "/testsets", "/static/view.js"):
                # A connection of its own each time, as of somebody who has just come.
                with httpx.Client(base_url=address, timeout=60, cookies=visitor.cookies) as other:
                    began = time.monotonic()
                    status = other.get(path).status_code
                    slowest = max(slowest, time.monotonic() - began)
                assert status == 200, (path, status)
                pages += 1
            held = [connection for connection in held if not _is_closed(connection)]
            time.sleep(0.2)
        growth = _memory(pid) - before
        for connection in held:
            connection.close()
    return Held(opened, pages, slowest, opened - len(held), log.read_text("utf-8", "replace"), growth)


def _begin(address: str, text: bytes) -> socket.socket:
    host, port = urlsplit(address).hostname, urlsplit(address).port
    connection = socket.create_connection((host, port), timeout=60)
    connection.sendall(text.replace(b"{host}", f"{host}:{port}".encode()))
    connection.setblocking(False)
    return connection


def _is_closed(connection: socket.socket) -> bool:
    """Whether the other end has closed; if not, one byte more is sent where the headers drip."""
    try:
        with selectors.DefaultSelector() as selector:
            selector.register(connection, selectors.EVENT_READ)
            while selector.select(0):
                if not connection.recv(65536):
                    connection.close()
                    return True
        connection.send(b"a")
    except BlockingIOError:
        return False
    except OSError:
        connection.close()
        return True
    return False


def _address(log: Path) -> str:
    give_up = time.monotonic() + 120
    while time.monotonic() < give_up:
        if known := re.search(r"(http://[^/]+)/\?token", log.read_text("utf-8")):
            return known[1]
        time.sleep(0.05)
    raise AssertionError(log.read_text("utf-8"))


def _memory(pid: int) -> int:
    """Return the bytes of memory that a process holds."""
    pages = int(Path(f"/proc/{pid}/statm").read_text().split()[1])
    return pages * resource.getpagesize()


def mistakes(held: Held) -> list[str]:
    """Return what did not hold."""
    checks = {
        "a normal visitor was given no page": held.pages > 0,
        f"{held.opened - held.closed} connections were still open after {PATIENCE:.0f} s": held.closed == held.opened,
        f"the app printed {len(held.printed):,} characters": len(held.printed) <= MOST_PRINTED,
        "the app printed a traceback": "Traceback" not in held.printed,
        f"its memory grew by {held.growth:,} bytes": held.growth <= MOST_MEMORY,
    }
    return [what for what, holds in checks.items() if not holds]


def main(arguments: Sequence[str] | None = None) -> int:
    """Attack, and print what came of it; 1 if something did not hold."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--connections", type=int, default=200)
    with tempfile.TemporaryDirectory() as folder:
        held = hold(Path(folder), parser.parse_args(arguments).connections)
    print(
        f"{held.opened} half-open connections, {held.closed} closed by the app; {held.pages} pages for a visitor "
        f"meanwhile, the slowest in {held.slowest:.2f} s; {len(held.printed):,} characters printed; "
        f"{held.growth / 1e6:.1f} MB more memory"
    )
    for mistake in mistakes(held):
        print(f"NOT HELD: {mistake}")
    return bool(mistakes(held))


if __name__ == "__main__":
    sys.exit(main())
