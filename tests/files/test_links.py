"""Files of a run folder are opened without following links, and no pipe or device holds whoever opens them."""

import os
from pathlib import Path

import pytest

from chattest.errors import InputError, StoreError
from chattest.files.atomic import whole_file, write_whole
from chattest.files.links import open_plain, read_plain, refuse_links


@pytest.fixture
def victim(tmp_path: Path) -> Path:
    path = tmp_path / "victim"
    path.write_bytes(b"mine")
    return path


@pytest.mark.parametrize("mode", ["rb", "ab", "wb", "rb+"])
def test_a_link_is_neither_read_nor_written(victim: Path, mode: str) -> None:
    link = victim.with_name("link")
    link.symlink_to(victim)
    with pytest.raises(OSError, match="symbolic link"):
        open_plain(link, mode)
    assert victim.read_bytes() == b"mine"
    assert read_plain(victim) == b"mine"


@pytest.mark.parametrize("mode", ["rb", "ab"])
def test_a_pipe_does_not_wait(tmp_path: Path, mode: str) -> None:
    os.mkfifo(tmp_path / "pipe")
    with pytest.raises(OSError, match=r"no ordinary file|No such device"):
        open_plain(tmp_path / "pipe", mode)


def test_what_is_missing_or_a_folder_is_told_as_ever(tmp_path: Path) -> None:
    with pytest.raises(FileNotFoundError):
        open_plain(tmp_path / "nothing")
    with pytest.raises(IsADirectoryError):
        open_plain(tmp_path)


@pytest.mark.parametrize("name", ["report.md", "conversations", "conversations/run-001.json", "conversations/clean"])
def test_links_in_a_folder_are_named(victim: Path, name: str) -> None:
    folder = victim.with_name("run")
    (folder / name).parent.mkdir(parents=True)
    refuse_links(folder)
    (folder / name).symlink_to(victim)
    with pytest.raises(InputError, match=f"{name}: is a symbolic link.*\n.*put a copy"):
        refuse_links(folder)
    linked = victim.with_name("linked")
    linked.symlink_to(folder)
    with pytest.raises(InputError, match="linked"):
        refuse_links(linked)


def test_a_part_file_that_is_a_link_is_not_written_through(victim: Path) -> None:
    path = victim.with_name("tags.json")
    victim.with_name(".tags.json.part").symlink_to(victim)
    write_whole(path, b"new")
    assert (path.read_bytes(), victim.read_bytes()) == (b"new", b"mine")
    assert sorted(each.name for each in victim.parent.iterdir()) == ["tags.json", "victim"]


def test_two_writers_at_once_do_not_mix(tmp_path: Path) -> None:
    path = tmp_path / "file"
    with whole_file(path) as first:
        first.write_bytes(b"first, not yet whole")
        with whole_file(path) as second:
            assert first != second
            second.write_bytes(b"second")
        assert path.read_bytes() == b"second"
        first.write_bytes(b"first")
    assert path.read_bytes() == b"first"
    assert [each.name for each in tmp_path.iterdir()] == ["file"]


def test_a_link_in_place_of_the_file_is_replaced(victim: Path) -> None:
    link = victim.with_name("link")
    link.symlink_to(victim)
    write_whole(link, b"new")
    assert not link.is_symlink()
    assert victim.read_bytes() == b"mine"


def test_a_folder_that_is_no_folder_is_told(victim: Path) -> None:
    with pytest.raises(StoreError, match="cannot be written"):
        write_whole(victim / "file", b"new")
