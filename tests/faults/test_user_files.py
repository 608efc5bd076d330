"""Damaged, hostile and misplaced files of users: each is read, or refused with its name and what to do."""

import gzip
import json
import os
import re
import zipfile
from collections.abc import Callable
from pathlib import Path

import pytest

from chattest.cli.commands import main
from chattest.errors import InputError
from chattest.files import reading
from chattest.settings.file import read_settings
from chattest.storage import emely
from tests.soak.damaged_files import check, patience
from tests.soak.good_files import KINDS, SAVED, GoodFile
from tests.support.own_questions import questions, refused

TEXTS = [kind for kind in KINDS if kind not in ("workbook", "csv.gz", "jsonl.gz", "locomo packed", "figures")]


def outcome(good: GoodFile, path: Path) -> str:
    """What the user is told of a file; empty where it is read. A wait of a minute fails."""
    try:
        with patience():
            good.read(path)
    except InputError as error:
        return str(error)
    return ""


@pytest.mark.parametrize("kind", KINDS)
def test_a_damaged_file_is_read_or_refused_with_its_name(tmp_path: Path, kind: str) -> None:
    figures = check(kind, 50 if kind == "workbook" else 15, 3, tmp_path)
    assert not figures.faults, str(figures)
    assert figures.refused


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("what", ["pipe", "folder", "device", "nothing"])
def test_what_is_no_regular_file_is_refused_and_never_waited_for(tmp_path: Path, kind: str, what: str) -> None:
    path = KINDS[kind].make(tmp_path)
    path.unlink()
    if what == "pipe":
        os.mkfifo(path)
    elif what == "folder":
        path.mkdir()
    elif what == "device":
        path.symlink_to("/dev/zero")
    told = outcome(KINDS[kind], path)
    # Of a folder of test sets and of answers, a missing file is not missed.
    assert path.name in told or what == "nothing"


@pytest.mark.parametrize("kind", TEXTS)
@pytest.mark.parametrize(
    ("spoil", "why"),
    [
        (lambda text: text.encode("utf-16"), "UTF-16"),
        (lambda text: b"\xe4\xff" + text.encode(), "UTF-8"),
        (lambda text: text.encode() + b"\n\xe4\n", "UTF-8"),
        (lambda text: text.encode() + b"\n\0\n", ""),
    ],
)
def test_other_encodings_are_told(tmp_path: Path, kind: str, spoil: Callable[[str], bytes], why: str) -> None:
    path = KINDS[kind].make(tmp_path)
    path.write_bytes(spoil(path.read_text("utf-8")))
    told = outcome(KINDS[kind], path)
    assert path.name in told
    if path.suffix in (".toml", ".yaml", ".csv", ".txt", ".py"):
        assert why in told


@pytest.mark.parametrize("kind", [kind for kind in TEXTS if kind not in ("conversation", "tests", "answers")])
def test_a_byte_order_mark_does_no_harm(tmp_path: Path, kind: str) -> None:
    path = KINDS[kind].make(tmp_path)
    path.write_bytes(b"\xef\xbb\xbf" + path.read_bytes())
    assert outcome(KINDS[kind], path) == ""


def bomb_of_rows(path: Path) -> None:
    with gzip.open(path, "wb", compresslevel=1) as packed:
        for _ in range(100):
            packed.write(b"question\n" + b"a\n" * 500_000)


def bomb_of_a_member(member: str) -> Callable[[Path], None]:
    def make(path: Path) -> None:
        KINDS["workbook"].make(path.parent)
        with zipfile.ZipFile(path, "a" if path.suffix == ".xlsx" else "w", zipfile.ZIP_DEFLATED) as archive:
            archive.writestr(member, b"[" + b" " * 100 * 2**20 + b"]")

    return make


BOMBS: dict[str, tuple[str, Callable[[Path], None]]] = {
    "csv.gz": ("a.csv.gz", bomb_of_rows),
    "jsonl.gz": ("a.jsonl.gz", bomb_of_rows),
    "workbook": ("a.xlsx", bomb_of_a_member("xl/sharedStrings2.xml")),
    "locomo packed": ("locomo.zip", bomb_of_a_member("a.json")),
}


@pytest.mark.parametrize("kind", BOMBS)
def test_what_unpacks_to_hundreds_of_times_its_size_is_refused(tmp_path: Path, kind: str) -> None:
    name, make = BOMBS[kind]
    make(tmp_path / name)
    assert "unpacks to more than 200 times its size" in outcome(KINDS[kind], tmp_path / name)


def test_what_is_larger_than_any_table_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """With small limits, as files of a gigabyte would take the test minutes."""
    (tmp_path / "a.csv").write_text("question\n" + "Where?\n" * 100)
    monkeypatch.setattr("chattest.datasets.own.table.MOST_CELLS", 150)
    assert "a.csv: has more than 150 cells" in refused(tmp_path, ["a.csv"])[0]
    (tmp_path / "a.jsonl").write_text('{"question": "Where?"}\n' * 100)
    assert "a.jsonl: has more than 150 cells" in refused(tmp_path, ["a.jsonl"])[0]
    with pytest.raises(InputError, match=r"a\.csv: has more than 10 bytes"):
        reading.read_bytes(tmp_path / "a.csv", 10)


