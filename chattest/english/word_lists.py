"""Read the word lists and the patterns of the grammar rules, from `grammar.toml` and `patterns.toml`."""

import re
import tomllib
from functools import cache
from pathlib import Path
from typing import Any


def read_word_list(part: str, name: str) -> frozenset[str]:
    """Return the words of the list `name` in a section of `grammar.toml`, in lower case."""
    return frozenset(read_table("grammar")[part][name].split())


@cache
def pattern(part: str, name: str) -> re.Pattern[str]:
    """Return a pattern of a section of `patterns.toml`, with the list that it may be joined by "|"."""
    ways = read_table("patterns")[part][name]
    return re.compile(ways if isinstance(ways, str) else "|".join(ways))


@cache
def read_table(name: str) -> dict[str, Any]:
    """Return what a TOML file of this folder holds. Callers must not change it."""
    return tomllib.loads(Path(__file__).with_name(f"{name}.toml").read_text(encoding="utf-8"))
