"""Read the JSON of a published file: one document, or a zip archive of documents."""

import json
import re
import zipfile
from collections.abc import Iterator
from pathlib import Path, PurePosixPath
from typing import Any, TypeVar

from pydantic import BaseModel, ValidationError

from chattest.errors import InputError, Problem
from chattest.files.reading import MIB, check_archive, guard_library_call, open_regular, read_bytes, whole_text
from chattest.files.schema_errors import list_problems

M = TypeVar("M", bound=BaseModel)

LARGEST_PUBLISHED = 4096 * MIB
"""Most bytes of a published file; the largest of LongMemEval has 2,700 MB."""
_HALF = re.compile(rb"\\u[dD][89abAB]..(?!\\u[dD][c-fC-F])|(?<!\\u[dD][89abAB]..)\\u[dD][c-fC-F]")
"""An escape of half a character, or a text that looks like one."""
_REMEDY = "Download it again."
MOST = 20
"""Number of problems of a file that are shown at most."""


class Problems:
    """The problems of one file, each with its record. A file with problems is refused as a whole."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self._problems: list[Problem] = []

    def add(self, record: str, what: str) -> None:
        """Add a problem of a record, such as `26.json, qa[3]`; an empty record stands for the file."""
        self._problems.append(Problem(f"{self.path}, {record}" if record else str(self.path), what))

    def validate(self, shape: type[M], record: str, values: Any) -> M | None:
        """Return the values in this shape; if they do not have it, add every problem and return `None`."""
        try:
            return shape.model_validate(values)
        except ValidationError as error:
            for wrong in list_problems(error, values):
                self.add(record, str(wrong))
            return None

    def raise_any(self, remedy: str) -> None:
        """Raise `InputError` if there is any problem.

        Args:
            remedy: what the file should hold.
        """
        if not self._problems:
            return
        first, *others = self._problems[:MOST]
        shown = [Problem(first.where, first.what, remedy), *others]
        more = len(self._problems) - len(shown)
        raise InputError([*shown, *([Problem(str(self.path), f"has {more} further problems")] if more else [])])


def read_documents(path: Path) -> Iterator[tuple[str, Any]]:
    """Yield name and content of every JSON document of a file, sorted by name; the name is empty outside of an archive.

    Raises:
        InputError: the file cannot be read, is no JSON, or is an archive without any.
    """
    with open_regular(path) as file:
        archived = file.read(2) == b"PK"
    if not archived:
        yield "", _parse(path, "", read_bytes(path, LARGEST_PUBLISHED))
        return
    with guard_library_call(str(path), "an archive", _REMEDY):
        archive = zipfile.ZipFile(path)
    with archive:
        check_archive(path, archive, LARGEST_PUBLISHED)
        names = sorted(name for name in archive.namelist() if _is_document(name))
        if not names:
            raise InputError([Problem(str(path), "is an archive that holds no .json file")])
        for name in names:
            with guard_library_call(f"{path}, {name}", "a part of an archive", _REMEDY):
                content = archive.read(name)
            yield PurePosixPath(name).name, _parse(path, PurePosixPath(name).name, content)


def _is_document(name: str) -> bool:
    parts = PurePosixPath(name).parts
    return name.endswith(".json") and not any(part.startswith((".", "__MACOSX")) for part in parts)


def _parse(path: Path, name: str, content: bytes) -> Any:
    try:
        values = json.loads(content.decode("utf-8-sig"))
        if _HALF.search(content):
            whole_text(json.dumps(values, ensure_ascii=False))
        return values
    except (ValueError, RecursionError, MemoryError) as error:
        where = f"{path}, {name}" if name else str(path)
        raise InputError([Problem(where, f"is not JSON: {error}")]) from error
