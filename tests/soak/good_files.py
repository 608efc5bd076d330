"""A good file of every kind that users bring, and how chattest reads it."""

import gzip
import io
import json
import shutil
import zipfile
from collections.abc import Callable, Iterator
from dataclasses import dataclass, fields, is_dataclass
from datetime import datetime
from pathlib import Path
from typing import Any

from pydantic import BaseModel

from chatters.script import Script, ScriptOptions
from chattest.datasets.articles import read_articles
from chattest.datasets.own.read import read_own_questions
from chattest.datasets.own.source import QuestionFile
from chattest.datasets.questions import read_pairs, read_questions
from chattest.datasets.testsets import read_testsets
from chattest.judging.chat.rubric import FOLDER as RUBRICS
from chattest.judging.chat.rubric import read_rubric
from chattest.published.read import read_benchmark
from chattest.settings.file import read_settings
from chattest.settings.gates import read_gates
from chattest.storage import emely
from chattest.storage.answers import read_answers
from chattest.storage.conversations import load
from chattest.storage.judge_accuracy import save_measured
from chattest.storage.saved_tests import read_tests
from chattest.validation.labelled import read_cases
from tests.support.paths import DATA, ROOT, TESTSETS

ROWS: list[dict[str, Any]] = [
    {"question": "Where are you?", "answers": ["NYC", "New York City"], "group": "place", "context": "I am in NYC."},
    {"question": "Are you open?", "answers": "yes", "group": "", "context": ""},
    {"question": "How many rooms?", "answers": "12", "group": "place", "context": "Twelve rooms."},
    {"question": "Who är you?", "answers": "", "group": "", "context": ""},
]
SAVED = DATA / "saved_conversations"


@dataclass(frozen=True)
class GoodFile:
    """A file of one kind."""

    make: Callable[[Path], Path]
    """Makes it in a folder."""
    read: Callable[[Path], Any]
    """Reads it as chattest does."""


def all_texts(value: Any) -> Iterator[str]:
    """Every text within what was read."""
    if isinstance(value, str):
        yield value
    elif isinstance(value, dict):
        for key, inner in value.items():
            yield from all_texts(key)
            yield from all_texts(inner)
    elif isinstance(value, list | tuple | set | frozenset):
        for inner in value:
            yield from all_texts(inner)
    elif isinstance(value, BaseModel):
        yield from all_texts(value.model_dump(mode="json"))
    elif is_dataclass(value):
        for each in fields(value):
            yield from all_texts(getattr(value, each.name))


def _written(name: str, content: bytes | str) -> Callable[[Path], Path]:
    def make(folder: Path) -> Path:
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content.encode() if isinstance(content, str) else content)
        return path

    return make


def _workbook() -> bytes:
    """Shared texts, numbers, a date, a second sheet; as spreadsheet programs write them."""
    from xlsxwriter import Workbook

    out = io.BytesIO()
    with Workbook(out, {"in_memory": True}) as book:
        sheet = book.add_worksheet("Sheet")
        sheet.write_row(0, 0, list(ROWS[0]))
        for number, row in enumerate(ROWS, start=1):
            cells = [" / ".join(value) if isinstance(value, list) else value for value in row.values()]
            sheet.write_row(number, 0, cells)
        sheet.write_row(len(ROWS) + 1, 0, ["How many days has a week?", 7, 2026, "Seven."])
        sheet.write_datetime(0, 4, datetime(2026, 5, 31), book.add_format({"num_format": "yyyy-mm-dd"}))
        book.add_worksheet("Other").write(0, 0, 1)
    return out.getvalue()


def _csv() -> str:
    lines = [",".join(ROWS[0])]
    for row in ROWS:
        cells = [" / ".join(value) if isinstance(value, list) else value for value in row.values()]
        lines.append(",".join(f'"{cell}"' if " " in cell else cell for cell in cells))
    return "\n".join(lines) + "\n"


def _jsonl() -> str:
    return "".join(json.dumps(row, ensure_ascii=False) + "\n" for row in ROWS)


def _archive() -> bytes:
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.write(DATA / "published" / "locomo.json", "locomo.json")
    return out.getvalue()


def _own(path: Path) -> Any:
    return read_own_questions(path.parent, [QuestionFile(path=path.name)], None, 1)


def _articles(path: Path) -> Any:
    return read_articles(path.parent, [path.name], None, 1)


def _figures(path: Path) -> None:
    save_measured([path], path.with_name("known.json"))


def _testset(kind: str) -> GoodFile:
    """All test sets of a kind, of which the smallest is damaged; few of them might be one-sided."""
    shipped = min((TESTSETS / kind).glob("*.toml"), key=lambda path: path.stat().st_size)

    def make(folder: Path) -> Path:
        shutil.copytree(TESTSETS / kind, folder / "testsets" / kind)
        return folder / "testsets" / kind / shipped.name

    readers: dict[str, Callable[[Path], Any]] = {"questions": read_questions, "pairs": read_pairs}
    read = readers.get(kind, read_testsets)
    return GoodFile(make, lambda path: read(path.parents[1]))


