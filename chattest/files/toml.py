"""Read TOML that a user wrote: its values, and the line of each."""

import json
import re
import sys
import tomllib
from collections.abc import Iterator, Sequence
from functools import cache
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from tree_sitter import Node, Parser

MOST_PARTS = 100
"""Largest number of parts of a dotted key; the time of `tomllib` grows with their square."""
_PART = r"""(?:[A-Za-z0-9_-]++|"[^"\\\n]*+(?:\\.[^"\\\n]*+)*+"|'[^'\n]*+')"""
_LONG_KEY = re.compile(
    rf"""(?P<long>{_PART}(?:[ \t]*+\.[ \t]*+{_PART}){{{MOST_PARTS},}}+)"""
    r"""|\"{3}(?:[^"\\]|\\.|"(?!""))*+(?:\"{3})?|'{3}(?:[^']|'(?!''))*+(?:'{3})?"""
    r"""|"[^"\\\n]*+(?:\\.[^"\\\n]*+)*+"|'[^'\n]*+'|\#[^\n]*+|[A-Za-z0-9_.-]++""",
    re.DOTALL,
)
"""A key of too many parts, or a text, comment or word that may contain something like it."""

_LONG_NUMBER = re.compile(r"0[xob][0-9A-Fa-f_]{1000}")
"""A whole number that Python may refuse to write in decimal digits, or a text that looks like one."""

Path = tuple[str | int, ...]
"""Keys, and indices from 0, that lead to a value."""


def parse_toml(text: str) -> dict[str, Any]:
    """Return the values of a TOML text.

    Raises:
        ValueError: says what is wrong with the text, and where.
    """
    keys = _LONG_KEY.finditer(text) if text.count(".") >= MOST_PARTS else ()
    long = next((match for match in keys if match["long"]), None)
    if long is not None:
        line = text.count("\n", 0, long.start()) + 1
        raise ValueError(f"a key of more than {MOST_PARTS} parts joined by dots (at line {line})")
    try:
        values = tomllib.loads(text)
        if _LONG_NUMBER.search(text):
            json.dumps(values, default=str)  # raises where Python could not write the number in decimal digits
        return values
    except RecursionError:
        raise ValueError("brackets within brackets, too deep to be read") from None
    except MemoryError:
        raise ValueError("more than the memory holds") from None
    except ValueError as error:
        if "integer string conversion" in str(error):
            raise ValueError(f"a whole number of more than {sys.get_int_max_str_digits():,} digits") from None
        raise


def write_toml(value: Any) -> str:
    """Return a value as TOML writes it on one line. In tables and lists `None` is left out.

    Args:
        value: of the kinds that JSON has; `None` itself becomes `None`, which `--set` understands.
    """
    if value is None:
        return "None"
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, str):
        return json.dumps(value, ensure_ascii=False).replace("\x7f", "\\u007f")
    if isinstance(value, dict):
        pairs = (f"{_quote_key(key)} = {write_toml(entry)}" for key, entry in value.items() if entry is not None)
        return f"{{{', '.join(pairs)}}}"
    if isinstance(value, list | tuple):
        return f"[{', '.join(write_toml(entry) for entry in value if entry is not None)}]"
    return repr(value)


def _quote_key(name: str) -> str:
    return name if re.fullmatch(r"[A-Za-z0-9_-]+", name) else write_toml(str(name))


def find_toml_line(text: str, path: Sequence[str | int]) -> int | None:
    """Return the line, from 1, of the value at a path; of the innermost part around it if it is missing.

    Args:
        text: TOML that `parse_toml` reads.
        path: keys, and indices from 0, as pydantic gives them.

    Returns:
        The line; `None` if nothing of the path is in the text.
    """
    # tree-sitter, because tomllib, rtoml and tomlkit read values without their lines (tomlkit's issue 55).
    best, line = 0, None
    for node_path, node in _find_statements(_make_parser().parse(text.encode()).root_node, tuple(path)):
        if len(node_path) > best:
            best, line = len(node_path), node.start_point.row + 1
    return line


@cache
def _make_parser() -> "Parser":
    import tree_sitter_toml
    from tree_sitter import Language, Parser

    return Parser(Language(tree_sitter_toml.language()))


def _find_statements(root: "Node", wanted: Path) -> Iterator[tuple[Path, "Node"]]:
    """Yield path and node of everything in a document that is on the wanted path."""
    lengths: dict[Path, int] = {}
    """Lists of tables, `[[name]]`, and how many tables they have so far."""
    for node in root.named_children:
        table: Path = ()
        if node.type == "table_array_element":
            *outer, name = _split_keys(node.named_children[0])
            tables = (*_resolve(outer, lengths), name)
            lengths[tables] = lengths.get(tables, 0) + 1
            table = (*tables, lengths[tables] - 1)
        elif node.type == "table":
            table = _resolve(_split_keys(node.named_children[0]), lengths)
        if table and table == wanted[: len(table)]:
            yield table, node
        for pair in [node] if node.type == "pair" else node.named_children:
            if pair.type == "pair":
                yield from _search_pair(pair, table, wanted)


def _resolve(keys: Sequence[str], lengths: dict[Path, int]) -> Path:
    """Return the path of a table's name: the name of a list of tables means its last table."""
    path: Path = ()
    for key in keys:
        path = (*path, key)
        if path in lengths:
            path = (*path, lengths[path] - 1)
    return path


def _search_pair(pair: "Node", table: Path, wanted: Path) -> Iterator[tuple[Path, "Node"]]:
    key, value = [node for node in pair.named_children if node.type != "comment"]
    path = (*table, *_split_keys(key))
    if path == wanted[: len(path)]:
        yield path, pair
        yield from _search_value(value, path, wanted)


def _search_value(value: "Node", path: Path, wanted: Path) -> Iterator[tuple[Path, "Node"]]:
    if value.type == "inline_table":
        for pair in value.named_children:
            if pair.type == "pair":
                yield from _search_pair(pair, path, wanted)
    elif value.type == "array" and len(path) < len(wanted):
        entries = [node for node in value.named_children if node.type != "comment"]
        number = wanted[len(path)]
        if isinstance(number, int) and number < len(entries):
            yield (*path, number), entries[number]
            yield from _search_value(entries[number], (*path, number), wanted)


def _split_keys(node: "Node") -> tuple[str, ...]:
    """Return the keys of a name such as `a."b.c"`, which tomllib reads with all its quotes and escapes."""
    assert node.text is not None
    inner: Any = tomllib.loads(f"{node.text.decode()} = 0")
    keys: tuple[str, ...] = ()
    while isinstance(inner, dict):
        ((key, inner),) = inner.items()
        keys = (*keys, key)
    return keys
