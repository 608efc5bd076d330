"""A file is replaced as a whole: whatever fails meanwhile, the old one stays and nothing is left beside it."""

import signal
import subprocess
import sys
from pathlib import Path

import pytest

from chattest.errors import StoreError
from chattest.files.atomic import whole_file, write_whole
from tests.support.paths import ROOT


@pytest.fixture
def old(tmp_path: Path) -> Path:
    path = tmp_path / "file"
    path.write_bytes(b"old")
    return path


def files(folder: Path) -> dict[str, bytes]:
    return {path.name: path.read_bytes() for path in folder.iterdir()}


@pytest.mark.parametrize("sync", [True, False])
def test_bytes_replace_the_file(old: Path, sync: bool) -> None:
    write_whole(old, b"new", sync)
    assert files(old.parent) == {"file": b"new"}


def test_a_path_replaces_the_file(old: Path) -> None:
    with whole_file(old) as temporary:
        temporary.write_bytes(b"new")
        assert old.read_bytes() == b"old"
    assert files(old.parent) == {"file": b"new"}


def refuse(*_: object) -> None:
    raise OSError(28, "No space left on device")


def test_a_disk_that_is_full_keeps_the_old_file(old: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("chattest.files.append.os.fsync", refuse)
    with pytest.raises(StoreError, match=r"file cannot be written: No space left on device\. Close it"):
        write_whole(old, b"new")
    assert files(old.parent) == {"file": b"old"}


@pytest.mark.parametrize(("error", "raised"), [(OSError(5, "broken"), StoreError), (ValueError("mine"), ValueError)])
def test_an_error_of_the_block_keeps_the_old_file(old: Path, error: Exception, raised: type[Exception]) -> None:
    def write() -> None:
        with whole_file(old) as temporary:
            temporary.write_bytes(b"ne")
            raise error

    with pytest.raises(raised):
        write()
    assert files(old.parent) == {"file": b"old"}


def test_a_kill_while_it_is_written_keeps_the_old_file(old: Path) -> None:
    script = (
        "import os, signal, sys; from pathlib import Path; from chattest.files.atomic import whole_file\n"
        "with whole_file(Path(sys.argv[1])) as temporary:\n"
        "    temporary.write_bytes(b'ne'); os.kill(os.getpid(), signal.SIGKILL)"
    )
    done = subprocess.run([sys.executable, "-c", script, str(old)], cwd=ROOT, check=False)
    assert done.returncode == -signal.SIGKILL
    assert old.read_bytes() == b"old"
    write_whole(old, b"new")
    assert files(old.parent) == {"file": b"new"}


def test_only_bytes_make_the_folder(tmp_path: Path) -> None:
    with (
        pytest.raises(StoreError, match=r"gone/file cannot be written: No such file"),
        whole_file(tmp_path / "gone" / "file") as temporary,
    ):
        temporary.write_bytes(b"new")
    write_whole(tmp_path / "made" / "here" / "file", b"new")
    assert files(tmp_path / "made" / "here") == {"file": b"new"}


def test_a_folder_where_a_file_is(tmp_path: Path) -> None:
    (tmp_path / "taken").touch()
    with pytest.raises(StoreError, match=r"taken/file cannot be written"):
        write_whole(tmp_path / "taken" / "file", b"new")
