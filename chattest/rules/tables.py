"""The sets of words and the patterns of the TOML files in this folder."""

import re
import tomllib
from functools import cache
from pathlib import Path
from typing import Any


@cache
def read_table(name: str) -> dict[str, Any]:
    """Return what a TOML file of this folder holds. Callers must not change it."""
    return tomllib.loads((Path(__file__).parent / f"{name}.toml").read_text(encoding="utf-8"))


@cache
def word_set(name: str) -> frozenset[str]:
    """Return a set of words of `words.toml`."""
    return frozenset(read_table("words")[name].split())


@cache
def pattern(table: str, name: str) -> re.Pattern[str]:
    """Return the patterns that a table holds under a name, as one that ignores case."""
    patterns = read_table(table)[name]
    return re.compile(patterns if isinstance(patterns, str) else "|".join(patterns), re.IGNORECASE)
