"""Reads articles with yes/no questions: `testsets/articles/*.toml`, BoolQ's JSON lines, the BoolQ contrast set's JSON.

CSV, TSV and XLSX are read as `check_files` reads them; the context is the article.

A file may be compressed with gzip (`dev.jsonl.gz`).

BoolQ: C. Clark et al., BoolQ: Exploring the surprising difficulty of natural yes/no questions, NAACL 2019.
Contrast set: M. Gardner et al., Evaluating models' local decision boundaries via contrast sets, Findings of EMNLP 2020.
"""

import json
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from random import Random
from typing import Annotated, Any

from pydantic import BaseModel, ConfigDict, Field

from chattest.datasets.own.read import read_own_questions
from chattest.datasets.own.source import QuestionFile
from chattest.datasets.own.table import raise_first
from chattest.datasets.questions import LabelledQuestion, Text, read_toml
from chattest.errors import InputError, Problem
from chattest.files.reading import read_text, whole_text
from chattest.files.shipped import testset_folder
from chattest.records.question import Question
from chattest.text.words import ENDING

FOLDER = "articles"
MOST_PROBLEMS = 10
"""Number of bad lines that are reported for each file; the rest are only counted."""
_ANSWERS = {"true": True, "yes": True, "false": False, "no": False}
_TEMPLATE = "Question"
"""Question of the contrast set's first record, which is only a template of a record."""
_UNUSED = {"perturbed_q": "", "answer": ""}
"""A blank entry of the contrast set."""


class _ArticleQuestion(BaseModel):
    model_config = ConfigDict(extra="forbid", strict=True)
    text: Text
    answer: bool | None = None


class _Article(BaseModel):
    model_config = ConfigDict(extra="forbid", strict=True)
    title: str = ""
    text: Text
    question: Annotated[list[_ArticleQuestion], Field(min_length=1)]


class _Suite(BaseModel):
    """A TOML file of articles."""

    model_config = ConfigDict(extra="forbid", strict=True)
    about: Text
    article: Annotated[list[_Article], Field(min_length=1)]


def read_articles(root: Path, names: Sequence[str], most: int | None, seed: int) -> dict[str, list[LabelledQuestion]]:
    """Return the questions about articles of each data set, with the right answers if the file has them.

    A data set is named after its file, without the endings.

    Args:
        root: The project's folder, from which relative paths start.
        names: Files. If empty, the files of `testsets/articles/` in `root`, or the shipped ones if there is no such
            folder.
        most: How many questions to draw from each file, in the file's order; `None` for all.
        seed: Decides the draw.

    Raises:
        InputError: With every file that cannot be read, and the first bad lines of each.
    """
    paths = [root / name for name in names] or sorted(testset_folder(root / "testsets", FOLDER).glob("*.toml"))
    problems: list[Problem] = []
    by_name: dict[str, list[LabelledQuestion]] = {}
    for path in paths:
        name = path.name.partition(".")[0]
        if name in by_name:
            problems.append(
                Problem(str(path), f'another file of articles is also called "{name}"', "Rename one of them.")
            )
            continue
        try:
            by_name[name] = _draw(_read(path, name), most, Random(f"{seed}/articles/{name}"))
        except InputError as error:
            problems.extend(error.problems)
    if problems:
        raise InputError(problems)
    return by_name


def _draw(entries: list[LabelledQuestion], most: int | None, rng: Random) -> list[LabelledQuestion]:
    if most is None or len(entries) <= most:
        return entries
    return [entries[index] for index in sorted(rng.sample(range(len(entries)), most))]


def _read(path: Path, name: str) -> list[LabelledQuestion]:
    kind = path.name.removesuffix(".gz").rpartition(".")[2]
    if kind == "toml":
        suite = read_toml(path, _Suite)
        return [
            _make_entry(name, article.text, question.text, question.answer)
            for article in suite.article
            for question in article.question
        ]
    if kind in ("csv", "tsv", "xlsx"):
        return _read_table(path, name)
    readers: dict[str, Callable[[Path, str], Iterator[tuple[str, Any]]]] = {"jsonl": _read_lines, "json": _read_records}
    if kind not in readers:
        remedy = "Use .toml, .jsonl (as BoolQ), .json (as the BoolQ contrast set), .csv, .tsv or .xlsx; .gz may follow."
        raise InputError([Problem(str(path), "is not a file of articles", remedy)])
    entries: list[LabelledQuestion] = []
    problems: list[Problem] = []
    for where, value in readers[kind](path, _read_content(path)):
        try:
            entries.append(_make_entry(name, *value) if isinstance(value, tuple) else _parse_line(name, value))
        except ValueError as error:
            problems.append(Problem(where, str(error)))
    if not entries and not problems:
        problems.append(Problem(str(path), "has no questions"))
    if len(problems) > MOST_PROBLEMS:
        more = Problem(str(path), f"{len(problems) - MOST_PROBLEMS} more lines are wrong")
        problems = [*problems[:MOST_PROBLEMS], more]
    if problems:
        raise InputError(problems)
    return entries


