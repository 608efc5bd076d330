"""TOML that a stranger wrote, as values. What its reader breaks over is told as what it refuses is: as a `ValueError`."""

import tomllib
from typing import Any


def toml_values(text: str) -> dict[str, Any]:
    """The values of a TOML text. Raises `ValueError` with what is wrong with it and where."""
    try:
        return tomllib.loads(text)
    except RecursionError:
        raise ValueError("brackets within brackets, too deep to be read") from None
