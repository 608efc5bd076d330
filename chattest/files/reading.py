"""Read files of users: regular files only, of bounded size even when unpacked, as UTF-8.

Every fault becomes an `InputError` that names the file, the line if there is one, and what to do.
"""

import errno
import gzip
import os
import stat
import zipfile
import zlib
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from itertools import count
from pathlib import Path
from typing import BinaryIO, TypeVar

from chattest.errors import InputError, Problem
from chattest.files.links import IS_LINK

T = TypeVar("T")

MIB = 2**20
LARGEST = 1024 * MIB
"""Largest size in bytes of a file of rows or of saved conversations, after unpacking."""
LARGEST_WRITTEN = 8 * MIB
"""Largest size in bytes of a file that a person writes: settings, test sets, gates, rubrics, dialogue files."""
MOST_RATIO = 200
"""How many times its packed size a file may unpack to; tables and texts stay below 50, a bomb reaches 1,000."""
UNPACKED_FREELY = 64 * MIB
"""Unpacked bytes up to which the ratio does not matter."""
MOST_MEMBERS = 10_000
"""Largest number of files in a zip archive or workbook."""
LONGEST_CELL = 32 * MIB
"""Largest number of characters of one value, and of one line of JSON lines."""
MOST_CELLS = 20_000_000
"""Largest number of cells of a table, empty ones included; each takes about 100 bytes of memory."""

MOST_TAGS = 500_000
"""Largest number of XML elements of a row, or outside of rows."""

_CHUNK = MIB
_SHOWN = 200
"""Largest number of characters of a library's message that are shown."""


def read_bytes(path: Path, most: int = LARGEST, remedy: str = "", follow: bool = True) -> bytes:
    """Read a file whole, and unpack it if its name ends with `.gz`.

    Args:
        path: the file. What is no regular file, such as a named pipe, is refused and never waited for.
        most: largest size in bytes, also after unpacking.
        remedy: what to do if it cannot be opened.
        follow: whether a symbolic link is followed; links in the folder of a run are not.

    Raises:
        InputError: the file cannot be read.
    """
    with open_regular(path, remedy, follow) as file:
        size = os.fstat(file.fileno()).st_size
        if path.suffix == ".gz":
            return b"".join(_unpack(path, file, size, most))
        content = file.read(most + 1)
    if len(content) > most:
        raise make_size_error(path, most)
    return content


def read_text(path: Path, most: int = LARGEST, remedy: str = "", follow: bool = True) -> str:
    """Read a file of UTF-8, with or without a byte order mark; see `read_bytes`.

    Raises:
        InputError: the file cannot be read, is no UTF-8, or holds a NUL; names the line.
    """
    return decode(path, read_bytes(path, most, remedy, follow))


def decode(path: Path, content: bytes) -> str:
    """Decode the content of a file as UTF-8, as `read_text` does."""
    if content[:2] in (b"\xff\xfe", b"\xfe\xff"):
        raise InputError([Problem(f"{path}:1", "is UTF-16", "Save the file as UTF-8.")])
    try:
        text = content.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        line = error.object.count(b"\n", 0, error.start) + 1
        remedy = "Save the file as UTF-8; a spreadsheet offers it when it saves as CSV."
        raise InputError([Problem(f"{path}:{line}", "is not UTF-8", remedy)]) from error
    if "\0" in text:
        line = text.count("\n", 0, text.index("\0")) + 1
        remedy = "Save the file as text in UTF-8; UTF-16 and damaged files hold such bytes."
        raise InputError([Problem(f"{path}:{line}", "holds a NUL byte, so it is no text", remedy)])
    return text


def whole_text(text: str) -> str:
    """Return a text of JSON or YAML as it is.

    Raises:
        ValueError: it holds half a character, which no file can hold.
    """
    try:
        text.encode()
    except UnicodeEncodeError:
        raise ValueError("holds half a character, such as \\ud83d alone") from None
    return text


@contextmanager
def open_regular(path: Path, remedy: str = "", follow: bool = True) -> Iterator[BinaryIO]:
    """Open a regular file for reading. An `OSError` of the block counts as one of the file.

    Raises:
        InputError: the file cannot be opened, or is no regular file.
    """
    try:
        # Without O_NONBLOCK, opening a named pipe would wait for somebody to write into it.
        flags = os.O_RDONLY | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_CLOEXEC", 0)
        if not follow:
            if path.is_symlink():
                raise OSError(errno.ELOOP, IS_LINK, str(path))
            flags |= getattr(os, "O_NOFOLLOW", 0)
        handle = os.open(path, flags)
        with os.fdopen(handle, "rb") as file:
            if not stat.S_ISREG(os.fstat(handle).st_mode):
                what = "is no regular file (a named pipe, a device or the like)"
                raise InputError([Problem(str(path), what, "Copy its content to a file, and name that.")])
            yield file
    except (OSError, ValueError) as error:  # a path with a NUL in it is a ValueError
        why = getattr(error, "strerror", None) or error
        raise InputError([Problem(str(path), f"cannot be read: {why}", remedy)]) from error


def check_regular(path: Path, remedy: str = "") -> None:
    """Raise `InputError` if a path, before a library gets it, is no regular file or cannot be opened."""
    with open_regular(path, remedy):
        pass


