"""Questions of the user's own, from real files of every form, and what a user is told about files that are wrong."""

import gzip
import json
import sys
from collections.abc import Callable
from pathlib import Path
from random import Random
from types import SimpleNamespace
from typing import Any

import pytest

from chattest.checks._altered import alter_question
from chattest.datasets.questions import LabelledQuestion
from chattest.errors import InputError
from chattest.perturbations.base import resolve
from chattest.settings.declaration import Settings
from chattest.settings.file import read_values
from tests.support.own_questions import questions, refused

Expected = list[tuple[str, bool | str | None, tuple[str, ...]]]
ROWS: list[dict[str, Any]] = [
    {"question": "Where are you?", "answers": ["NYC", "New York City"], "group": "place", "split": "test"},
    {"question": "Are you open?", "answers": "yes", "group": "", "split": "train"},
    {"question": "How many rooms?", "answers": 12, "group": "place", "split": "test"},
    {"question": "Who are you?", "answers": None, "group": None, "split": "train"},
]
READ: Expected = [
    ("Where are you?", "NYC", ("New York City",)),
    ("Are you open?", True, ()),
    ("How many rooms?", "12", ()),
    ("Who are you?", None, ()),
]


def short(entries: list[LabelledQuestion]) -> Expected:
    return [(entry.question.text, entry.answer, entry.also) for entry in entries]


def csv(path: Path) -> None:
    path.write_text(
        "question,answers,group,split\n"
        'Where are you?,"[""NYC"", ""New York City""]",place,test\n'
        "Are you open?,yes,,train\n\nHow many rooms?,12,place,test\nWho are you?,,,train\n"
    )


def semicolons(path: Path) -> None:
    path.write_text(
        "Question;Answers;Group;Split\r\nWhere are you?;NYC / New York City;place;test\r\n"
        "Are you open?;TRUE;;train\r\nHow many rooms?;12;place;test\r\nWho are you?;;;train\r\n",
        encoding="utf-8-sig",
    )


def tabs(path: Path) -> None:
    path.write_text(
        "question\tanswers\tgroup\tsplit\nWhere are you?\t['NYC', 'New York City']\tplace\ttest\n"
        "Are you open?\tyes\t\ttrain\nHow many rooms?\t12\tplace\ttest\nWho are you?\t\t\ttrain"
    )


def json_lines(path: Path) -> None:
    path.write_text("".join(json.dumps(row) + "\n" for row in ROWS))


def packed(path: Path) -> None:
    path.write_bytes(gzip.compress("".join(json.dumps(row) + "\n" for row in ROWS).encode()))


def plain_json(path: Path) -> None:
    path.write_text(json.dumps({"data": ROWS}))


def workbook(path: Path) -> None:
    from openpyxl import Workbook

    book = Workbook()
    sheet = book.active
    assert sheet is not None
    sheet.append(["question", "answers", "group", "split", None])
    for row in ROWS:
        answers = " / ".join(row["answers"]) if isinstance(row["answers"], list) else row["answers"]
        sheet.append([row["question"], answers, row["group"], row["split"]])
    book.save(path)


def data_set(path: Path) -> None:
    datasets = pytest.importorskip("datasets")
    texts = [[str(answer) for answer in [row["answers"]] if answer] for row in ROWS]
    texts[0] = ROWS[0]["answers"]
    rows = [{**row, "answers": answers} for row, answers in zip(ROWS, texts, strict=True)]
    datasets.Dataset.from_list(rows).save_to_disk(str(path))


FORMS: dict[str, Callable[[Path], None]] = {
    "mine.csv": csv,
    "mine.tsv": tabs,
    "other.csv": semicolons,
    "mine.jsonl": json_lines,
    "mine.jsonl.gz": packed,
    "mine.json": plain_json,
    "mine.xlsx": workbook,
    "mine": data_set,
}