def spoilt(path: Path, member: str, change: Callable[[str], str]) -> None:
    """A workbook whose member is changed."""
    KINDS["workbook"].make(path.parent)
    with zipfile.ZipFile(path) as archive:
        members = {name: archive.read(name) for name in archive.namelist()}
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, content in members.items():
            archive.writestr(name, change(content.decode()) if name == member else content)


SHEET = "xl/worksheets/sheet1.xml"
LAUGHS = '<!DOCTYPE a [<!ENTITY b "ha"><!ENTITY c "&b;&b;&b;">]>'
WORKBOOKS: dict[str, tuple[str, Callable[[str], str], str]] = {
    "a row of a billion": (SHEET, lambda xml: xml.replace('<row r="3"', '<row r="1000000000"'), "1,048,576 rows"),
    "a number of digits": (SHEET, lambda xml: xml.replace("<v>7<", f"<v>{'9' * 5000}<", 1), 'sheet "Sheet", row '),
    "entities": (SHEET, lambda xml: xml.replace("<worksheet", f"{LAUGHS}<worksheet", 1), "document type"),
    "a row of elements": (SHEET, lambda xml: xml.replace("</row>", "<c/>" * 600_000 + "</row>", 1), "500,000 elements"),
    "a style": ("xl/styles.xml", lambda xml: xml + " " * 9 * 2**20, "xl/styles.xml: has more than 8 MiB"),
    "no sheets": ("xl/workbook.xml", lambda xml: re.sub("<sheets>.*</sheets>", "<sheets/>", xml), "has no sheet"),
    "a text that is not there": (SHEET, lambda xml: xml.replace("<v>1<", "<v>999999<"), 'sheet "Sheet", row '),
}


@pytest.mark.parametrize("what", WORKBOOKS)
def test_a_workbook_that_is_right_as_an_archive_alone(tmp_path: Path, what: str) -> None:
    member, change, why = WORKBOOKS[what]
    spoilt(tmp_path / "a.xlsx", member, change)
    told = refused(tmp_path, ["a.xlsx"])[0]
    assert told.startswith("a.xlsx")
    assert why in told


@pytest.mark.parametrize("kind", ["qa", "update", "questions", "dialogue", "gates", "articles of TOML"])
@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("a." * 100_000 + "a = 1", "a key of more than 100 parts"),
        ("[" + "a." * 100_000 + "a]", "a key of more than 100 parts"),
        ('x = {"a".' + "'b'." * 100_000 + "a = 1}", "a key of more than 100 parts"),
        ("a = " + "[" * 100_000, "too deep"),
        ("a = " + "9" * 5000, "4,300 digits"),
        ("a = 0x" + "f" * 5000, "4,300 digits"),
        ("a = 1\na = 2", "overwrite"),
        ('a = "' + "x" * 9 * 2**20 + '"', "more than 8 MiB"),
    ],
    ids=["key", "table", "quoted", "deep", "digits", "hex", "twice", "large"],
)
def test_toml_that_would_take_hours_or_memory_is_refused_at_once(
    tmp_path: Path, kind: str, text: str, why: str
) -> None:
    path = KINDS[kind].make(tmp_path)
    path.write_text(text)
    assert why in outcome(KINDS[kind], path)


def test_long_names_in_texts_and_comments_are_no_keys(tmp_path: Path) -> None:
    path = KINDS["dialogue"].make(tmp_path)
    dots = "a." * 500
    path.write_text(f"# {dots}\n[[line]]\nsay = \"{dots}\"\n[[line]]\nsay = '''\n{dots}b'''\n")
    assert KINDS["dialogue"].read(path) == [dots, f"{dots}b"]


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("a:\n  t: {min_pass_rate: 0.5}\n  t: {min_pass_rate: 0.1}", 'the key "t" is there twice, in lines 3 and 4'),
        ("a: &a\n  b: *a", "more than 100,000 values"),
        ("\n".join([f"x{n}: &x{n} [{', '.join([f'*x{n - 1}'] * 9 if n else ['1'])}]" for n in range(12)]), "100,000"),
    ],
)
def test_a_yaml_file_loses_no_gate_and_does_not_multiply(tmp_path: Path, text: str, why: str) -> None:
    path = tmp_path / "gates.yaml"
    path.write_text("behavioral_tests:\n  " + text.replace("\n", "\n  "))
    assert why in outcome(KINDS["gates of YAML"], path)


