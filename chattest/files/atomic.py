"""Atomic writes: a file is replaced as a whole, and a failed or killed write leaves the old file as it was.

Every file that chattest writes in one go is written here, with two doors: `write_whole` for bytes, and `whole_file` for
libraries that write to a path. What grows line by line (journals, answers, logs) is appended to instead: `append.py`.
"""

# No library does this: atomicwrites, which did, is archived, and the standard library has the parts only.

from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

from chattest.errors import StoreError
from chattest.files.append import sync as synchronise


@contextmanager
def whole_file(path: Path, sync: bool = True, make_folder: bool = False) -> Iterator[Path]:
    """Yields a temporary path beside `path` to write to; renames it to `path` when the block ends without an error.

    sync: wait until the content is on the disk, so that a power cut cannot leave an empty file. make_folder: create
    the folder of `path` where it is missing. Raises `StoreError` for every `OSError`, also those of the block.
    """
    temporary = path.with_name(f".{path.name}.part")
    try:
        if make_folder:
            path.parent.mkdir(parents=True, exist_ok=True)
        yield temporary
        if sync:
            with temporary.open("rb+") as file:
                synchronise(file.fileno())
        temporary.replace(path)
    except OSError as error:
        raise StoreError(
            f"{path} cannot be written: {error.strerror or error}. "
            "Close it where it is open, free space on the disk, or write to another folder or name."
        ) from error
    finally:
        with suppress(OSError):
            temporary.unlink()


def write_whole(path: Path, content: bytes, sync: bool = True) -> None:
    """Replaces the content of a file, and creates its folder where it is missing; see `whole_file`."""
    with whole_file(path, sync, make_folder=True) as temporary:
        temporary.write_bytes(content)
