"""Finding chatters: a file that cannot be imported is told, whatever it does."""

from pathlib import Path

import pytest

from chattest.chatter.loader import find_chatter
from chattest.errors import InputError


@pytest.mark.parametrize(
    ("code", "why"),
    [
        ("import nowhere_at_all", "No module named"),
        ("import sys\nsys.exit(0)", "SystemExit: 0"),
        ("import sys\nsys.exit('set KEY')", "set KEY"),
        ("1 / 0", "division by zero"),
    ],
)
def test_a_file_that_cannot_be_imported_is_told(tmp_path: Path, code: str, why: str) -> None:
    (tmp_path / "mine.py").write_text(f"{code}\n")
    with pytest.raises(InputError, match='chatter "mine" cannot be imported') as told:
        find_chatter("mine", tmp_path, "chatters[1]")
    assert why in str(told.value)
