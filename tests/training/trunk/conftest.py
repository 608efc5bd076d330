"""The data of the trunk's tests."""

import zlib
from pathlib import Path
from typing import Any

import pytest

from tests.support.paths import DATA
from tests.training.trunk.little_data import SIZES, first_collection, second_collection
from training import written_rows
from training.fits import Fit
from training.written_rows import ABOUT, Kind, Part

WRITTEN = 8
"""Of so many groups of written rows that are trained on, one is: all make 280,000 pairs an epoch."""


@pytest.fixture
def data(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder with a little of every set, and sizes that suit it."""
    monkeypatch.setattr("training.match.TEST_QUESTIONS", 2)
    monkeypatch.setattr("training.match.VALIDATION_QUESTIONS", 1)
    for name in (
        "yes_no.VALIDATION",
        "trunk.readings.VALIDATION",
        "trunk.talk.VALIDATION",
        "trunk.measures.VALIDATION",
    ):
        monkeypatch.setattr(f"training.{name}", 1)
    for name in ("trunk.talk.CHOOSING", "trunk.measures.CHOOSING"):
        monkeypatch.setattr(f"training.{name}", 2)
    for name in (*SIZES, "answers.FROM_WORDNET", "answers.FORMS"):
        monkeypatch.setattr(f"training.trunk.{name}", 3)
    fits = [Fit(("a fact.",), "said back", True, "true"), Fit(("a fact.",), "salad", False, "salad")]
    fits.append(Fit(("Is it number 2?",), "It is 2, said 2.", True, "true"))
    monkeypatch.setattr("training.trunk.talk.drawn_fits", lambda data, seed: (fits, fits))
    written = [["Do you like tea?", "Not in the morning, no."], ["Is it cold out?", "Cold enough for a thick coat."]]
    monkeypatch.setattr("training.trunk.talk.fitting_written", lambda: written)
    monkeypatch.setattr(written_rows, "_read", _read_some)
    monkeypatch.setattr("training.trunk.measures.LABELLED", thin(tmp_path / "labelled"))
    first_collection(tmp_path)
    second_collection(tmp_path / "second")
    return tmp_path


def thin(folder: Path) -> Path:
    """Write every seventh of the project's labelled replies into a new folder: they lie in groups of five."""
    folder.mkdir()
    for path in (DATA / "judging").glob("*.jsonl"):
        lines = path.read_text(encoding="utf-8").splitlines(keepends=True)
        (folder / path.name).write_text("".join(lines[::7]), encoding="utf-8")
    return folder


_read_all = written_rows._read


def _read_some(kind: Kind) -> tuple[tuple[Part, dict[str, Any]], ...]:
    """Read some groups of the written rows that are trained on, each with all of its rows, and all that measure."""
    rows = ((str(row[ABOUT[kind]] or row.get("text")), part, row) for part, row in _read_all(kind))
    return tuple(
        (part, row) for group, part, row in rows if part != "train" or zlib.crc32(group.encode()) % WRITTEN == 0
    )