@pytest.mark.parametrize("name", FORMS)
def test_every_form_is_read_alike(tmp_path: Path, name: str) -> None:
    FORMS[name](tmp_path / name)
    entries = questions(tmp_path, [name])
    assert short(entries) == READ
    assert [entry.group for entry in entries] == ["place", "", "place", ""]
    stem = name.partition(".")[0]
    assert [entry.testset for entry in entries] == [f"{stem}/{row['split']}" for row in ROWS]
    assert {entry.extract_with for entry in entries} == {row["question"] for row in ROWS}
    (wanted,) = questions(tmp_path, [{"path": name, "splits": ["train"]}], check_files_drawn=1)
    assert wanted.split == "train"


def test_a_data_frame_and_rows_in_memory(tmp_path: Path) -> None:
    from pandas import DataFrame

    frame = DataFrame(ROWS)
    for given in (frame, [frame], ROWS, {"frame": frame, "name": "frame"}):
        assert short(questions(tmp_path, given)) == READ
    mapped = {"frame": frame.rename(columns={"question": "asked"}), "columns": {"question": "asked"}, "name": "mine"}
    assert questions(tmp_path, [mapped])[0].testset == "mine/test"


def test_a_data_frame_is_told_apart_but_never_saved(tmp_path: Path) -> None:
    from pandas import DataFrame

    one, same, other = (
        read_values({"check_files": DataFrame({"question": [text]})}).resume_key() for text in ("A?", "A?", "B?")
    )
    assert one == same != other
    assert "A?" not in json.dumps(one)
    assert len(questions(tmp_path, Settings.model_validate(one).check_files)) == 1
    elsewhere = [{"path": "data frame 0123456789ab", "name": "frame"}]  # as a run of another process saved it
    (problem,) = refused(tmp_path, elsewhere)
    assert "was only in memory when the bot was asked\n    Save the data frame to a file" in problem


def test_columns_of_any_name(tmp_path: Path) -> None:
    (tmp_path / "faq.csv").write_text(
        "id,utterance,told,one,two,a,b,who,part\n1,Which?,We sell tea.,tea,black tea,tea,black tea,her,x\n"
    )
    columns = {
        "question": "utterance",
        "context": "told",
        "answers": ["one", "two"],
        "options": ["a", "b"],
        "group": "who",
        "split": "part",
    }
    (entry,) = questions(tmp_path, [{"path": "faq.csv", "columns": columns, "name": "tea"}])
    assert (entry.question.context, entry.question.options) == ("We sell tea.", ("tea", "black tea"))
    assert (entry.answer, entry.also, entry.group, entry.testset) == ("tea", ("black tea",), "her", "tea/x")


def test_words_of_an_answer_stay_but_not_those_of_a_label(tmp_path: Path) -> None:
    (tmp_path / "intents.csv").write_text("utterance,answer\nPlease cancel it!,cancel / cancel it\n")
    file = {"path": "intents.csv"}
    for labels, stays in ((False, True), (True, False)):
        (entry,) = questions(tmp_path, [file | {"labels": labels}])
        ((question, _),) = alter_question(entry, resolve("uppercase"), Random(1))
        assert ("cancel" in question.text) is stays
    saved = [read_values({"check_files": [file | given]}).resume_key() for given in ({}, {"labels": False})]
    assert saved[0] == saved[1], "a report from before compares with one from now"


@pytest.mark.parametrize(
    ("options", "answer", "read"),
    [
        ("A. a marsh\nB. a lake", "B", "a lake"),
        (["a marsh", "a lake"], "A Marsh", "a marsh"),
        (["yes", "no"], "no", "no"),
    ],
)
def test_an_answer_that_is_one_of_the_options(tmp_path: Path, options: Any, answer: str, read: str) -> None:
    rows = [{"question": "What is it?", "choices": options, "answer": answer}]
    (entry,) = questions(tmp_path, rows)
    assert entry.answer == read
    assert entry.question.lettered[0].startswith("A. ")


def test_the_draw_comes_from_the_seed(tmp_path: Path) -> None:
    rows = [{"question": f"What is {number}?"} for number in range(50)]
    drawn = [short(questions(tmp_path, rows, check_files_drawn=5, seed=seed)) for seed in (1, 1, 2)]
    assert drawn[0] == drawn[1] != drawn[2]
    assert len(drawn[0]) == 5