def _read_table(path: Path, name: str) -> list[LabelledQuestion]:
    """Return the yes/no questions of a table.

    Raises:
        InputError: With the questions that have no article, or another answer.
    """
    entries = read_own_questions(path.parent, [QuestionFile(path=path.name, name=name)], None, 0)
    wrong = {
        entry.question.text: "has no article (column context)"
        if not entry.question.context
        else "is no yes/no question"
        for entry in entries
        if not entry.question.context or isinstance(entry.answer, str)
    }
    raise_first([Problem(str(path), f'"{text}" {what}') for text, what in wrong.items()], str(path))
    return [replace(entry, extract_with="") for entry in entries]


def _read_content(path: Path) -> str:
    return read_text(path, remedy="The paths of article files are relative to the folder of config.py.")


def _read_lines(path: Path, content: str) -> Iterator[tuple[str, Any]]:
    """Yield `path:line` and value of every line; a line that is not JSON is its own value."""
    for number, line in enumerate(content.split("\n"), start=1):
        if line.strip():
            yield f"{path}:{number}", _value(line)


def _value(text: str) -> Any:
    try:
        return json.loads(text)
    except (ValueError, RecursionError):
        return text


def _read_records(path: Path, content: str) -> Iterator[tuple[str, Any]]:
    """Yield location and (article, question, answer) of a contrast set; altered questions follow their original."""
    try:
        records = json.loads(content)["data"]
        if not isinstance(records, list):
            raise ValueError('"data" is not a list')
    except json.JSONDecodeError as error:
        raise InputError([Problem(f"{path}:{error.lineno}", f"is not JSON: {error.msg}")]) from error
    except (ValueError, KeyError, TypeError, RecursionError) as error:
        remedy = 'A contrast set has a list of records under "data".'
        raise InputError([Problem(str(path), f"is not a contrast set: {error}", remedy)]) from error
    for number, record in enumerate(records):
        record_place = f"{path}: data[{number}]"
        if not isinstance(record, Mapping):
            yield record_place, record
        elif record.get("question") != _TEMPLATE:
            article = record.get("paragraph")
            yield record_place, (article, record.get("question"), record.get("answer"))
            altered = record.get("perturbed_questions", [])
            for index, change in enumerate(altered if isinstance(altered, list) else [altered]):
                where = f"{record_place}.perturbed_questions[{index}]"
                fields = change if isinstance(change, Mapping) else {}
                if change == _UNUSED:
                    continue
                yield where, (article, fields.get("perturbed_q"), fields.get("answer"))


def _parse_line(name: str, value: Any) -> LabelledQuestion:
    """Return the entry of a line of BoolQ.

    Raises:
        ValueError: With the problem.
    """
    if not isinstance(value, Mapping):
        raise ValueError('is not a JSON object; a line is {"question": ..., "passage": ..., "answer": true}')
    return _make_entry(name, value.get("passage"), value.get("question"), value.get("answer"))


def _make_entry(name: str, article: Any, question: Any, answer: Any) -> LabelledQuestion:
    """Return a checked entry.

    Raises:
        ValueError: With the problem.
    """
    for what, text in (("article", article), ("question", question)):
        if not isinstance(text, str) or not text.strip():
            raise ValueError(f"has no {what}")
        whole_text(text)
    if isinstance(answer, str):
        if answer.strip() and answer.strip().lower() not in _ANSWERS:
            raise ValueError(f'its answer is "{answer}", which is neither true nor false')
        answer = _ANSWERS.get(answer.strip().lower())
    elif answer is not None and not isinstance(answer, bool):
        raise ValueError(f"its answer is {answer!r}, which is neither true nor false")
    text = question.strip()
    # BoolQ's questions have no question mark; a bot should see that it is asked something.
    return LabelledQuestion(name, Question(text if text[-1] in ENDING else f"{text}?", article.strip()), answer)
