"""Serves the app on this machine until Ctrl-C."""

from __future__ import annotations

import secrets
import socket
import webbrowser
from contextlib import suppress
from threading import Timer

from chattest.errors import InputError, Problem
from chattest.web.app import make_app
from chattest.web.project import Place
from chattest.web.security import LOOPBACK

PORT = 8484
"""The port unless the user names another; the next free one if it is taken."""


def serve(place: Place, host: str, port: int, token: str, open_browser: bool) -> None:
    """Serves until Ctrl-C.

    host: an address of this machine; others than loopback need a token, which is made if none is given. port: 0 for
    any. open_browser: whether to open the first page. Raises `InputError` if the port cannot be used.
    """
    import uvicorn

    at_home = host in ("localhost", "127.0.0.1", "::1")
    token = token or ("" if at_home else secrets.token_urlsafe(16))
    listener = _listener(host, port)
    name = f"[{host}]" if ":" in host else host
    address = f"http://{name}:{listener.getsockname()[1]}/{f'?token={token}' if token else ''}"
    print(f"{place.shown} is shown at {address}\nStop with Ctrl-C.", flush=True)
    if not at_home:
        print("Anybody who has this address sees every run and can talk to your bots.", flush=True)
    if open_browser:
        opening = Timer(0.5, webbrowser.open, [address])
        opening.daemon = True
        opening.start()
    hosts = (*LOOPBACK, name) if host not in ("0.0.0.0", "::") else (*LOOPBACK, *_own_names())
    app = make_app(place, hosts, token)
    config = uvicorn.Config(app, log_level="warning", access_log=False, server_header=False, lifespan="off")
    uvicorn.Server(config).run(sockets=[listener])


def _own_names() -> tuple[str, ...]:
    """The names and addresses of this machine."""
    name = socket.gethostname()
    found = {name.lower()}
    with suppress(OSError):
        found |= {str(info[4][0]) for info in socket.getaddrinfo(name, None)}
    return tuple(sorted(f"[{one}]" if ":" in one else one for one in found))


def _listener(host: str, port: int) -> socket.socket:
    """A socket that listens at a port, or at one of the next twenty if it is taken and nobody asked for it."""
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
        listener.listen(128)
        return listener
    raise InputError([Problem(f"--port {port}", f"cannot be used at {host}: {problem}", "Name another: --port 0")])
