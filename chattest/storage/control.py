"""Pause, resume and stop a run from outside: by files in its folder, which the run checks between rounds.

Anyone who may write to the folder may do it, from a browser or by hand: `touch reports/first-run/.pause`.
"""

from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from threading import Event

from chattest.errors import InputError, Problem, StoreError
from chattest.files.links import refuse_links
from chattest.storage.run_folder import is_in_use, read_run_plan, read_run_state

PAUSE = ".pause"
"""While this file exists, conversations wait after their round, and no further question is asked."""
STOP = ".stop"
"""Once this file exists, the run ends as at the first Ctrl-C: after the current round; the turns so far are judged."""
LOOK = 0.2
"""Seconds between two looks while a run waits."""
ACTIONS = ("pause", "resume", "stop")
"""The commands for a run."""


def do_nothing() -> None:
    """Do nothing between rounds, if nobody can pause."""


class Control:
    """Checks the files for the run."""

    def __init__(self, folder: Path, stop: Event) -> None:
        """Delete the files that an earlier run left.

        Args:
            folder: the run's, locked.
            stop: is set when `STOP` appears.
        """
        self._pause, self._stop_file = folder / PAUSE, folder / STOP
        self._stop = stop
        self.clear()

    def between(self) -> None:
        """Return at once, or after a pause when the run is to continue or stop. Each thread calls it between rounds."""
        while True:
            if self._stop_file.exists():
                self._stop.set()
            if self._stop.is_set() or not self._pause.exists():
                return
            self._stop.wait(LOOK)

    def clear(self) -> None:
        """Delete the files, as far as the disk allows."""
        for path in (self._pause, self._stop_file):
            with suppress(OSError):
                path.unlink(missing_ok=True)


Between = Callable[[], None]


def send_command(folder: Path, action: str) -> None:
    """Pause, resume or stop a run that talks.

    Args:
        folder: the run's.
        action: one of `ACTIONS`.

    Raises:
        InputError: there is no such action, or no run talks in the folder.
        StoreError: the folder cannot be written.
    """
    if action not in ACTIONS:
        raise InputError([Problem("action", f'"{action}" is not one of {", ".join(ACTIONS)}')])
    refuse_links(folder)
    if read_run_state(folder) != "talking" or not is_in_use(folder):
        remedy = "It may have ended by now. Runs are judged to their end; one that was interrupted goes on when it is "
        remedy += "started again."
        raise InputError([Problem(str(folder), f"no run talks here, so there is nothing to {action}", remedy)])
    if read_run_plan(folder) is None:
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
    """Return True if a run was asked to pause."""
    return (folder / PAUSE).exists()


def is_stopping(folder: Path) -> bool:
    """Return True if a file asks a run to stop."""
    return (folder / STOP).exists()
