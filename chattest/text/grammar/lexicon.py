"""Word lists of the metamorphic relations' rules, from `data/grammar.toml`."""

import tomllib
from functools import cache
from pathlib import Path

_FILE = Path(__file__).with_name("grammar.toml")


def known(part: str, name: str) -> frozenset[str]:
    """The words that a part's list of that name holds, in lower case."""
    return frozenset(_lists()[part][name].split())


@cache
def _lists() -> dict[str, dict[str, str]]:
    return tomllib.loads(_FILE.read_text(encoding="utf-8"))
