"""How a run is paused, resumed and stopped from outside: by files in its folder, which it looks for between rounds.

Whoever may write to the folder may do it, from a browser or by hand: `touch reports/first-run/.pause`.
"""

from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from threading import Event

from chattest.errors import InputError, Problem, StoreError
from chattest.files.links import refuse_links
from chattest.storage.run_folder import is_in_use, saved_plan, saved_state

PAUSE = ".pause"
"""While this file exists, conversations wait after their round, and no further question is asked."""
STOP = ".stop"
"""Once this file exists, the run ends as at the first Ctrl-C: after the current round, and what was said is judged."""
LOOK = 0.2
"""Seconds between two looks while a run waits."""
ACTIONS = ("pause", "resume", "stop")
"""What can be asked of a run."""


def nothing() -> None:
    """What is called between rounds where nobody can pause."""


class Control:
    """The run's side: looks for the files."""

    def __init__(self, folder: Path, stop: Event) -> None:
        """folder: the run's, locked; files that an earlier run left are deleted. stop: set when `STOP` appears."""
        self._pause, self._stop_file = folder / PAUSE, folder / STOP
        self._stop = stop
        self.clear()

    def between(self) -> None:
        """Called between rounds, by each thread: returns at once, or when the run goes on or is to stop."""
        while True:
            if self._stop_file.exists():
                self._stop.set()
            if self._stop.is_set() or not self._pause.exists():
                return
            self._stop.wait(LOOK)

    def clear(self) -> None:
        """Deletes the files, as far as the disk allows."""
        for path in (self._pause, self._stop_file):
            with suppress(OSError):
                path.unlink(missing_ok=True)


Between = Callable[[], None]


def command(folder: Path, action: str) -> None:
    """Asks something of a run that talks. action: one of `ACTIONS`.

    Raises `InputError` if it is none, or if no run talks in the folder; `StoreError` if the folder cannot be written.
    """
    if action not in ACTIONS:
        raise InputError([Problem("action", f'"{action}" is not one of {", ".join(ACTIONS)}')])
    refuse_links(folder)
    if saved_state(folder) != "talking" or not is_in_use(folder):
        remedy = "It may have ended by now. Runs are judged to their end; one that was interrupted goes on when it is "
        remedy += "started again."
        raise InputError([Problem(str(folder), f"no run talks here, so there is nothing to {action}", remedy)])
    if saved_plan(folder) is None:
        remedy = "Press Ctrl-C in its terminal to stop it; the same command then resumes it."
        raise InputError([Problem(str(folder), "a run of this kind cannot be paused from here", remedy)])
    try:
        if action == "pause":
            (folder / PAUSE).touch()
            return
        if action == "stop":
            (folder / STOP).touch()
        (folder / PAUSE).unlink(missing_ok=True)
    except OSError as error:
        raise StoreError(f"{folder} cannot be written: {error.strerror or error}") from error


def is_pausing(folder: Path) -> bool:
    """Whether a run was told to pause."""
    return (folder / PAUSE).exists()


def is_stopping(folder: Path) -> bool:
    """Whether a run was told to stop by a file."""
    return (folder / STOP).exists()
