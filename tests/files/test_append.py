"""Appending on a disk that is full: all or nothing, and never in silence."""

import errno
import os
import subprocess
import sys
from pathlib import Path

import pytest

from chattest.errors import StoreError
from chattest.files.append import Appender, append
from tests.support.paths import ROOT

SCRIPT = """
import resource, sys
from pathlib import Path
from chattest.errors import StoreError
from chattest.files.append import Appender, append
path, way = Path(sys.argv[1]), sys.argv[2]
resource.setrlimit(resource.RLIMIT_FSIZE, (1000, resource.RLIM_INFINITY))
file = Appender(path, 60.0) if way == "long" else None
acknowledged, errors = 0, []
for number in range(40):
    line = f"{number:3} {'x' * 59}\\n".encode()
    try:
        file.write(line) if file else append(path, line)
        acknowledged += 1
    except StoreError as error:
        errors.append(str(error))
if file:
    file.close()
assert errors, "nothing was told"
print(acknowledged, errors[0])
"""


@pytest.mark.parametrize("way", ["long", "once"])
def test_what_does_not_fit_is_told_and_leaves_no_part(tmp_path: Path, way: str) -> None:
    path = tmp_path / "lines"
    path.write_bytes(b"before\n")
    done = subprocess.run(
        [sys.executable, "-c", SCRIPT, str(path), way], cwd=ROOT, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr
    acknowledged, _, why = done.stdout.partition(" ")
    lines = path.read_text().splitlines(keepends=True)
    assert len(lines) - 1 == int(acknowledged) == 15
    assert all(line.endswith("\n") for line in lines)
    assert "cannot be written: File too large" in why
    assert "Free space on the disk" in why


@pytest.mark.parametrize("way", ["long", "once"])
def test_a_short_write_goes_on(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, way: str) -> None:
    written = os.write
    monkeypatch.setattr("chattest.files.append.os.write", lambda file, content: written(file, content[:3]))
    path = tmp_path / "lines"
    for number in range(5):
        line = f"line {number}\n".encode()
        if way == "long":
            file = Appender(path)
            file.write(line)
            file.close()
            file.close()
        else:
            append(path, line)
    assert path.read_text() == "".join(f"line {number}\n" for number in range(5))


def test_a_disk_that_takes_nothing_does_not_hang(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("chattest.files.append.os.write", lambda file, content: 0)
    with pytest.raises(StoreError, match="No space left"):
        append(tmp_path / "lines", b"line\n")
    assert (tmp_path / "lines").read_bytes() == b""


@pytest.mark.parametrize("way", ["long", "once"])
@pytest.mark.parametrize(("number", "is_told"), [(errno.EIO, True), (errno.ENOSPC, True), (errno.EINVAL, False)])
def test_what_the_disk_refuses_later_is_told(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, number: int, is_told: bool, way: str
) -> None:
    path = tmp_path / "lines"
    append(path, b"first\n")

    def refuse(file: int) -> None:
        raise OSError(number, os.strerror(number))

    monkeypatch.setattr("chattest.files.append.os.fsync", refuse)
    file = Appender(path)
    write = file.write if way == "long" else lambda line: append(path, line)
    if is_told:
        with pytest.raises(StoreError, match="cannot be written"):
            write(b"second\n")
        assert path.read_bytes() == b"first\n"
    else:
        write(b"second\n")
        assert path.read_bytes() == b"first\nsecond\n"
    file.close(wait=False)