WRONG: dict[str, tuple[str, str, dict[str, Any], list[str]]] = {
    "no such column": (
        "a.csv",
        "utterance,reply\nHow?,so\n",
        {"columns": {"question": "uterance"}},
        ['a.csv:1: has no column "uterance", which should hold the question\n    Did you mean "utterance"?'],
    ),
    "no question": (
        "a.csv",
        "frage,antwort\nWie?,so\n",
        {},
        [
            "a.csv:1: has no column for the question; its columns: frage, antwort\n"
            '    Name it: check_files = [{"path": "a.csv", "columns": {"question": "..."}}]'
        ],
    ),
    "values": (
        "a.csv",
        "question,answer\n,x\nB?,yes / maybe\nC?,\"['a' 'b']\"\n",
        {},
        [
            'a.csv:2, column "question": is empty\n    Every row needs a question; delete the row if it has none.',
            'a.csv:3, column "answer": accepts yes or no, and another answer: yes, maybe\n    A text, yes,',
            'a.csv:4, column "answer": is an array that was written as text; save the data as .jsonl\n',
        ],
    ),
    "quotes": (
        "a.csv",
        'question,answer\nA?,b,c\n"Is "this" it?",x\n',
        {},
        ["a.csv:2: has 3 values, and the first line names 2 columns\n", "a.csv:3: is not CSV: "],
    ),
    "a name twice": ("a.csv", "question,question\nA?,B?\n", {}, ['a.csv:1: two columns are called "question"\n']),
    "nothing": ("a.csv", "\n\n", {}, ["a.csv: is empty\n"]),
    "a header alone": ("a.csv", "question,answer\n", {}, ["a.csv:1: has no questions"]),
    "options": (
        "a.jsonl",
        '{"question": "Which?", "options": ["x", "y"], "answer": "z"}\n',
        {},
        ['a.jsonl:1, key "answer": "z" is none of the options: x, y\n'],
    ),
    "lines": (
        "a.jsonl",
        '{"question": "A?"}\n["B?"]\n{"question": \n{"question": 7}\n',
        {},
        ["a.jsonl:2: is not a JSON object: it is no object\n", "a.jsonl:3: is not a JSON object: "],
    ),
    "a number": ("a.jsonl", '{"question": 7}\n', {}, ['a.jsonl:1, key "question": is a number, and must be a text\n']),
    "json": (
        "a.json",
        '[\n{"question": "A?"},\n{"question": ""}\n]',
        {},
        ['a.json:3, key "question": is empty\n'],
    ),
    "json of another form": ("a.json", '{"questions": []}', {}, ["a.json: holds no list of questions\n"]),
    "json lines as json": ("a.json", '{"question": "A?"}\n{"question": "B?"}\n', {}, ["a.json:2: is not JSON: Extra"]),
    "a split": (
        "a.csv",
        "question,split\nA?,train\n",
        {"splits": ["trian"]},
        ['a.csv:1: has no split "trian"\n    Did you mean "train"?'],
    ),
    "an ending": ("a.txt", "A?\n", {}, ["a.txt: is not a file of questions\n    Use .csv,"]),
    "a workbook": ("a.xlsx", "question\nA?\n", {}, ["a.xlsx: cannot be read as a workbook: File is not a zip file\n"]),
}


@pytest.mark.parametrize("what", WRONG)
def test_what_is_wrong_is_refused_with_its_place_and_a_remedy(tmp_path: Path, what: str) -> None:
    name, text, more, expected = WRONG[what]
    (tmp_path / name).write_text(text)
    problems = refused(tmp_path, [{"path": name, **more}])
    assert [problem[: len(start)] for problem, start in zip(problems, expected, strict=True)] == expected