def make_size_error(path: Path, most: int, part: str = "") -> InputError:
    """Return the error for a file, or a part of it, over the limit."""
    remedy = (
        "Split it, or leave out what is not needed. The limit keeps a damaged or hostile file from taking all memory."
    )
    what = f"has more than {_show_size(most)}, the most that is read of such a file"
    return InputError([Problem(part or str(path), what, remedy)])


def _show_size(most: int) -> str:
    return f"{most // MIB:,} MiB" if most >= MIB else f"{most:,} bytes"


def _unpack(path: Path, file: BinaryIO, size: int, most: int) -> Iterator[bytes]:
    """Unpack a gzip file in parts, and stop at the limits."""
    total = 0
    try:
        with gzip.GzipFile(fileobj=file) as packed:
            while part := packed.read(_CHUNK):
                total += len(part)
                check_unpacked(path, size, total, most)
                yield part
    except (OSError, EOFError, zlib.error) as error:
        remedy = "Copy or download it again, or unpack it with gunzip to see where it breaks."
        raise InputError([Problem(str(path), f"cannot be unpacked: {_shorten(error)}", remedy)]) from error


def check_unpacked(path: Path, packed: int, unpacked: int, most: int = LARGEST) -> None:
    """Raise `InputError` for more than `most` unpacked bytes, or more than any honest file of this packed size has."""
    if unpacked > most:
        raise make_size_error(path, most)
    if unpacked > UNPACKED_FREELY and unpacked > MOST_RATIO * max(packed, 1):
        what = f"unpacks to more than {MOST_RATIO} times its size, as files made to fill the memory do"
        raise InputError([Problem(str(path), what, "If you trust it, unpack it yourself and name what comes out.")])


def check_archive(path: Path, archive: zipfile.ZipFile, most: int = LARGEST) -> None:
    """Raise `InputError` for an archive with too many or too large members, by its own list of them.

    It cannot lie about their sizes: `zipfile` reads no more of a member than the list says.
    """
    members = archive.infolist()
    if len(members) > MOST_MEMBERS:
        what = f"is an archive of {len(members):,} files, and may hold {MOST_MEMBERS:,} at most"
        raise InputError([Problem(str(path), what, "Pack only what is needed.")])
    total = sum(member.file_size for member in members)
    check_unpacked(path, path.stat().st_size, total, most)


def check_xml(path: Path, archive: zipfile.ZipFile) -> None:
    """Raise `InputError` for XML parts that would fill the memory once they are parsed.

    A document type may define entities that multiply; no workbook has one. Rows and texts are parsed one by one, so
    only the size between two of them counts, and the size of the other parts.
    """
    for member in archive.infolist():
        if not member.filename.endswith((".xml", ".rels")):
            continue
        part = f"{path}, {member.filename}"
        name = member.filename.lower()
        by_row = "sharedstrings" in name or ("sheet" in name.rpartition("/")[2] and name.endswith(".xml"))
        if not by_row and member.file_size > LARGEST_WRITTEN:
            raise make_size_error(path, LARGEST_WRITTEN, part)
        tags = 0
        with archive.open(member) as file:
            while chunk := file.read(_CHUNK):
                if b"<!DOCTYPE" in chunk or b"<!ENTITY" in chunk:
                    raise InputError([Problem(part, "has a document type, as no workbook does", "Save it again.")])
                end = max(map(chunk.rfind, (b"</row", b"<row", b"</si", b"<si")))
                tags = chunk.count(b"<", max(end, 0)) + (tags if end < 0 else 0)
                if tags > MOST_TAGS:
                    what = f"has more than {MOST_TAGS:,} elements in one row"
                    raise InputError([Problem(part, what, "Split the sheet, or leave out columns.")])


@contextmanager
def guard_library_call(where: str, kind: str, remedy: str = "") -> Iterator[None]:
    """Turn any exception of a library's reader in the block into an `InputError`. Put only its calls in the block.

    Args:
        where: the file, and the place in it if known.
        kind: what the file should have been, such as "a workbook".
        remedy: what to do.
    """
    try:
        yield
    except InputError:
        raise
    except Exception as error:  # a parser that is given damaged input raises anything
        raise _make_error(where, kind, error, remedy) from error


def guard_library_items(items: Iterable[T], where: Callable[[int], str], kind: str, remedy: str = "") -> Iterator[T]:
    """Yield the items of a library's reader, and turn its exceptions into an `InputError`; see `guard_library_call`.

    Args:
        items: the reader.
        where: returns the place of an item by its number, from 1.
        kind: as for `guard_library_call`.
        remedy: what to do.
    """
    iterator = iter(items)
    for number in count(1):
        try:
            item = next(iterator)
        except StopIteration:
            return
        except Exception as error:  # a parser that is given damaged input raises anything
            raise _make_error(where(number), kind, error, remedy) from error
        yield item


def _make_error(where: str, kind: str, error: Exception, remedy: str = "") -> InputError:
    """Return the `InputError` for a parser's exception over a file that is no `kind`."""
    if isinstance(error, MemoryError):
        what = "needs more memory than there is"
    elif isinstance(error, OSError) and error.strerror:
        what = f"cannot be read: {error.strerror}"
    else:
        what = f"cannot be read as {kind}: {_shorten(error)}"
    return InputError([Problem(where, what, remedy)])


def _shorten(error: Exception) -> str:
    """Return a library's exception as one short line."""
    text = " ".join(str(error).split()) or type(error).__name__
    text = f"no {text}" if isinstance(error, KeyError) else text
    return text if len(text) <= _SHOWN else f"{text[:_SHOWN]}..."
