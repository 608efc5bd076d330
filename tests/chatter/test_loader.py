"""Finding chatters: a file that cannot be imported is told, whatever it does."""

from pathlib import Path

import pytest

from chattest.chatter.loader import chatter_names, find_chatter, find_shipped_chatter
from chattest.errors import InputError
from tests.support.paths import CHATTERS


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


@pytest.mark.parametrize("name", ["oracle", "amnesiac", "blabber", "leaky"])
def test_a_shipped_control_is_found_by_its_name(tmp_path: Path, name: str) -> None:
    for folder in (CHATTERS, tmp_path):
        assert name in chatter_names(folder)
        cls = find_chatter(name, folder)
        assert cls.__module__.endswith(f"chatters.controls.{name}")
        cls.load(cls.Options())


def test_a_control_of_the_project_hides_the_shipped_one(tmp_path: Path) -> None:
    folder = tmp_path / "chatters"
    (folder / "controls").mkdir(parents=True)
    (folder / "controls" / "oracle.py").write_text("def get_response(history):\n    return 'Mine'\n")
    assert chatter_names(folder) == chatter_names(tmp_path)
    assert find_chatter("oracle", folder)().get_response([]) == "Mine"
    assert find_shipped_chatter("oracle", folder) is None
    assert find_shipped_chatter("leaky", folder) is not None


def test_a_short_name_means_the_shipped_chatter_unless_the_project_has_one(tmp_path: Path) -> None:
    assert find_chatter("blenderbot", tmp_path) is find_chatter("blenderbot_400M", tmp_path)
    (tmp_path / "blenderbot.py").write_text("def get_response(history):\n    return 'Mine'\n")
    assert find_chatter("blenderbot", tmp_path)().get_response([]) == "Mine"
