"""Keep a process from the network: it reaches its own machine and nothing else."""

import sys
from typing import Any

OWN = {"127.0.0.1", "::1", "localhost"}


def forbid_network() -> None:
    """Raise in this process, from now on, when anything looks up or calls another machine."""
    sys.addaudithook(_refuse_strangers)


def _refuse_strangers(event: str, arguments: tuple[Any, ...]) -> None:
    if event == "socket.getaddrinfo" and arguments[0] not in {*OWN, None}:
        raise PermissionError(f"{arguments[0]} was looked up; an example reaches no other machine")
    if event == "socket.connect" and isinstance(arguments[1], tuple) and arguments[1][0] not in OWN:
        raise PermissionError(f"{arguments[1][0]} was called; an example reaches no other machine")
