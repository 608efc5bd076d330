"""Read folders that `save_to_disk` of the package `datasets` wrote, and data sets of its hub."""

from collections.abc import Iterator, Mapping
from functools import partial
from pathlib import Path
from typing import Any

from chattest.datasets.own.source import make_plain
from chattest.datasets.own.table import Row, Table
from chattest.errors import InputError, Problem, suggest
from chattest.files.reading import LARGEST, check_regular, guard_library_items, make_size_error

_INSTALL = "pip install '.[datasets]' in a clone of chattest, or save the data as .jsonl"


def read_data_set(path: Path, given: str, splits: list[str]) -> Table:
    """Read a saved data set, or one of the hub if no such folder exists.

    Args:
        path: The folder.
        given: The name that the user gave; on the hub, `owner/name` or `owner/name:configuration`.
        splits: The wanted splits; empty for all.

    Raises:
        InputError: The data set cannot be loaded.
    """
    folder = path.is_dir()
    try:
        import datasets
    except ImportError as error:
        what = "needs the package datasets" if folder else "there is no such file or folder"
        remedy = f"To read a folder of save_to_disk or a data set of the hub: {_INSTALL}."
        raise InputError([Problem(str(path) if folder else given, what, remedy)]) from error
    datasets.disable_progress_bars()
    try:
        if folder:
            _check_folder(path)
            # In memory: a file that was cut short, mapped into memory, would end the whole process.
            loaded = datasets.load_from_disk(str(path), keep_in_memory=True)
        else:
            name, _, configuration = given.partition(":")
            loaded = datasets.load_dataset(name, configuration or None)
        parts: Mapping[str, Any] = loaded if isinstance(loaded, Mapping) else {str(loaded.split or ""): loaded}
        for part in parts.values() if folder else ():
            part.data.table.validate(full=True)  # Arrow takes offsets on trust, and reads past its memory
    except InputError:
        raise
    except Exception as error:  # the package raises many kinds, also those of the network
        kind = "is no folder that save_to_disk wrote" if folder else "is no file, and no data set of the hub was found"
        why = str(error).strip().partition("\n")[0]
        remedy = "Files: .csv, .tsv, .jsonl, .json, .xlsx, or a folder of save_to_disk."
        raise InputError([Problem(str(path) if folder else given, f"{kind}: {why}", remedy)]) from error
    problems = [
        Problem(given, f'has no split "{split}"', suggest(split, [part for part in parts if part]))
        for split in splits
        if split not in parts and isinstance(loaded, Mapping)
    ]
    if problems:
        raise InputError(problems)
    return Table(given, list(_read_rows(given, parts)))


def _check_folder(path: Path) -> None:
    """Refuse a folder with files that are too large, or no regular files.

    Raises:
        InputError: The folder is refused.
    """
    total = 0
    for file in sorted(path.rglob("*")):
        if file.is_dir():
            continue
        check_regular(file)
        total += file.stat().st_size
        if total > LARGEST:
            raise make_size_error(path, LARGEST)


def _read_rows(given: str, parts: Mapping[str, Any]) -> Iterator[Row]:
    for split, part in parts.items():
        rows = guard_library_items(part, lambda number: f"{given}, row {number}", "a data set", "Save it again.")
        for number, values in enumerate(rows):
            place = f"{given}, split {split}, row {number}" if split else f"{given}, row {number}"
            plain = {str(column): make_plain(value) for column, value in values.items()}
            yield Row(plain, partial(_describe_place, place), split)


def _describe_place(place: str, column: str) -> str:
    return f'{place}, column "{column}"'
