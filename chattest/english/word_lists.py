"""Read the word lists of the grammar rules from `grammar.toml`."""

import tomllib
from functools import cache
from pathlib import Path

_FILE = Path(__file__).with_name("grammar.toml")


def read_word_list(part: str, name: str) -> frozenset[str]:
    """Return the words of the list `name` in a section of the file, in lower case."""
    return frozenset(_lists()[part][name].split())


@cache
def _lists() -> dict[str, dict[str, str]]:
    return tomllib.loads(_FILE.read_text(encoding="utf-8"))
