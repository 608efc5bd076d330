"""Saved conversations from anywhere: read as they were written, or refused with file and line."""

import shutil
import tomllib
from pathlib import Path
from typing import Any

import pytest

from chattest.errors import InputError
from chattest.files.json_position import find_json_line
from chattest.judging.verdicts import analyze
from chattest.settings.declaration import Settings
from chattest.storage.answers import read_answers
from chattest.storage.conversations import load_all
from tests.support.stand_ins import ROOT, StandIns

FOLDER = ROOT / "tests" / "data" / "saved_conversations"
EXPECTED = tomllib.loads((FOLDER / "expected.toml").read_text(encoding="utf-8"))


def taken(name: str, folder: Path, as_run: int = 1) -> Path:
    """A folder with one of the files in it."""
    suffix = Path(name).suffix
    shutil.copy(
        FOLDER / name, folder / (f"run-{as_run:03d}.json" if suffix == ".json" else f"conversation_{as_run}.txt")
    )
    return folder


def test_every_file_has_its_expectation() -> None:
    there = {path.name for path in FOLDER.iterdir()} - {"expected.toml"}
    assert there == {*EXPECTED["refused"], *EXPECTED["read"]}


@pytest.mark.parametrize("name", EXPECTED["refused"])
def test_what_cannot_be_read_as_it_was_written_is_refused_with_its_line(tmp_path: Path, name: str) -> None:
    with pytest.raises(InputError) as refused:
        load_all(taken(name, tmp_path))
    place = next(path for path in tmp_path.iterdir())
    assert str(refused.value).startswith(f"{place}{EXPECTED['refused'][name]}")
    assert len(refused.value.problems) == 1


@pytest.mark.parametrize("name", EXPECTED["read"])
def test_what_can_be_read_is_read_whole_and_judged(tmp_path: Path, name: str) -> None:
    (conversation,) = load_all(taken(name, tmp_path))
    expected: dict[str, Any] = EXPECTED["read"][name]
    assert len(conversation.turns) == expected["turns"]
    steps = [
        f"{probe.case} {probe.testset} {step.round} {step.purpose} {step.perturbed.dose if step.perturbed else None}"
        for probe, step in conversation.plan.steps()
    ]
    assert steps == expected["steps"]
    planted = conversation.plan.by_round()
    assert all(planted[turn.round][1].text == turn.text for turn in conversation.turns[::2] if turn.round in planted)
    judged = analyze([conversation], Settings(), StandIns())
    assert {row.round for row in judged if row.testset} == {
        step.round for _, step in conversation.plan.steps() if step.purpose == "ask"
    }


def test_the_seeds_files_are_runs_in_order_of_their_numbers(tmp_path: Path) -> None:
    for number in (10, 2, 0):
        taken("seed-conversation-only.txt", tmp_path, number)
    (tmp_path / "conversation_2.txt").write_text("Hi\nThis is number 2\n")
    assert [(one.run, one.turns[1].text) for one in load_all(tmp_path)] == [
        (1, "Hello you"),
        (2, "This is number 2"),
        (3, "Hello you"),
    ]


def test_a_text_beside_chattests_own_conversations_is_no_conversation(tmp_path: Path) -> None:
    taken("whole.json", tmp_path)
    (tmp_path / "thoughts.txt").write_text("mine")
    assert len(load_all(tmp_path)) == 1


def test_one_run_twice_is_not_counted_twice(tmp_path: Path) -> None:
    taken("whole.json", tmp_path)
    taken("whole.json", tmp_path, 2)
    with pytest.raises(InputError, match=r"run-002\.json: is conversation run-001, and so is run-001\.json"):
        load_all(tmp_path)


@pytest.mark.parametrize(
    ("path", "line"),
    [
        ((), 2),
        (("a",), 3),
        (("b", 0), 5),
        (("b", 1, "c"), 7),
        (("b", 1, "e"), 6),
        (("d",), 11),
        (("x", "y"), 2),
        (("a", "y"), 3),
    ],
)
def test_a_value_is_found_on_its_line(path: tuple[str | int, ...], line: int) -> None:
    text = '\n{\n "a": 1, "d": "}",\n "b" : [\n  "]",\n  {"z":\n  {}, "c": [1,\n2]}\n ], "d":\n\n 2}'
    assert find_json_line(text, path) == line


@pytest.mark.parametrize(
    ("line", "why"),
    [
        ('{"question": {"text": "a"}, "answer": {"text": "c", "mood": 1}}', "mood: is not known here"),
        ('{"question": {"text": "a", "weight": 2}, "answer": {}}', "weight: is not known here"),
        ('{"question": {"text": "a"}}', "it has no 'answer'"),
        ("[1]", "must be a table"),
    ],
)
def test_an_answer_that_is_none_of_chattests_is_refused_with_its_line(tmp_path: Path, line: str, why: str) -> None:
    good = '{"question": {"text": "a", "options": ["b"]}, "answer": {"text": "c", "confidence": 0.5}}'
    (tmp_path / "answers.jsonl").write_text(f"{good}\n{line}\n")
    with pytest.raises(InputError, match=rf"answers\.jsonl:2: is not an answer: ?.*{why}"):
        read_answers(tmp_path / "answers.jsonl")
