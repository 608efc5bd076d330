"""Replies with and without the expected answer: what is learnt from, and what is kept apart."""

from __future__ import annotations

import gzip
import json
import random
from pathlib import Path

import pytest

from chattest.text.format import ALTERNATIVES
from tests.support.paths import DATA
from training.match import draw_written, read_evouna, read_forms, read_squad

pytestmark = pytest.mark.slow

JUDGED = DATA / "judging"


@pytest.fixture
def data(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder with eight questions in EVOUNA's format and two in SQuAD's."""
    monkeypatch.setattr("training.match.TEST_QUESTIONS", 2)
    monkeypatch.setattr("training.match.VALIDATION_QUESTIONS", 1)
    rows = []
    for number in range(8):
        row = {"question": f"who is {number}", "golden_answer": f"Ann/Bob{number}", "improper": number == 7}
        for system in ("fid", "gpt35", "chatgpt", "gpt4", "newbing"):
            row |= {f"answer_{system}": "It is a pregnullt Ann", f"judge_{system}": True}
        row |= {"answer_fid": None, "answer_gpt4": "Zoe", "judge_gpt4": False}
        rows.append(row)
    write(tmp_path / "evouna" / "NQ.json.gz", json.dumps(rows))
    asked = [
        {"id": "a", "question": "When?", "answers": ["in 1973", "October 1973"], "answer_start": [0, 0]},
        {"id": "b", "question": "Who?", "answers": ["Henry"], "answer_start": [0]},
    ]
    write(tmp_path / "squad" / "dev-v1.1.jsonl.gz", json.dumps({"title": "t", "context": "c", "qas": asked}))
    for name in ("bert", "r-net", "slqa", "match-lstm", "logreg-baseline"):
        write(tmp_path / "squad" / f"pred-1.1-{name}.json.gz", json.dumps({"a": "1973", "b": f"Louis {name}"}))
    return tmp_path


def write(path: Path, text: str) -> None:
    path.parent.mkdir(exist_ok=True)
    path.write_bytes(gzip.compress(text.encode()))


def test_evouna_is_split_by_question(data: Path) -> None:
    parts = read_evouna(data)
    assert {name: len({case.question for case in cases}) for name, cases in parts.items()} == {
        "train": 4,
        "validation": 1,
        "test": 2,
    }
    assert all(len(cases) % 4 == 0 for cases in parts.values()), "an answer that is not there is left out"
    asked = [case.question for cases in parts.values() for case in cases]
    assert "who is 7" not in asked, "improper questions are dropped"
    case = parts["train"][0]
    assert case.expected.startswith(f"Ann{ALTERNATIVES}Bob")
    assert case.reply == "It is a pregnant Ann"
    assert read_evouna(data) == parts


def test_squad_gives_people_as_right_and_strangers_as_wrong(data: Path) -> None:
    cases = read_squad(data)
    assert [(c.expected, c.reply) for c in cases if c.right] == [("in 1973", "October 1973"), ("Henry", "Henry")]
    assert {c.reply for c in cases if not c.right} == {
        f"Louis {name}" for name in ("bert", "r-net", "slqa", "match-lstm", "logreg-baseline")
    }


def test_held_out_forms_are_never_drawn() -> None:
    learnt, kept = read_forms(held_out=False), read_forms(held_out=True)
    for kind in ("right", "wrong"):
        assert kept[kind]
        assert not set(kept[kind]) & set(learnt[kind])


def test_a_wrong_reply_never_gives_the_value_alone() -> None:
    forms = read_forms(held_out=False)
    ways = {row.split("|")[0]: row.split("|") for rows in forms["values"].values() for row in rows}
    for case in draw_written(3000, random.Random(1)):
        if not case.right:
            assert case.reply.lower().strip(".") not in [way.lower() for way in ways[case.expected]]


def test_no_long_reply_of_the_judging_set_is_learnt_from() -> None:
    lines = [line for file in JUDGED.glob("open-*.jsonl") for line in file.read_text(encoding="utf-8").splitlines()]
    judged = {json.loads(line)["reply"].lower().strip(" .!") for line in lines}
    assert len(judged) > 100
    learnt = {case.reply.lower().strip(" .!") for case in draw_written(20000, random.Random(2))}
    assert not {reply for reply in judged & learnt if len(reply) > 25}
