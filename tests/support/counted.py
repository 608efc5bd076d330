"""A run whose files a test has changed by hand, counted anew as if chattest had written them so."""

from pathlib import Path

from chattest.storage.inventory import count_files
from chattest.storage.run_folder import read_state, write_state


def recount(folder: Path) -> None:
    """Make run.json tell of the files as they are now."""
    content = read_state(folder)
    write_state(folder, {**content, "holds": count_files(folder, folder / "conversations")})
