"""TOML that a stranger wrote, as values; what its reader breaks over is refused as the rest is, by a `ValueError`."""

import re
import tomllib
from collections.abc import Sequence
from typing import Any


def toml_values(text: str) -> dict[str, Any]:
    """The values of a TOML text. Raises `ValueError` with what is wrong with it and where."""
    try:
        return tomllib.loads(text)
    except RecursionError:
        raise ValueError("brackets within brackets, too deep to be read") from None


def toml_line(text: str, place: Sequence[str | int]) -> int | None:
    """The line, from 1, on which the value at a place stands; that of its table where the key is missing there.

    text: TOML that can be read. place: names of keys and numbers of tables, as pydantic tells them. `None` where it is
    written in another way than with a table's head and a key at the beginning of a line.
    """
    lines = [line.strip() for line in text.splitlines()]
    names: list[str] = []
    start, end = 0, len(lines)
    for part in place:
        if isinstance(part, str):
            names.append(part)
            key = re.compile(rf"[\"']?{re.escape(part)}[\"']?\s*=")
            found = next((number for number in range(start, end) if key.match(lines[number])), None)
            if found is not None:
                return found + 1
            continue
        head = re.compile(rf"\[\[\s*{re.escape('.'.join(names))}\s*\]\]")
        heads = [number for number in range(start, end) if head.match(lines[number])]
        if part >= len(heads):
            break
        start = heads[part] + 1
        end = heads[part + 1] if part + 1 < len(heads) else end
    return start or None
