"""The JSON of a published file: one document, or a zip archive of them."""

import json
import zipfile
from collections.abc import Iterator
from pathlib import Path, PurePosixPath
from typing import Any, TypeVar

from pydantic import BaseModel, ValidationError

from chattest.errors import InputError, Problem
from chattest.files.schema_errors import validation_problems

M = TypeVar("M", bound=BaseModel)

MOST = 20
"""Most problems of a file that are told."""


class Problems:
    """The problems of one file, each with its record; the file is refused as a whole."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self._found: list[Problem] = []

    def add(self, record: str, what: str) -> None:
        """record: which one, such as `26.json, qa[3]`."""
        self._found.append(Problem(f"{self.path}, {record}" if record else str(self.path), what))

    def checked(self, shape: type[M], record: str, values: Any) -> M | None:
        """The values in this shape; `None`, and every problem added, if they do not have it."""
        try:
            return shape.model_validate(values)
        except ValidationError as error:
            for wrong in validation_problems(error, values):
                self.add(record, str(wrong))
            return None

    def raise_any(self, remedy: str) -> None:
        """Raises `InputError` if there is any problem. remedy: what the file should hold."""
        if not self._found:
            return
        first, *others = self._found[:MOST]
        shown = [Problem(first.where, first.what, remedy), *others]
        more = len(self._found) - len(shown)
        raise InputError([*shown, *([Problem(str(self.path), f"has {more} further problems")] if more else [])])


def documents(path: Path) -> Iterator[tuple[str, Any]]:
    """Name and content of every JSON document of a file, sorted by name; the name is empty outside of an archive.

    Raises `InputError` if the file cannot be read, is no JSON, or is an archive without any.
    """
    try:
        if not zipfile.is_zipfile(path):
            yield "", _parsed(path, "", path.read_bytes())
            return
        with zipfile.ZipFile(path) as archive:
            names = sorted(name for name in archive.namelist() if _is_document(name))
            if not names:
                raise InputError([Problem(str(path), "is an archive that holds no .json file")])
            for name in names:
                yield PurePosixPath(name).name, _parsed(path, PurePosixPath(name).name, archive.read(name))
    except (OSError, zipfile.BadZipFile, RuntimeError, NotImplementedError) as error:
        why = getattr(error, "strerror", None) or error
        raise InputError([Problem(str(path), f"cannot be read: {why}")]) from error


def _is_document(name: str) -> bool:
    parts = PurePosixPath(name).parts
    return name.endswith(".json") and not any(part.startswith((".", "__MACOSX")) for part in parts)


def _parsed(path: Path, name: str, content: bytes) -> Any:
    try:
        return json.loads(content.decode("utf-8"))
    except (ValueError, RecursionError) as error:
        where = f"{path}, {name}" if name else str(path)
        raise InputError([Problem(where, f"is not JSON: {error}")]) from error