def test_emelys_half_a_character(tmp_path: Path) -> None:
    path = tmp_path / "conversation_1.txt"
    head, mark, sets = (SAVED / "seed-planted.txt").read_text("utf-8").rpartition("test_sets{")
    path.write_text(head + mark.replace("{", "{'\\ud83d': [], ") + sets)
    with pytest.raises(InputError, match=r"conversation_1\.txt:\d+: test_sets contains something other"):
        emely.read(path, 1)


@pytest.mark.parametrize("number", ["1" + "0" * 400, "9" * 5000, "1e999", "True", "nan"])
def test_emelys_numbers_without_end(tmp_path: Path, number: str) -> None:
    path = tmp_path / "conversation_1.txt"
    text = (SAVED / "seed-planted.txt").read_text("utf-8")
    path.write_text(text.replace("test_ids[", f"test_ids[{number}, ", 1))
    with pytest.raises(InputError, match=r"conversation_1\.txt:\d+: "):
        emely.read(path, 1)


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("a.jsonl", '{"question": "Where \\ud83d?"}\n'),
        ("a.json", '[{"question": "Where?", "answers": ["\\ud83d"]}]'),
        ("a.json", '[{"question": "Where?", "group": "\\udc00"}]'),
        ("a.jsonl", '{"question": "Where?", "answers": ' + "9" * 5000 + "}\n"),
        ("a.jsonl", '{"question": ' + "[" * 100_000 + "\n"),
    ],
)
def test_json_that_no_report_could_hold_is_told_with_its_line(tmp_path: Path, name: str, text: str) -> None:
    (tmp_path / name).write_text(text)
    told = refused(tmp_path, [name])[0]
    assert told.startswith(f"{name}:1")


@pytest.mark.parametrize(
    "line",
    [
        "seed = 10**5000",
        "max_runs = 10**9",
        "conversation_length = 10**9",
        "max_runs = 100_000; conversation_length = 5_000",
        "haystack_tokens = 10**12",
        'chatter_options = {"eliza": {"a": 10**5000}}',
        'chatter_options = {"eliza": {"a": "\\ud83d"}}',
        'p = {"ML-U3": 10**5000}',
        "check_questions = 10**30",
        'maxsets = {"ML-I1": 10**30}',
        "reply_timeout = 1e300",
        "predefined_conv_chatter1 = ['\\0']",
        "a = []; a.append(a); convarray_init = a",
        "import sys; sys.exit(3)",
        "raise RecursionError",
        "max_runs = (" + "-" * 10_000 + "1)",
        "max_runs = " + "(" * 5_000,
    ],
)
def test_a_setting_too_large_to_plan_or_to_write_is_told_with_its_line(tmp_path: Path, line: str) -> None:
    path = tmp_path / "config.py"
    path.write_text(f"\n{line}\n")
    with pytest.raises(InputError, match=r"config\.py") as error:
        read_settings(path)
    str(error.value).encode()


def test_whatever_a_spreadsheet_wrote_is_read_as_it_stands(tmp_path: Path) -> None:
    """Only the files of chattest itself are unescaped."""
    (tmp_path / "a.csv").write_text("question,answers\n'=1+1?,'-2\n")
    (read,) = questions(tmp_path, ["a.csv"])
    assert (read.question.text, read.answer) == ("'=1+1?", "'-2")


def test_a_key_of_a_json_file_with_any_number(tmp_path: Path) -> None:
    path = tmp_path / "figures.json"
    for number in ("1e999", "9" * 400, "-1", "NaN"):
        figures = {"open": {"n": 9, "n_true": 5, "recall": 0.8, "specificity": 0.9, "threshold": 0.5}}
        path.write_text(json.dumps(figures).replace("9,", f"{number},"))
        outcome(KINDS["figures"], path)


@pytest.mark.parametrize(
    ("given", "why"),
    [
        (["--set", 'check_files=["a.xlsx"]', "check", "accuracy"], "a.xlsx: cannot be read as a workbook: "),
        (["--set", 'check_files=["a.csv.gz"]', "check", "accuracy"], "a.csv.gz: cannot be unpacked: "),
        (["--set", "max_runs=1000000000", "plan"], "max_runs: must be 100000 or less"),
        (["--set", "conversation_length=1000000000", "plan"], "conversation_length: must be 5000 or less"),
        (["--set", "max_runs=100000", "plan"], "100,000 conversations of 40 rounds are 4,000,000 rounds"),
        (["--config", "pipe.py", "plan"], "pipe.py: is no regular file"),
    ],
)
def test_the_command_tells_it_in_plain_words(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], given: list[str], why: str
) -> None:
    for name in ("a.xlsx", "a.csv.gz"):
        (tmp_path / name).write_bytes(b"PK\x03\x04" * 30)
    os.mkfifo(tmp_path / "pipe.py")
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr("sys.argv", ["chattest", *given])
    with patience(), pytest.raises(SystemExit) as ended:
        main(tmp_path, "chattest")
    assert ended.value.code == 2
    assert why in capsys.readouterr().err.replace(f"{tmp_path}/", "")
