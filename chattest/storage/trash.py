"""The trash: a folder in the folder of runs, to which runs are moved before they are deleted for good.

reports/.trash/3/first-run/     the third run that was moved here; it was reports/first-run
"""

import shutil
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path

from chattest.errors import InputError, Problem, StoreError
from chattest.storage.run_folder import unused

TRASH = ".trash"


@dataclass(frozen=True, slots=True)
class Trashed:
    """A run in the trash."""

    number: int
    """Identifies it in the trash."""
    name: str
    """The name that the run had."""
    when: datetime
    """When it was moved there."""


def trashed(reports: Path) -> list[Trashed]:
    """The runs in the trash of a folder of runs, the last that was moved there first."""
    found = []
    for folder in _folders(reports):
        try:
            when = datetime.fromtimestamp(folder.stat().st_mtime)
            found += [Trashed(int(folder.name), run.name, when) for run in sorted(folder.iterdir())]
        except OSError:  # it has just been emptied
            continue
    return sorted(found, key=lambda each: each.number, reverse=True)


def move_to_trash(folder: Path) -> Trashed:
    """Moves a run's folder to the trash. Raises `StoreError` while a run uses it, or if it cannot be moved."""
    reports = folder.parent
    if (reports / TRASH).is_symlink():
        raise StoreError(f"{reports / TRASH} is a symbolic link, and nothing is moved through it; delete the link")
    number = max((int(path.name) for path in _folders(reports)), default=0)
    try:
        with unused(folder):
            while True:
                number += 1
                target = reports / TRASH / str(number)
                target.parent.mkdir(exist_ok=True)
                try:
                    target.mkdir()
                    break
                except FileExistsError:  # another visitor was quicker
                    continue
            folder.rename(target / folder.name)
    except OSError as error:
        raise StoreError(f"{folder} cannot be moved to the trash: {error.strerror or error}") from error
    return Trashed(number, folder.name, datetime.now())


def restore(reports: Path, number: int) -> str:
    """Moves a run from the trash back to the folder of runs; returns its name.

    Raises `InputError` if it is not in the trash, or if another run has its name by now; `StoreError`.
    """
    folder = reports / TRASH / str(number)
    try:
        names = [path.name for path in folder.iterdir()] if number > 0 else []
    except OSError:
        names = []
    if not names:
        raise InputError([Problem(str(folder), "there is no such run in the trash", "It may have been restored.")])
    target = reports / names[0]
    if target.exists():
        raise InputError([Problem(str(target), "another run has this name", "Rename or delete that one first.")])
    try:
        (folder / names[0]).rename(target)
        folder.rmdir()
    except OSError as error:
        raise StoreError(f"{target} cannot be restored: {error.strerror or error}") from error
    return names[0]


def empty(reports: Path) -> int:
    """Deletes all runs in the trash for good; returns how many. Raises `StoreError` if something cannot be deleted."""
    count = len(trashed(reports))
    for folder in list(_folders(reports)):
        try:
            shutil.rmtree(folder)
        except FileNotFoundError:
            continue
        except OSError as error:
            raise StoreError(f"{folder} cannot be deleted: {error.strerror or error}") from error
    return count


def _folders(reports: Path) -> Iterator[Path]:
    if (reports / TRASH).is_symlink():  # what lies behind it is no trash, and is not to be deleted
        return
    try:
        yield from [path for path in (reports / TRASH).iterdir() if path.name.isdecimal() and path.name.isascii()]
    except OSError:
        return
