"""Damages a good file of every kind that users bring, and reads it: it is read, or refused with its name.

    python -m tests.soak.damaged_files [--each 1500] [--seed 1] [--only workbook ...]

Bytes are flipped, cut off, spliced, doubled and replaced by what readers trip over. In archives and gzip files the same
happens to what is packed, under right checksums, so that the damage gets past the unpacking. Anything but a clean read
or an `InputError` that names the file is a fault: an exception of a library, a text that cannot be saved again, a wait.
"""

import argparse
import gzip
import io
import random
import signal
import sys
import tempfile
import time
import traceback
import zipfile
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path

from chattest.errors import InputError
from tests.soak.good_files import KINDS, GoodFile, all_texts

PATIENCE = 60
"""Seconds after which reading a small damaged file is a fault; a sound one takes milliseconds."""
TRIPS = [
    b"\x00",
    b"\xff\xfe",
    b"\xef\xbb\xbf",
    b"\xed\xa0\xbd",
    b"\\ud83d",
    b'"',
    b"'",
    b"[",
    b"{",
    b"]",
    b"}",
    b"<",
    b">",
    b"&",
    b"&#0;",
    b"&x;",
    b"<!DOCTYPE a [<!ENTITY b 'c'>]>",
    b"<![CDATA[",
    b"\r",
    b"\n",
    b"\t",
    b",",
    b"=",
    b"\\",
    b"-",
    b"NaN",
    b"Infinity",
    b"-1",
    b"1e999",
    b"9" * 5000,
    b"0x" + b"f" * 5000,
    b"a." * 1000,
    b"[" * 3000,
    b"2026-13-45",
    b"null",
    b"true",
    b'r="A0"',
    b'r="ZZZZ1"',
    b'r="A99999999999"',
    b't="s"',
    b't="d"',
    b'"""',
    b"*a",
    b"&a ",
    b"!!python/x ",
]
"""What is put into a file, by choice or in place of other bytes."""


class Waited(BaseException):
    """Reading took longer than `PATIENCE`; not an `Exception`, so that no guard takes it for a parser's."""


@dataclass
class Figures:
    """What came of the damaged files of one kind."""

    read: int = 0
    refused: int = 0
    faults: Counter[str] = field(default_factory=Counter)
    examples: dict[str, str] = field(default_factory=dict)
    """What the first fault of each kind said."""
    slowest: float = 0.0

    def add(self, fault: str, example: str) -> None:
        """Count a fault."""
        self.faults[fault] += 1
        self.examples.setdefault(fault, example[:200])

    def __str__(self) -> str:
        faults = "".join(
            f"\n    {count} times {fault}: {self.examples[fault]}" for fault, count in self.faults.most_common()
        )
        return f"{self.read} read, {self.refused} refused, slowest {self.slowest:.1f} s{faults}"


def damaged(content: bytes, rng: random.Random) -> bytes:
    """Damage a file's bytes in one to four ways."""
    for _ in range(rng.choice((1, 1, 2, 4))):
        content = rng.choice(_WAYS)(content, rng)
    return content


def _flip(content: bytes, rng: random.Random) -> bytes:
    flipped = bytearray(content)
    for _ in range(min(len(content), rng.choice((1, 1, 3, 20)))):
        flipped[rng.randrange(len(content))] ^= 1 << rng.randrange(8)
    return bytes(flipped)


def _cut(content: bytes, rng: random.Random) -> bytes:
    return content[: rng.randrange(len(content) + 1)]


def _splice(content: bytes, rng: random.Random) -> bytes:
    """Leave out, double or move a block."""
    start, end, target = sorted(rng.randrange(len(content) + 1) for _ in range(3))
    block = content[start:end]
    return rng.choice((content[:start], content[:end])) + content[end:target] + block + content[target:]


def _trip(content: bytes, rng: random.Random) -> bytes:
    start = rng.randrange(len(content) + 1)
    return content[:start] + rng.choice(TRIPS) + content[start + rng.choice((0, 0, 1, 5)) :]


def _blank(content: bytes, rng: random.Random) -> bytes:
    start = rng.randrange(len(content) + 1)
    length = rng.randrange(1, 200)
    return (
        content[:start] + bytes([rng.randrange(256)]) * len(content[start : start + length]) + content[start + length :]
    )


_WAYS: list[Callable[[bytes, random.Random], bytes]] = [_flip, _flip, _cut, _splice, _trip, _trip, _blank]


def damaged_inside(name: str, content: bytes, rng: random.Random) -> bytes:
    """Damage what is packed, under a right checksum; a file that is not packed is damaged itself."""
    if name.endswith(".gz"):
        return gzip.compress(damaged(gzip.decompress(content), rng), mtime=0)
    if content[:2] != b"PK":
        return damaged(content, rng)
    with zipfile.ZipFile(io.BytesIO(content)) as archive:
        members = {member: archive.read(member) for member in archive.namelist()}
    chosen = rng.choice(sorted(members))
    if rng.random() < 0.1:
        del members[chosen]
    else:
        members[chosen] = damaged(members[chosen], rng)
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w", zipfile.ZIP_DEFLATED) as archive:
        for member, inner in members.items():
            archive.writestr(member, inner)
    return packed.getvalue()


def check(kind: str, each: int, seed: int, folder: Path) -> Figures:
    """Read `each` damaged files of a kind, and count what came of them."""
    good = KINDS[kind]
    figures = Figures()
    path = good.make(folder)
    content = path.read_bytes()
    all_texts(good.read(path))  # sound as it is
    for number in range(each):
        rng = random.Random(f"{seed}/{kind}/{number}")
        path.write_bytes((damaged_inside if rng.random() < 0.6 else _outside)(path.name, content, rng))
        _try(good, path, figures)
    return figures


def _outside(name: str, content: bytes, rng: random.Random) -> bytes:
    return damaged(content, rng)


def _try(good: GoodFile, path: Path, figures: Figures) -> None:
    began = time.monotonic()
    try:
        with patience():
            for text in all_texts(good.read(path)):
                text.encode()
        figures.read += 1
    except InputError as error:
        figures.refused += 1
        unnamed = [str(problem) for problem in error.problems if path.name not in f"{problem.where} {problem.what}"]
        if unnamed:
            figures.add("names no file", unnamed[0])
    except (Exception, Waited) as error:
        last = traceback.extract_tb(error.__traceback__)[-1]
        figures.add(f"{type(error).__name__} in {Path(last.filename).name}:{last.lineno}", str(error))
    figures.slowest = max(figures.slowest, time.monotonic() - began)


@contextmanager
def patience() -> Iterator[None]:
    """Raise `Waited` where the block takes longer than `PATIENCE`; for the main thread alone."""

    def ended(*_: object) -> None:
        raise Waited

    before = signal.signal(signal.SIGALRM, ended)
    signal.alarm(PATIENCE)
    try:
        yield
    finally:
        signal.alarm(0)
        signal.signal(signal.SIGALRM, before)


def main(arguments: list[str]) -> int:
    """Print the figures of every kind; return 1 when there was a fault."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--each", type=int, default=1500)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--only", nargs="*", choices=KINDS, default=list(KINDS))
    given = parser.parse_args(arguments)
    faults = 0
    for kind in given.only:
        with tempfile.TemporaryDirectory() as folder:
            figures = check(kind, given.each, given.seed, Path(folder))
        faults += sum(figures.faults.values())
        print(f"{kind}: {figures}", flush=True)
    return int(bool(faults))


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
