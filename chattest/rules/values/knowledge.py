"""The words that values are read by, from `values.toml`."""

import tomllib
from functools import cache
from pathlib import Path
from typing import Any

_FILE = Path(__file__).with_name("values.toml")


@cache
def knowledge() -> dict[str, Any]:
    """The tables of `values.toml`."""
    return tomllib.loads(_FILE.read_text(encoding="utf-8"))


@cache
def function_words() -> frozenset[str]:
    """Words that are no name and no part of an answer."""
    return frozenset(word for line in knowledge()["words"]["function"] for word in line.split())
