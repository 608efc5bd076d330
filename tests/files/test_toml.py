"""TOML from anywhere: what is wrong with it is told with its line."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from chattest.chatter.loader import find_chatter
from chattest.datasets.questions import read_questions
from chattest.errors import InputError
from chattest.files.toml import find_toml_line, parse_toml
from chattest.settings.gates import read_gates
from tests.support.stand_ins import ROOT

TEXT = """about = "x"

[[pair]]
original = {text = "a"}
[[pair.perturbed]]
text = "b"

[[pair]]
[[pair.perturbed]]
text = "c"
[[pair.perturbed]]
  "kind" = 3
"""


@pytest.mark.parametrize(
    ("place", "line"),
    [
        (("about",), 1),
        (("pair", 0, "original", "text"), 4),
        (("pair", 0, "perturbed", 0, "text"), 6),
        (("pair", 1, "original"), 8),
        (("pair", 1, "perturbed", 0, "text"), 10),
        (("pair", 1, "perturbed", 1, "kind"), 12),
        (("missing",), None),
        (("about", "missing"), 1),
        (("pair", 7, "original"), None),
        ((), None),
    ],
)
def test_a_value_is_found_on_its_line(place: tuple[str | int, ...], line: int | None) -> None:
    assert parse_toml(TEXT)
    assert find_toml_line(TEXT, place) == line


@pytest.mark.parametrize(
    ("text", "path", "line"),
    [
        ('a = """\nb = 1\n"""\nb = 2\n', ("b",), 4),
        ("[x]\nk = 1\n[y]\nk = 2\n", ("y", "k"), 4),
        ("[x]\n# k = 1\n[ x . y ]\n\nk = 2\n", ("x", "y", "k"), 5),
        ("a.b = 1\na.c = 2\n", ("a", "c"), 2),
        ("gate = [\n {p = 1}, # the first\n {p = 2},\n]\n", ("gate", 1, "p"), 3),
        ("l = [\n 1,\n [2,\n3],\n]\n", ("l", 1, 1), 4),
        ("l = [\n 1,\n]\n", ("l", 7), 1),
        ("l = 1\n", ("l", 0), 1),
        ('\r\n"a\\u0062.c" = 1\r\n', ("ab.c",), 2),
        ("[[p]]\n[[p.q]]\n[[p]]\n[[p.q]]\n[[p.q]]\n[p.q.r]\nk = 1\n", ("p", 1, "q", 1, "r", "k"), 7),
        ("'' = 1\n'ü' = 2\n", ("ü",), 2),
    ],
)
def test_a_value_is_found_however_toml_writes_it(text: str, path: tuple[str | int, ...], line: int) -> None:
    assert parse_toml(text)
    assert find_toml_line(text, path) == line


def test_every_value_of_the_shipped_files_is_found() -> None:
    """The line of each holds its key, or, in a list, the value itself."""
    files = sorted((ROOT / "testsets").rglob("*.toml"))
    checked = 0
    for file in files[::3]:
        text = file.read_text("utf-8")
        lines = text.splitlines()
        for path, value in _leaves(parse_toml(text)):
            line = find_toml_line(text, path)
            assert line is not None, (file, path)
            wanted = path[-1] if isinstance(path[-1], str) else str(value)[:8]
            assert wanted in lines[line - 1], (file, path, line)
            checked += 1
            if checked % 40 == 0:
                break
    assert checked > 100


def _leaves(value: object, path: tuple[str | int, ...] = ()) -> Iterator[tuple[tuple[str | int, ...], object]]:
    inner = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else None
    if inner is None:
        yield path, value
    else:
        for part, held in inner:
            yield from _leaves(held, (*path, part))


def test_what_breaks_the_reader_is_refused() -> None:
    with pytest.raises(ValueError, match="too deep"):
        parse_toml(f"a = {'[' * 100_000}")
    with pytest.raises(ValueError, match="digits"):
        parse_toml(f"a = {'9' * 5000}")


def test_a_wrong_question_is_told_with_its_line(tmp_path: Path) -> None:
    (tmp_path / "questions").mkdir()
    file = tmp_path / "questions" / "cats.toml"
    file.write_text('about = "cats"\n[[question]]\ntext = "a?"\n[[question]]\ntext = "b?"\nanswr = "c"\n')
    with pytest.raises(InputError) as refused:
        read_questions(tmp_path)
    assert str(refused.value) == f"{file}:6: question[1].answr: is not known here"


def test_a_wrong_gate_is_told_with_its_line(tmp_path: Path) -> None:
    file = tmp_path / "gates.toml"
    file.write_text('[[gate]]\npattern = "a"\nmin_pass_rate = 1\n\n[[gate]]\npattern = "b"\nmin_pass_rate = 90\n')
    with pytest.raises(InputError, match=rf"{file}:7: gate 2: min_pass_rate: must be 1 or less"):
        read_gates(file)


@pytest.mark.slow
@pytest.mark.parametrize("text", ["a: 2026-13-45", "a: &a [*a, *b]", "{" * 3000, "a: !!python/object:os.system x"])
def test_gates_that_are_no_plain_data_are_refused(tmp_path: Path, text: str) -> None:
    file = tmp_path / "gates.yaml"
    file.write_text(text)
    with pytest.raises(InputError, match="is not YAML"):
        read_gates(file)


def test_a_wrong_line_of_a_dialogue_is_told_with_its_line(tmp_path: Path) -> None:
    file = tmp_path / "talk.toml"
    file.write_text('[[line]]\nsay = "a"\n[[line]]\nsay = ""\n')
    script = find_chatter("script", ROOT / "chatters")
    with pytest.raises(InputError, match=rf"{file}:4: line\[1\].say: must not be empty"):
        script.load(script.Options(file=file))
