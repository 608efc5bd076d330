"""The sets of words and the patterns of the TOML files in this folder."""

import re
import tomllib
from functools import cache
from pathlib import Path
from typing import Any

_NAMED = re.compile(r"%(\w+)%")


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
    """Return the patterns that a table holds under a name, as one that ignores case.

    A pattern may hold another of its table: `%verb%` stands for the pattern `verb`.
    """
    return re.compile(_read_pattern(table, name), re.IGNORECASE)


def _read_pattern(table: str, name: str) -> str:
    patterns = read_table(table)[name]
    text = patterns if isinstance(patterns, str) else "|".join(patterns)
    return _NAMED.sub(lambda match: _read_pattern(table, match[1]), text)
