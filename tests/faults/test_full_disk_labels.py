"""Labels on a disk that is full: what is acknowledged is in the file, in the terminal and in the app."""

import re
from pathlib import Path

import pytest

from tests.support.labelling import label_in_app, label_in_terminal, labelled_by
from tests.support.process import NAME, project, run
from tests.support.web_process import viewing

pytestmark = pytest.mark.slow

LIMIT = 3000
"""Bytes that a file may have: room for about ten labels."""


@pytest.fixture
def held(tmp_path: Path) -> Path:
    """A project with a run that can be reviewed."""
    folder = project(tmp_path / "project")
    code, printed = run(folder)
    assert code == 0, printed
    return folder


def test_the_terminal_says_what_it_could_not_save(held: Path) -> None:
    acknowledged, printed = label_in_terminal(held, NAME, "anna", 20, LIMIT)
    assert 0 < acknowledged < 20
    assert len(labelled_by(held / "reports" / NAME, "anna")) == acknowledged
    assert re.search(r"Not saved, and not counted: .*labels\.jsonl cannot be written: File too large", printed)
    assert "Free space on the disk" in printed


def test_the_app_says_what_it_could_not_save_and_keeps_what_was_typed(held: Path) -> None:
    with viewing(held, LIMIT * 12) as client:  # its index must fit
        folder = held / "reports" / NAME
        (folder / "labels.jsonl").write_text("\n" * (LIMIT * 12 - 1500))
        acknowledged, errors = label_in_app(client, NAME, "ben", 12)
    assert errors
    assert all("cannot be written" in error for error in errors)
    assert 0 < len(acknowledged) < 12
    assert labelled_by(folder, "ben") == acknowledged
