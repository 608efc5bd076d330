"""Serve the app on this machine until Ctrl-C."""

from __future__ import annotations

import html
import secrets
import shutil
import signal
import socket
import sys
import tempfile
import threading
import webbrowser
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from threading import Timer
from urllib.parse import quote

from chattest.errors import InputError, Problem
from chattest.web.app import make_app
from chattest.web.project import Project
from chattest.web.security import LOOPBACK

PORT = 8484
"""The default port. If it is taken, the next free one is used."""
VISITORS_MAY = """\
Anybody who has this address can
- read every run, conversation and label in it, and download its files,
- label, judge again, tag runs, move them to the trash and empty it, and write test sets,
- talk to these bots and start runs with them: {bots}."""
"""Printed when other machines may connect."""
AND_COMMANDS = """
- run any program on this machine as you, and open any file and address that you can (--allow-commands)."""


def serve(project: Project, host: str, port: int, token: str, open_browser: bool) -> None:
    """Serve the app until Ctrl-C or SIGTERM.

    Args:
        project: the project to show.
        host: an address of this machine.
        port: 0 for any free port.
        token: what visitors must bring; a random one if empty.
        open_browser: whether to open the first page.

    Raises:
        InputError: the port cannot be used.
    """
    from chattest.web.connections import make_server

    token = token or secrets.token_urlsafe(24)
    listener = open_listener(host, port)
    name = f"[{host}]" if ":" in host else host
    address = f"http://{name}:{listener.getsockname()[1]}/?token={quote(token, safe='')}"
    print(f"{project.shown} is shown at {address}\nStop with Ctrl-C.", flush=True)
    if host not in ("localhost", "127.0.0.1", "::1"):
        print(_describe_permissions(project), flush=True)
    hosts = (*LOOPBACK, name) if host not in ("0.0.0.0", "::") else (*LOOPBACK, *_find_own_names())
    _stop_at_hangup()
    try:
        with _open_in_browser(address, open_browser):
            make_server(make_app(project, token, hosts)).run(sockets=[listener])
    except KeyboardInterrupt:  # Ctrl-C, or SIGTERM
        print("\nStopped.", file=sys.stderr)


def _stop_at_hangup() -> None:
    """Make the end of the terminal stop the app as SIGTERM does, so that the file with the token is deleted."""
    if threading.current_thread() is threading.main_thread() and signal.getsignal(signal.SIGHUP) is signal.SIG_DFL:
        signal.signal(signal.SIGHUP, lambda number, frame: signal.raise_signal(signal.SIGTERM))


@contextmanager
def _open_in_browser(address: str, wanted: bool) -> Iterator[None]:
    """Open an address in the user's browser, if wanted.

    The browser gets a file that only the user can read and that leads to the address. All users of the machine can see
    the arguments of a program, and the address holds the token.
    """
    if not wanted:
        yield
        return
    folder = Path(tempfile.mkdtemp(prefix="chattest-view-"))  # nobody else can enter it
    try:
        page = folder / "open.html"
        target = html.escape(address)
        page.write_text(
            f'<!DOCTYPE html><meta charset="utf-8"><title>chattest</title><meta http-equiv="refresh" '
            f'content="0; url={target}"><a href="{target}">Open chattest</a>\n',
            encoding="utf-8",
        )
        opening = Timer(0.5, webbrowser.open, [page.as_uri()])
        opening.daemon = True
        opening.start()
        yield
    finally:
        shutil.rmtree(folder, ignore_errors=True)


def _describe_permissions(project: Project) -> str:
    """Describe what a visitor can do."""
    from chattest.web.permissions import Permissions

    if project.allow_commands:
        return VISITORS_MAY.format(bots="all there are, with any options") + AND_COMMANDS
    try:
        bots = ", ".join(Permissions.of(project).names) or "none"
    except InputError:
        bots = "those that config.py names"
    return VISITORS_MAY.format(bots=bots)


def _find_own_names() -> tuple[str, ...]:
    """Return the names and addresses of this machine."""
    name = socket.gethostname()
    names = {name.lower()}
    with suppress(OSError):
        names |= {str(info[4][0]) for info in socket.getaddrinfo(name, None)}
    return tuple(sorted(f"[{each}]" if ":" in each else each for each in names))


def open_listener(host: str, port: int) -> socket.socket:
    """Return a socket that listens at the port. If the default port is taken, one of the next twenty is used."""
    wanted = [port] if port != PORT else range(PORT, PORT + 20)
    problem = ""
    for number in wanted:
        listener = socket.socket(socket.AF_INET6 if ":" in host else socket.AF_INET, socket.SOCK_STREAM)
        listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            listener.bind((host, number))
        except (OSError, OverflowError) as error:
            listener.close()
            problem = str(getattr(error, "strerror", None) or error)
            continue
        listener.listen(64)
        return listener
    raise InputError([Problem(f"--port {port}", f"cannot be used at {host}: {problem}", "Name another: --port 0")])