def test_a_cell_of_a_workbook_is_named(tmp_path: Path) -> None:
    from datetime import datetime

    from openpyxl import Workbook

    book = Workbook()
    sheet = book.create_sheet("faq")
    for row in (["question", "answer"], ["When?", datetime(2026, 5, 1)], [None, "x"]):
        sheet.append(row)
    book.save(tmp_path / "a.xlsx")
    problems = refused(tmp_path, [{"path": "a.xlsx", "sheet": "faq"}])
    assert problems[0].startswith('a.xlsx, sheet "faq", cell B2: is a date, and must be a text')
    assert problems[1].startswith('a.xlsx, sheet "faq", cell A3: is empty')
    assert refused(tmp_path, [{"path": "a.xlsx", "sheet": "fag"}]) == [
        'a.xlsx: has no sheet "fag"\n    Did you mean "faq"?'
    ]


def test_every_file_is_told_about_and_long_lists_are_cut(tmp_path: Path) -> None:
    (tmp_path / "a.csv").write_text("question,id\n" + ",1\n" * 15)
    (tmp_path / "b.csv").write_bytes(b"question\nCaf\xe9?\n")
    problems = refused(tmp_path, ["a.csv", "b.csv", "c.csv"])
    assert len(problems) == 13
    assert problems[10].startswith("a.csv:1: 5 more values are wrong")
    assert problems[11].startswith("b.csv:2: is not UTF-8\n")
    assert problems[12].startswith("c.csv: cannot be read: No such file")


def test_two_files_of_one_name_need_another(tmp_path: Path) -> None:
    for folder in ("one", "two"):
        (tmp_path / folder).mkdir()
        (tmp_path / folder / "faq.csv").write_text("question\nA?\n")
    (problem,) = refused(tmp_path, ["one/faq.csv", "two/faq.csv"])
    assert problem.startswith('two/faq.csv: another file of questions is also called "faq"')
    assert len(questions(tmp_path, ["one/faq.csv", {"path": "two/faq.csv", "name": "more"}])) == 2


def test_what_the_setting_does_not_know_is_refused() -> None:
    with pytest.raises(InputError, match=r'"anwsers" is not known here\. Did you mean "answers"'):
        read_values({"check_files": [{"path": "a.csv", "columns": {"anwsers": "x"}}]})
    with pytest.raises(InputError, match="frame must be a pandas DataFrame"):
        read_values({"check_files": [{"frame": 7}]})


def test_a_missing_folder_names_the_package_it_would_need(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "datasets", None)
    (problem,) = refused(tmp_path, ["faq"])
    assert problem.startswith("faq: there is no such file or folder\n")
    assert "pip install '.[datasets]'" in problem


def test_splits_of_a_saved_data_set(tmp_path: Path) -> None:
    datasets = pytest.importorskip("datasets")
    parts = {name: datasets.Dataset.from_list([{"question": f"{name}?"}]) for name in ("train", "test")}
    datasets.DatasetDict(parts).save_to_disk(str(tmp_path / "faq"))
    assert [entry.testset for entry in questions(tmp_path, ["faq"])] == ["faq/train", "faq/test"]
    assert [entry.split for entry in questions(tmp_path, [{"path": "faq", "splits": ["test"]}])] == ["test"]
    assert refused(tmp_path, [{"path": "faq", "splits": ["tset"]}]) == [
        'faq: has no split "tset"\n    Did you mean "test"?'
    ]
    assert [entry.split for entry in questions(tmp_path, [datasets.DatasetDict(parts)])] == ["train", "test"]
    (tmp_path / "other").mkdir()
    assert "is no folder that save_to_disk wrote" in refused(tmp_path, ["other"])[0]


