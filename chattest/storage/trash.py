"""The trash: a folder in the folder of runs, to which runs are moved before they are deleted for good.

reports/.trash/3/first-run/     the third run that was moved here; it was reports/first-run
"""

import shutil
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path

from chattest.errors import InputError, Problem, StoreError
from chattest.files.locks import hold_lock
from chattest.storage.changes import LOCK, PATIENCE, lock_for_change
from chattest.storage.run_folder import drop_if_empty, hold_run_lock

TRASH = ".trash"


@dataclass(frozen=True, slots=True)
class Trashed:
    """A run in the trash."""

    number: int
    """Its number in the trash."""
    name: str
    """The name that the run had."""
    when: datetime
    """When it was moved there."""


def list_trash(reports: Path) -> list[Trashed]:
    """Return the runs in the trash of a folder of runs, the last that was moved there first."""
    runs = []
    for folder in _list_folders(reports):
        try:
            when = datetime.fromtimestamp(folder.stat().st_mtime)
            runs += [Trashed(int(folder.name), run.name, when) for run in sorted(folder.iterdir())]
        except OSError:  # it has just been emptied
            continue
    return sorted(runs, key=lambda each: each.number, reverse=True)


def move_to_trash(folder: Path, run_id: str = "") -> Trashed:
    """Move a run's folder to the trash.

    Args:
        folder: the run's.
        run_id: id of the intended run, as for `lock_for_change`.

    Raises:
        InputError: it does not exist any more.
        StoreError: a run uses it, or it cannot be moved.
    """
    reports = folder.parent
    with _hold_trash(reports):
        if not (folder / "run.json").exists():
            raise InputError([Problem(str(folder), "there is no such run any more", "It may be in the trash already.")])
        with hold_run_lock(folder), lock_for_change(folder, run_id):
            number = max((int(path.name) for path in _list_folders(reports)), default=0) + 1
            target = reports / TRASH / str(number)
            target.mkdir()
            try:
                folder.rename(target / folder.name)
            except OSError:
                with suppress(OSError):
                    target.rmdir()
                raise
    return Trashed(number, folder.name, datetime.now())


@contextmanager
def _hold_trash(reports: Path) -> Iterator[None]:
    """Keep others from moving runs to and from the trash. Raises `StoreError`."""
    if (reports / TRASH).is_symlink():
        raise StoreError(f"{reports / TRASH} is a symbolic link, and nothing is moved through it; delete the link")
    try:
        (reports / TRASH).mkdir(exist_ok=True)
        with hold_lock(reports / TRASH / LOCK, PATIENCE):
            yield
    except TimeoutError:
        raise StoreError(f"{reports / TRASH} is kept by another program for {PATIENCE} seconds; try again") from None
    except OSError as error:
        raise StoreError(f"{reports / TRASH} cannot be changed: {error.strerror or error}") from error


def restore(reports: Path, number: int) -> str:
    """Move a run from the trash back to the folder of runs; return its name.

    Raises:
        InputError: it is not in the trash, or another run has its name by now.
        StoreError: it cannot be moved.
    """
    folder = reports / TRASH / str(number)
    gone = InputError([Problem(str(folder), "there is no such run in the trash", "It may have been restored.")])
    if number < 1 or not folder.is_dir():
        raise gone
    with _hold_trash(reports):
        try:
            names = [path.name for path in folder.iterdir()]
        except OSError:
            names = []
        if not names:
            raise gone
        target = reports / names[0]
        drop_if_empty(target)
        if target.exists():
            raise InputError([Problem(str(target), "another run has this name", "Rename or delete that one first.")])
        (folder / names[0]).rename(target)
        folder.rmdir()
    return names[0]


def empty(reports: Path) -> int:
    """Delete all runs in the trash for good; return how many.

    Raises:
        StoreError: something cannot be deleted.
    """
    count = 0
    if not (reports / TRASH).is_dir():
        return count
    with _hold_trash(reports):
        for folder in list(_list_folders(reports)):
            count += len(list(folder.iterdir()))
            shutil.rmtree(folder)
    return count


def _list_folders(reports: Path) -> Iterator[Path]:
    if (reports / TRASH).is_symlink():  # what lies behind it is no trash, and is not to be deleted
        return
    try:
        yield from [path for path in (reports / TRASH).iterdir() if path.name.isdecimal() and path.name.isascii()]
    except OSError:
        return
