"""Training examples in CSV: no cell is a formula to a spreadsheet, and chattest reads back what it wrote."""

import csv
from pathlib import Path

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from chattest.datasets.own.read import read_own_questions
from chattest.datasets.own.source import QuestionFile
from chattest.files.csv_cells import escape_cell, unescape_cell
from chattest.records.question import Question
from chattest.storage.examples import Example, write_examples

FORMULAS = ["=1+1", "+1", "-1", "@SUM(A1)", "\t=1", "\r=1", "\n=1", "＝1+1", "'=1", "''-1", "=cmd|' /C calc'!A0"]


def example_of(text: str) -> Example:
    original = Question(f"{text} or not?", f"{text} is so.", (text, "no"))
    return Example(Question(text, text, (text, "no")), (text,), "data", original, text, text, text, text, text, text)


@pytest.mark.parametrize("text", FORMULAS)
def test_no_cell_begins_as_a_formula_does(tmp_path: Path, text: str) -> None:
    write_examples([example_of(text)], tmp_path / "more.csv")
    content = (tmp_path / "more.csv").read_text("utf-8")
    assert content.count('"') > 2 * 13  # every cell is in quotes, so that another separator parts none
    with (tmp_path / "more.csv").open(newline="", encoding="utf-8") as file:
        header, *rows = csv.reader(file)
    assert not [cell for row in rows for cell in row if cell[:1] in tuple("=+-@\t\r\n＝＋－＠")]
    assert header[0] == "question"


@pytest.mark.parametrize("text", FORMULAS)
def test_what_chattest_wrote_it_reads_as_it_was(tmp_path: Path, text: str) -> None:
    write_examples([example_of(text)], tmp_path / "more.csv")
    (read,) = read_own_questions(tmp_path, [QuestionFile(path="more.csv")], None, 1)
    assert (read.question.text, read.question.context) == (text.strip(), text.strip())
    assert (read.question.options, read.answer) == ((text.strip(), "no"), text.strip())
    assert (read.group, read.split) == (text.strip(), text.strip())


@given(st.text())
@example("'")
@example("'''=")
def test_every_text_comes_back(text: str) -> None:
    assert unescape_cell(escape_cell(text)) == text


def test_no_examples_have_columns_all_the_same(tmp_path: Path) -> None:
    write_examples([], tmp_path / "more.csv")
    assert (tmp_path / "more.csv").read_text().startswith('"question","context","answers"')
