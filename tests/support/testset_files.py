"""Test sets in files of a test."""

from pathlib import Path

from chattest.datasets.selection import FOLDERS
from chattest.datasets.testsets import read_testsets
from chattest.records.plan import TestSet


def read(folder: Path, **files: str) -> dict[str, list[TestSet]]:
    """Test sets written as `kind__name="content"`; the other folders stay empty, so that nothing shipped is read."""
    for kind in FOLDERS:
        (folder / kind).mkdir(exist_ok=True)
    for key, content in files.items():
        kind, _, name = key.partition("__")
        (folder / kind).mkdir(exist_ok=True)
        (folder / kind / f"{name.replace('_', '-')}.toml").write_text(content)
    return read_testsets(folder)
