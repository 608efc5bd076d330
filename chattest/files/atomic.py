"""Writing a file so that it is there whole or not at all."""

import os
from contextlib import suppress
from pathlib import Path

from chattest.errors import StoreError


def write_whole(path: Path, content: bytes, wait: bool = True) -> None:
    """Writes a file so that it is there whole or not at all; waits until the disk has it. Raises `StoreError`."""
    fresh = path.with_name(f".{path.name}.new")
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        with fresh.open("wb") as file:
            file.write(content)
            file.flush()
            if wait:
                os.fsync(file.fileno())
        fresh.replace(path)
    except OSError as error:
        with suppress(OSError):
            fresh.unlink()
        raise StoreError(f"{path} cannot be written: {error.strerror or error}") from error