def test_a_data_set_of_the_hub_is_asked_for_by_name(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """There is no hub here, so a module stands in for the package, with one data set of two splits."""
    asked = []

    class Part(list[dict[str, str]]):
        split = "test"

    def load(name: str, configuration: str | None) -> dict[str, Part]:
        asked.append((name, configuration))
        if name != "owner/faq":
            raise FileNotFoundError(f"no data set {name}\nand a trace")
        return {"train": Part([{"question": "A?"}]), "test": Part([{"question": "B?"}])}

    package = SimpleNamespace(load_dataset=load, disable_progress_bars=lambda: None)
    monkeypatch.setitem(sys.modules, "datasets", package)
    entries = questions(tmp_path, [{"path": "owner/faq:small", "splits": ["test"]}])
    assert [(entry.testset, entry.question.text) for entry in entries] == [("faq:small/test", "B?")]
    assert asked == [("owner/faq", "small")]
    (problem,) = refused(tmp_path, ["owner/fag"])
    told = "owner/fag: is no file, and no data set of the hub was found: no data set owner/fag\n    Files: .csv,"
    assert problem.startswith(told)


@pytest.mark.slow
@pytest.mark.parametrize("cut", [0.3, 0.6, 0.9])
def test_a_data_set_that_was_cut_short_does_not_end_the_process(tmp_path: Path, cut: float) -> None:
    datasets = pytest.importorskip("datasets")
    datasets.Dataset.from_list(
        [{"question": f"Where are you, {n}?", "answers": ["NYC"]} for n in range(500)]
    ).save_to_disk(tmp_path / "d")
    (file,) = (tmp_path / "d").glob("*.arrow")
    content = file.read_bytes()
    file.write_bytes(content[: int(len(content) * cut)])
    assert "is no folder that save_to_disk wrote" in refused(tmp_path, ["d"])[0]


@pytest.mark.parametrize(
    "head",
    [
        ("question", "ground_truth"),
        ("Question", "Ground Truth"),
        ("question", "groundTruth"),
        ("prompt", "completion"),
        ("query", "response"),
        ("user_input", "reference"),
        ("input", "expected-output"),
        ("instruction", "output"),
        ("question", "gold_answer"),
    ],
)
def test_the_right_answers_are_found_by_the_names_that_others_use(tmp_path: Path, head: tuple[str, str]) -> None:
    (tmp_path / "faq.csv").write_text(f"{head[0]},{head[1]}\nWhere is Oslo?,Norway\nIs it open?,yes\n")
    found: Expected = [("Where is Oslo?", "Norway", ()), ("Is it open?", True, ())]
    assert short(questions(tmp_path, ["faq.csv"])) == found


def test_what_is_right_goes_before_what_some_bot_said(tmp_path: Path) -> None:
    """Tables that an evaluation wrote have both."""
    (tmp_path / "faq.csv").write_text("question,answer,contexts,ground_truth\nWhere is Oslo?,In Rome.,a,Norway\n")
    assert short(questions(tmp_path, ["faq.csv"])) == [("Where is Oslo?", "Norway", ())]


def test_a_column_that_may_hold_the_answers_is_refused_until_it_is_named(tmp_path: Path) -> None:
    """Never a run without a verdict on what was meant to be the right answers."""
    (tmp_path / "faq.csv").write_text("question,solucion\nWhere is Oslo?,Norway\n")
    (problem,) = refused(tmp_path, ["faq.csv"])
    assert 'nobody knows what the column "solucion" holds' in problem
    assert '"columns": {"answers": "solucion"}' in problem
    named = [{"path": "faq.csv", "columns": {"answers": "solucion"}}]
    assert short(questions(tmp_path, named)) == [("Where is Oslo?", "Norway", ())]
    none = [{"path": "faq.csv", "columns": {"answers": []}}]
    assert short(questions(tmp_path, none)) == [("Where is Oslo?", None, ())]
    saved = read_values({"check_files": none}).model_dump()["check_files"]
    assert short(questions(tmp_path, saved)) == [("Where is Oslo?", None, ())], "a saved run keeps the choice"


@pytest.mark.parametrize("head", ["id,question", "question,topic", "question"])
def test_questions_alone_are_questions_alone(tmp_path: Path, head: str) -> None:
    row = {"id,question": "a1,Where is Oslo?", "question,topic": "Where is Oslo?,places"}.get(head, "Where is Oslo?")
    (tmp_path / "faq.csv").write_text(f"{head}\n{row}\n")
    assert short(questions(tmp_path, ["faq.csv"])) == [("Where is Oslo?", None, ())]
