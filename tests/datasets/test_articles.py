"""Articles with yes/no questions, from files of three formats."""

import gzip
import json
from pathlib import Path
from typing import Any

import pytest

from chattest.datasets.articles import MOST_PROBLEMS, read_articles
from chattest.errors import InputError
from tests.support.stand_ins import ROOT

BOOLQ: list[dict[str, Any]] = [
    {"question": "is oslo in norway", "title": "Oslo", "answer": "True", "passage": " Oslo is in Norway. "},
    {"question": "Is Oslo large?", "passage": "Oslo is large.", "answer": False},
    {"question": "is oslo old", "passage": "Oslo is old."},
]
CONTRAST = {
    "data": [
        {"title": "Title", "paragraph": "Paragraph", "question": "Question", "answer": "Gold Answer",
         "perturbed_questions": [{"perturbed_q": "Perturbed Q", "answer": "New Answer"}]},
        {"title": "Oslo", "paragraph": "Oslo is in Norway.", "question": "is oslo in norway", "answer": "TRUE",
         "perturbed_questions": [{"perturbed_q": "is oslo in sweden", "answer": "FALSE"},
                                 {"perturbed_q": "", "answer": ""}]},
    ]
}  # fmt: skip


def lines(values: list[Any]) -> str:
    return "\n".join(value if isinstance(value, str) else json.dumps(value) for value in values) + "\n"


def read(path: Path, most: int | None = None, seed: int = 1) -> list[tuple[str, str, bool | str | None]]:
    (found,) = read_articles(ROOT, [str(path)], most, seed).values()
    return [(entry.question.text, entry.question.context, entry.answer) for entry in found]


@pytest.mark.parametrize("packed", [False, True])
def test_boolq(tmp_path: Path, packed: bool) -> None:
    data = lines(BOOLQ).encode()
    path = tmp_path / ("dev.jsonl.gz" if packed else "dev.jsonl")
    path.write_bytes(gzip.compress(data) if packed else data)
    assert read(path) == [
        ("is oslo in norway?", "Oslo is in Norway.", True),
        ("Is Oslo large?", "Oslo is large.", False),
        ("is oslo old?", "Oslo is old.", None),
    ]
    (name,) = read_articles(ROOT, [str(path)], None, 1)
    assert name == "dev"


def test_contrast_set(tmp_path: Path) -> None:
    path = tmp_path / "contrast.json"
    path.write_text(json.dumps(CONTRAST))
    article = "Oslo is in Norway."
    assert read(path) == [("is oslo in norway?", article, True), ("is oslo in sweden?", article, False)]


def test_the_shipped_articles() -> None:
    (entries,) = read_articles(ROOT, [], None, 1).values()
    assert len(entries) == len({entry.question for entry in entries}) == 40
    assert {entry.answer for entry in entries} == {True, False}
    assert len({entry.question.context for entry in entries}) > 10


def test_the_seed_draws(tmp_path: Path) -> None:
    path = tmp_path / "many.jsonl"
    path.write_text(lines([{"question": f"is it {number}", "passage": "Text."} for number in range(50)]))
    everything = read(path)
    assert len(everything) == 50
    some = read(path, 10)
    assert some == read(path, 10)
    assert some == sorted(some, key=everything.index)
    assert len(some) == 10
    assert some != read(path, 10, seed=2)


@pytest.mark.parametrize(
    ("name", "content", "where", "why"),
    [
        ("a.jsonl", lines([BOOLQ[0], "{"]), "a.jsonl:2", "is not a JSON object"),
        ("a.jsonl", lines([BOOLQ[0], "", "[1]"]), "a.jsonl:3", "is not a JSON object"),
        ("a.jsonl", lines([{"question": " ", "passage": "x"}]), "a.jsonl:1", "has no question"),
        ("a.jsonl", lines([{"question": "is it"}]), "a.jsonl:1", "has no article"),
        ("a.jsonl", lines([BOOLQ[0] | {"answer": "maybe"}]), "a.jsonl:1", '"maybe", which is neither true nor false'),
        ("a.jsonl", lines([BOOLQ[0] | {"answer": 3}]), "a.jsonl:1", "3, which is neither"),
        ("a.jsonl", "", "a.jsonl", "has no questions"),
        ("a.jsonl", "[" * 100_000 + "\n", "a.jsonl:1", "is not a JSON object"),
        ("a.json", '{\n"data": [}', "a.json:2", "is not JSON"),
        ("a.json", "[]", "a.json", "is not a contrast set"),
        ("a.json", '{"data": {}}', "a.json", "is not a contrast set"),
        ("a.json", '{"data": [3]}', "data[0]", "is not a JSON object"),
        ("a.json", '{"data": [{"paragraph": "x", "question": "is it", "perturbed_questions": [{}]}]}',
         "data[0].perturbed_questions[0]", "has no question"),
        ("a.txt", "x", "a.txt", "is not a file of articles"),
        ("a.jsonl.gz", "no gzip", "a.jsonl.gz", "cannot be unpacked"),
        ("a.toml", 'about = "x"\n[[article]]\ntext = "x"\nquestion = []', "a.toml", "article[0].question"),
        ("a.toml", 'about = "x"\n[[article]]\ntext = "x"\n[[article.question]]\ntext = "y"\nanswer = "yes"',
         "a.toml", "must be true or false"),
    ],
)  # fmt: skip
def test_what_cannot_be_used_is_told_with_its_place(
    tmp_path: Path, name: str, content: str, where: str, why: str
) -> None:
    (tmp_path / name).write_text(content)
    with pytest.raises(InputError) as caught:
        read_articles(tmp_path, [name], None, 1)
    (problem,) = caught.value.problems
    assert where in problem.where
    assert why in problem.what


def test_a_file_that_is_missing_and_many_bad_lines_are_told_together(tmp_path: Path) -> None:
    (tmp_path / "bad.jsonl").write_text("x\n" * 50)
    with pytest.raises(InputError) as caught:
        read_articles(tmp_path, ["missing.jsonl", "bad.jsonl", "bad.json"], None, 1)
    told = [str(problem.what) for problem in caught.value.problems]
    assert "cannot be read" in told[0]
    assert told[1 + MOST_PROBLEMS] == "40 more lines are wrong"
    assert 'another file of articles is also called "bad"' not in told[:-1]


def test_two_files_of_one_name_are_refused(tmp_path: Path) -> None:
    for name in ("dev.jsonl", "dev.json"):
        (tmp_path / name).write_text(lines([BOOLQ[0]]) if name.endswith("l") else json.dumps(CONTRAST))
    with pytest.raises(InputError, match='another file of articles is also called "dev"'):
        read_articles(tmp_path, ["dev.jsonl", "dev.json"], None, 1)


def test_a_table_of_ones_own(tmp_path: Path) -> None:
    path = tmp_path / "mine.csv"
    path.write_text("question,passage,answer,split\nis oslo old,Oslo is old.,yes,dev\nIs it new?,Oslo is old.,,dev\n")
    assert read(path) == [("is oslo old?", "Oslo is old.", True), ("Is it new?", "Oslo is old.", None)]
    path.write_text("question,passage,answer\nIs it?,,yes\nWhere is it?,It is in Norway.,Norway\n")
    with pytest.raises(InputError) as refused:
        read(path)
    assert [problem.what for problem in refused.value.problems] == [
        '"Is it?" has no article (column context)',
        '"Where is it?" is no yes/no question',
    ]
