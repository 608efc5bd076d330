"""The project that the app serves. It rejects names that lead out of the folder of runs."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from chattest.errors import InputError, Problem
from chattest.files.home import shorten_path
from chattest.files.links import refuse_links

if TYPE_CHECKING:
    from chattest.settings.declaration import Settings


class NotThereError(InputError):
    """A name in an address belongs to nothing; shown with status 404."""


@dataclass(frozen=True, slots=True)
class Project:
    """The project that the app serves."""

    root: Path
    """The project's folder, which may hold config.py, chatters/ and testsets/."""
    reports: Path
    """The folder of runs. It need not exist."""
    program: str = "python main.py"
    """How the user calls the command line, for messages."""
    overrides: tuple[str, ...] = ()
    """Settings from the command line, each as `name=value`."""
    config: Path | None = None
    """The settings file, if one was named."""
    allow_commands: bool = False
    """Whether visitors may choose chatters, options and settings that run programs and open files and addresses."""

    @property
    def shown(self) -> Path:
        """The folder of runs as the user would write it."""
        return shorten_path(self.reports)

    def run(self, name: str) -> Path:
        """Return the folder of a run.

        Raises:
            NotThereError: there is no such run.
            InputError: a link lies in the folder.
        """
        folder = self.reports / name
        if not is_plain(name) or not folder.is_dir() or not (folder / "run.json").exists():
            remedy = "It may have been deleted or renamed. All runs are on the first page."
            raise NotThereError([Problem(str(folder), "there is no run of this name", remedy)])
        refuse_links(folder)
        return folder

    def names(self) -> list[str]:
        """Return the names of the runs, finished or not, sorted."""
        try:
            folders = [path for path in self.reports.iterdir() if is_plain(path.name)]
        except OSError:
            return []
        return sorted(path.name for path in folders if (path / "run.json").exists())

    def settings(self) -> Settings:
        """Read the project's settings from their file. Raises `InputError`."""
        from chattest.settings.file import read_with_places

        config = self.config or self.root / "config.py"
        return read_with_places(config if config.exists() else None, self.overrides, lambda values, locations: [])[0]


def is_plain(name: str) -> bool:
    """Return True if a name can be that of a file in a folder: not hidden, and without a path."""
    if len(name.encode("utf-8", "replace")) > 255:  # longer than that of any file
        return False
    return bool(name) and not name.startswith(".") and not any(sign in name for sign in "/\\:\0") and name.isprintable()
