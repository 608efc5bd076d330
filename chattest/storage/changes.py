"""Change a run's folder: one change at a time across processes, and only in the intended run."""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from chattest.errors import InputError, Problem, StoreError
from chattest.files.locks import hold_lock
from chattest.storage.run_folder import read_run_id

LOCK = ".changes.lock"
"""Name of the lock file in a folder while somebody changes its labels or tags, or moves it away."""
PATIENCE = 30
"""Seconds to wait for others who change the same folder."""


class ReplacedError(InputError):
    """Another run has the name of the run that a person meant."""


@contextmanager
def lock_for_change(folder: Path, run_id: str = "") -> Iterator[None]:
    """Keep others from changing a folder. Read what you change inside of the block.

    Args:
        folder: the folder.
        run_id: id of the intended run, as `read_run_id` returned it; empty for any run.

    Raises:
        ReplacedError: another run has the folder by now.
        StoreError: the folder is gone, or others keep it for too long.
    """
    try:
        with hold_lock(folder / LOCK, PATIENCE):
            check_run(folder, run_id)
            yield
    except TimeoutError:
        raise StoreError(f"{folder} cannot be written: another program has kept it for {PATIENCE} seconds") from None
    except FileNotFoundError as error:
        raise StoreError(f"{folder} cannot be written: there is no such folder any more") from error
    except OSError as error:
        raise StoreError(f"{folder} cannot be written: {error.strerror or error}") from error


def check_run(folder: Path, run_id: str) -> None:
    """Raise `ReplacedError` if a folder holds another run than the intended one; see `lock_for_change`."""
    if run_id and read_run_id(folder) != run_id:
        what = "the run that was opened is gone, and another may have its name by now; nothing was changed"
        remedy = "Open the run of this name again, and look whether it is the one that you mean."
        raise ReplacedError([Problem(str(folder), what, remedy)])
