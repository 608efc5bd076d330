"""Parts are found by their presence, and names are told apart."""

import importlib
import sys
from pathlib import Path

import pytest

from chattest.cases.base import all_cases, cases
from chattest.errors import InputError, suggest
from chattest.registry import Registry


def test_a_name_that_is_taken_is_refused_with_both_places() -> None:
    parts: Registry[object] = Registry("part", "chattest.parts")
    parts.register("one")(type("First", (), {}))
    with pytest.raises(ValueError, match='part "one" is registered twice'):
        parts.register("one")(type("Second", (), {}))


def test_the_files_of_a_folder_are_its_parts(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    package = tmp_path / "shelf_of_parts"
    package.mkdir()
    made = "from chattest.registry import Registry\nparts = Registry('part', 'chattest.parts', __name__)\n"
    (package / "__init__.py").write_text(made)
    for name in ("b_part", "a_part"):
        text = f"from shelf_of_parts import parts\n\n@parts.register('{name[0]}')\nclass Part:\n    pass\n"
        (package / f"{name}.py").write_text(text)
    monkeypatch.syspath_prepend(tmp_path)
    from shelf_of_parts import parts  # type: ignore[import-not-found]

    importlib.import_module("shelf_of_parts.b_part")  # does not come first for that

    try:
        assert parts.names() == ["a", "b"]
        assert "a" in parts
        assert "c" not in parts
        assert [type(part).__module__ for part in parts] == ["shelf_of_parts.a_part", "shelf_of_parts.b_part"]
        assert parts.get("a") is parts.get("a")
    finally:
        for name in [name for name in sys.modules if name.startswith("shelf_of_parts")]:
            del sys.modules[name]


def test_an_unknown_name_is_told_with_the_nearest_one() -> None:
    with pytest.raises(InputError, match=r'config.py:3: there is no case "ml-u3"(.|\n)*Did you mean "ML-U3"\?'):
        cases.get("ml-u3", "config.py:3")


@pytest.mark.parametrize(
    ("name", "known", "said"),
    [
        ("alcie", ["alice", "eliza"], 'Did you mean "alice"?'),
        ("zzz", ["alice", "eliza"], "Known: alice, eliza."),
        ("zzz", [], "There are none."),
        ("zzz", [f"name{number}" for number in range(40)], "`python main.py list` shows all names."),
    ],
)
def test_what_is_said_of_an_unknown_name(name: str, known: list[str], said: str) -> None:
    assert suggest(name, known) == said


def test_the_cases_in_their_order() -> None:
    numbers = {
        "U": [3, 4, 5, 6],
        "I": [1, 2, 3, 4, 5, 6, 7, 13],
        "M": [1, 2, 3, 4, 5, 6, 7, 8, 10],
        "P": [1],
        "S": [1],
        "A": [6, 7],
    }
    codes = [f"ML-{letter}{number}" for letter, found in numbers.items() for number in found]
    codes.insert(codes.index("ML-I13"), "ML-M9")  # by its name a matter of intelligence
    assert [found.code for found in all_cases()] == codes
    assert len({found.name for found in all_cases()}) == len(codes)
    assert len({found.alias for found in all_cases() if found.alias}) == 15


def test_aliases_are_those_of_the_reference() -> None:
    """As the reference implementation renamed them; I2, I3 and U3 to U6 kept their numbers."""
    renamed = {
        "I1": "I5",
        "I4": "I8",
        "I5": "I10",
        "I6": "I9",
        "I7": "I11",
        "I13": "I1",
        "P1": "P2",
        "A6": "A4",
        "A7": "A3",
    }
    for found in all_cases():
        bare = found.code.removeprefix("ML-")
        assert found.alias == ("" if bare[0] in "MS" else renamed.get(bare, bare))
