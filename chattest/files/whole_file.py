"""Files that appear whole or not at all."""

import os
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

from chattest.errors import StoreError


@contextmanager
def whole_file(path: Path) -> Iterator[Path]:
    """Gives a path beside `path` to write to, and moves it there when the block ends well.

    A run that is killed meanwhile leaves the older file untouched. Raises `StoreError` when the disk refuses.
    """
    part = path.with_name(f".{path.name}.part")
    try:
        yield part
        os.replace(part, path)
    except OSError as error:
        raise StoreError(
            f"{path}: the report could not be written: {error.strerror or error}. "
            "Close it where it is open, make room on the disk, or choose another save_analysis_name."
        ) from error
    finally:
        with suppress(OSError):
            part.unlink()