TESTS = (
    '{"form": "chattest tests", "version": 1}\n'
    '{"id": "a", "check": "invariance.uppercase", "original": "Where are you?", "altered": "WHERE ARE YOU?"}\n'
)
ANSWER = '{"question": {"text": "a", "options": ["b"]}, "answer": {"text": "c", "confidence": 0.5}}\n'
FIGURES = '{"open": {"n": 9, "n_true": 5, "recall": 0.8, "specificity": 0.9, "threshold": 0.5}}'
LABELLED = (
    '{"kind": "toxicity", "text": "a", "label": true}\n'
    '{"kind": "closed", "question": "Are you?", "expected": "yes", "reply": "Yes.", "label": true}\n'
)
GATES = '[[gate]]\npattern = "ML-U*"\nmin_pass_rate = 0.5\nblocking = true\nlevel = "lower"\n'
SCRIPT = '[[line]]\nsay = "Hi"\nexpect = ["a", "b"]\n[[line]]\nsay = """How\nare you?"""\n'
CONFIG = (
    'max_runs = 3\nseed = 7\nchatters = ("eliza", "alice")\np = {"ML-U3": 0.5}\ngates = [{"pattern": "ML-*", '
    '"min_pass_rate": 0.5}]\nconversation_length = 20\nsave_analysis_name = "mine"\nis_MLP1TC1 = True\n'
)
ARTICLES = "".join(
    json.dumps({"question": f"is {name} a town", "passage": f"{name} is a town.", "answer": True}) + "\n"
    for name in ("Oslo", "Bergen")
)
CONTRASTS = json.dumps(
    {
        "data": [
            {
                "paragraph": "Oslo is a town.",
                "question": "Is Oslo a town?",
                "answer": "TRUE",
                "perturbed_questions": [{"perturbed_q": "Is Oslo a river?", "answer": "FALSE"}],
            }
        ]
    }
)
BENCHMARKS = DATA / "published"

KINDS: dict[str, GoodFile] = {
    "workbook": GoodFile(_written("a.xlsx", _workbook()), _own),
    "csv": GoodFile(_written("a.csv", _csv()), _own),
    "csv.gz": GoodFile(_written("a.csv.gz", gzip.compress(_csv().encode(), mtime=0)), _own),
    "jsonl": GoodFile(_written("a.jsonl", _jsonl()), _own),
    "jsonl.gz": GoodFile(_written("a.jsonl.gz", gzip.compress(_jsonl().encode(), mtime=0)), _own),
    "json": GoodFile(_written("a.json", json.dumps(ROWS, indent=1)), _own),
    "qa": _testset("qa"),
    "co": _testset("co"),
    "update": _testset("update"),
    "questions": _testset("questions"),
    "pairs": _testset("pairs"),
    "articles of TOML": GoodFile(
        _written("a.toml", min((TESTSETS / "articles").glob("*.toml")).read_bytes()[:100_000]), _articles
    ),
    "articles": GoodFile(_written("a.jsonl", ARTICLES), _articles),
    "contrast set": GoodFile(_written("a.json", CONTRASTS), _articles),
    "conversation": GoodFile(_written("run-001.json", (SAVED / "whole.json").read_bytes()), load),
    "Emely's": GoodFile(
        _written("conversation_1.txt", (SAVED / "seed-planted.txt").read_bytes()), lambda path: emely.read(path, 1)
    ),
    "locomo": GoodFile(
        _written("locomo.json", (BENCHMARKS / "locomo.json").read_bytes()), lambda path: read_benchmark("locomo", path)
    ),
    "locomo packed": GoodFile(_written("locomo.zip", _archive()), lambda path: read_benchmark("locomo", path)),
    "longmemeval": GoodFile(
        _written("longmemeval.json", (BENCHMARKS / "longmemeval.json").read_bytes()),
        lambda path: read_benchmark("longmemeval", path),
    ),
    "gates": GoodFile(_written("gates.toml", GATES), read_gates),
    "gates of YAML": GoodFile(
        _written("gates.yaml", (ROOT / "tests" / "data" / "quality_gates.yaml").read_bytes()), read_gates
    ),
    "config.py": GoodFile(_written("config.py", CONFIG), read_settings),
    "labelled replies": GoodFile(_written("labelled.jsonl", LABELLED), lambda path: read_cases([path])),
    "figures": GoodFile(_written("figures.json", FIGURES), _figures),
    "tests": GoodFile(_written("tests.jsonl", TESTS), read_tests),
    "answers": GoodFile(_written("answers.jsonl", ANSWER), read_answers),
    "dialogue": GoodFile(
        _written("talk.toml", SCRIPT), lambda path: [line.say for line in Script.load(ScriptOptions(file=path))]
    ),
    "rubric": GoodFile(
        _written("match.txt", (RUBRICS / "match.txt").read_bytes()),
        lambda path: read_rubric("match", {"match": path.name}, path.parent),
    ),
}
