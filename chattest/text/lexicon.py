"""The shipped word lists and tables of `text/data/`."""

from collections.abc import Iterator
from functools import cache
from pathlib import Path

_DATA = Path(__file__).parent / "data"


def _read_lines(name: str) -> Iterator[str]:
    for line in (_DATA / f"{name}.txt").read_text("utf-8").splitlines():
        if line and not line.startswith("#"):
            yield line


@cache
def read_list(name: str) -> tuple[str, ...]:
    """Return a shipped list: the entries of `data/<name>.txt`, one per line or separated by commas.

    `#` begins a comment.
    """
    return tuple(entry for line in _read_lines(name) for entry in line.split(", "))


@cache
def read_set(name: str) -> frozenset[str]:
    """Return a shipped list as a set, to look many words up in it."""
    return frozenset(read_list(name))


@cache
def table(name: str) -> dict[str, tuple[str, ...]]:
    """Return a shipped table: the lines `key: value, value` of `data/<name>.txt`, in order."""
    rows = (line.split(": ", 1) for line in _read_lines(name))
    return {key: tuple(values.split(", ")) for key, values in rows}
