"""Read the cells of a row: texts, accepted answers, options."""

import ast
import json
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from string import ascii_uppercase
from typing import Any

from chattest.files.reading import whole_text
from chattest.records.plan import split_answers

_CLOSED = {"yes": True, "no": False, "true": True, "false": False}
_LETTERED = re.compile(r"\(?([A-Z])[.):]\s+(?=\S)")
_ARRAY = re.compile(r"array\(|['\"]\s+['\"]")
"""How pandas writes a list into a CSV file, which cannot be read back."""


def read_text(value: Any) -> str:
    """Return the text of a cell that must hold a text or nothing.

    Raises:
        ValueError: With what the cell holds instead.
    """
    if value is None:
        return ""
    if not isinstance(value, str):
        raise ValueError(f"is {_name_kind(value)}, and must be a text")
    return whole_text(value).strip()


def read_word(value: Any) -> str:
    """Return the name in a cell, such as that of a group, as text; empty if there is none."""
    return "" if value is None else _write_value(value).strip()


def read_answers(cells: Iterable[Any], options: Sequence[str]) -> list[str] | bool | None:
    """Return the accepted answers of all cells: texts, or yes or no; `None` if there are none.

    A cell holds a text, a number, true or false, a list of these, SQuAD's `{"text": [...]}`, the JSON of a list, or
    answers separated by " / ". A letter means its option.

    Raises:
        ValueError: With what is wrong.
    """
    parts = list(dict.fromkeys(part for cell in cells for part in _split_cell(cell)))
    if options:
        return [_find_option(part, options) for part in parts] or None
    closed = {_CLOSED.get(part.casefold().strip(" .!")) for part in parts}
    if not parts or closed == {None}:
        return parts or None
    if len(closed) > 1:
        what = "both yes and no" if None not in closed else "yes or no, and another answer"
        raise ValueError(f"accepts {what}: {', '.join(parts)}")
    return closed.pop()


def read_options(cells: Iterable[Any]) -> list[str]:
    """Return the answers to choose from, without their letters.

    A cell holds one of them, a list, or one a line.

    Raises:
        ValueError: With what is wrong.
    """
    texts = [line for cell in cells for part in _split_cell(cell, split=False) for line in part.splitlines()]
    options = [line.strip() for line in texts if line.strip()]
    letters = [_LETTERED.match(option) for option in options]
    if options and all(letters) and [match[1] for match in letters if match] == list(ascii_uppercase[: len(options)]):
        options = [_LETTERED.sub("", option, count=1) for option in options]
    if len(options) > len(ascii_uppercase):
        raise ValueError(f"has {len(options)} options, and can have 26 at most")
    if len(options) == 1:
        raise ValueError("has only one option")
    return options


def _find_option(answer: str, options: Sequence[str]) -> str:
    """Return the option that an answer means, by its text or its letter.

    Raises:
        ValueError: The answer is no option.
    """
    same = [option for option in options if option.casefold() == answer.casefold()]
    if same:
        return same[0]
    letter = answer.strip("(). ").upper()
    if len(letter) == 1 and letter in ascii_uppercase[: len(options)]:
        return options[ascii_uppercase.index(letter)]
    raise ValueError(f'"{answer}" is none of the options: {", ".join(options)}')


def _split_cell(cell: Any, split: bool = True) -> Iterator[str]:
    """Yield the texts of a cell.

    Args:
        cell: The cell.
        split: Whether " / " separates texts.
    """
    if isinstance(cell, str):
        whole_text(cell)
        unpacked = _unpack(cell)
        if unpacked is not None:
            yield from _split_cell(unpacked, split)
        elif cell.strip():
            yield from split_answers(cell.strip()) if split else (cell.strip(),)
    elif isinstance(cell, Mapping):
        if "text" not in cell:
            raise ValueError('is an object without "text"')
        yield from _split_cell(cell["text"], split)
    elif isinstance(cell, list | tuple):
        for part in cell:
            yield from _split_cell(part, split)
    elif cell is not None:
        yield _write_value(cell)


def _unpack(cell: str) -> Any:
    """Return the list or dictionary that a text spells out as JSON or Python; `None` for any other text."""
    bare = cell.strip()
    if not (bare.startswith("[") and bare.endswith("]")) and not (bare.startswith("{") and bare.endswith("}")):
        return None
    for read in (json.loads, ast.literal_eval):
        try:
            value = read(bare)
        except (ValueError, SyntaxError, RecursionError, MemoryError):
            continue
        if read is ast.literal_eval and _ARRAY.search(bare):
            break  # Python joins two texts without a comma between them into one
        return value if isinstance(value, list | dict) else None
    if _ARRAY.search(bare):
        raise ValueError("is an array that was written as text; save the data as .jsonl")
    return None


def _write_value(value: Any) -> str:
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, str | int):
        return whole_text(str(value))
    if isinstance(value, float):
        return str(int(value)) if value.is_integer() else repr(value)
    raise ValueError(f"is {_name_kind(value)}, and must be a text")


def _name_kind(value: Any) -> str:
    names = {"datetime": "a date", "date": "a date", "time": "a time", "dict": "an object", "NoneType": "nothing"}
    name = "a number" if isinstance(value, int | float) and not isinstance(value, bool) else type(value).__name__
    return names.get(name, {"bool": "true or false", "list": "a list"}.get(name, name))
