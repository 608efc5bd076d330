"""Every table of the TOML files of `rules` and `english` is read, so that no words stand there that decide nothing."""

import ast
import re
import tomllib
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from tests.support.paths import ROOT

FILES = sorted(path for folder in ("rules", "english") for path in (ROOT / "chattest" / folder).rglob("*.toml"))
READERS = {"word_set": "words", "read_word_list": "grammar", "knowledge": "values"}
"""Function -> the file that it reads without being told its name."""


@cache
def names_of_modules() -> list[frozenset[str]]:
    """The strings of each module, and the files that the functions it calls read."""
    sources = [path for folder in ("chattest", "training") for path in (ROOT / folder).rglob("*.py")]
    return [frozenset(_names(ast.parse(path.read_text(encoding="utf-8")))) for path in sources]


def _names(module: ast.Module) -> Iterator[str]:
    for node in ast.walk(module):
        if isinstance(node, ast.Constant) and isinstance(node.value, str):
            yield node.value
        elif isinstance(node, ast.ImportFrom):
            yield from (READERS[alias.name] for alias in node.names if alias.name in READERS)
            if node.module == "chattest.english.word_lists":
                yield from ("patterns" for alias in node.names if alias.name == "pattern")


def find_unread(file: str, tables: dict[str, Any], text: str) -> list[str]:
    """The names of tables that neither a module nor another table of the file names."""
    held = set(re.findall(r"%(\w+)%", text))
    return [name for name in tables if name not in held and not _is_named(file, name)]


def _is_named(*names: str) -> bool:
    return any(module.issuperset(names) for module in names_of_modules())


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_every_table_is_read(path: Path) -> None:
    text = path.read_text(encoding="utf-8")
    tables = tomllib.loads(text)
    assert tables
    assert find_unread(path.stem, tables, text) == []


WHOLE = {"contracted_verbs"}
"""Sections whose keys are words, and no names."""


@pytest.mark.parametrize("name", ["grammar", "patterns"])
def test_every_list_of_a_section_is_read(name: str) -> None:
    sections = tomllib.loads((ROOT / "chattest" / "english" / f"{name}.toml").read_text(encoding="utf-8"))
    assert len(sections) > 3
    lists = [(section, key) for section, held in sections.items() if section not in WHOLE for key in held]
    assert [row for row in lists if not _is_named(name, *row)] == []


def test_a_table_that_nothing_names_is_found() -> None:
    text = "asks = '''x%wh%'''\nwh = 'who'\nforgotten = 'y'"
    assert find_unread("questions", tomllib.loads(text), text) == ["forgotten"]
