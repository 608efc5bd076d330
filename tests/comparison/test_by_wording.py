"""How the wordings of a test set fared over several runs."""

import json
import os
from pathlib import Path
from typing import Any

import pytest

from chattest.comparison import by_wording
from chattest.comparison.by_wording import find_wording_results, rate_alterations, rate_questions, rate_statements


def row(round: int, verdict: str = "PASS", **more: Any) -> dict[str, Any]:
    return {
        "check": "ML-U3",
        "run": 1,
        "conversation": "run-001",
        "round": round,
        "verdict": verdict,
        "prompt": "Wat is my cat called?",
        "reply": "Juniper",
        "testset": "cat-name",
        "perturbation": "typo",
        **more,
    }


def steps(*questions: str) -> list[dict[str, Any]]:
    told = {"round": 1, "purpose": "inform", "original": "My cat is Juniper.", "text": "My cat is Juniper."}
    asked = [{"round": at, "purpose": "ask", "original": text, "text": text} for at, text in enumerate(questions, 2)]
    return [told, *asked]


def make(reports: Path, name: str, bot: str, rows: list[dict[str, Any]], age: int, probes: Any = ()) -> Path:
    folder = reports / name
    (folder / "conversations").mkdir(parents=True)
    (folder / "run.json").write_text(
        json.dumps({"state": "finished", "settings": {"chatters": ["asker", bot]}}), "utf-8"
    )
    (folder / "results.jsonl").write_text("".join(json.dumps(one) + "\n" for one in rows), "utf-8")
    content = {"plan": {"probes": [{"case": "ML-U3", "testset": "cat-name", "steps": each} for each in probes]}}
    (folder / "conversations" / "run-001.json").write_text(json.dumps(content), "utf-8")
    os.utime(folder / "results.jsonl", (1000 - age, 1000 - age))
    return folder


def test_rates_are_told_by_wording_and_bot(tmp_path: Path) -> None:
    plain, other = "What is my cat called?", "Which name does my cat have?"
    probes = [steps(plain, other, other)]
    rows = [row(2), row(3, "FAIL", perturbation="mask"), row(4, "FAIL", reply="new"), row(9, testset="other")]
    make(tmp_path, "new", "alice", rows, 1, probes)
    make(tmp_path, "old", "alice", [row(3), row(2, "NOT_APPLICABLE")], 2, probes)
    make(tmp_path, "bens", "ben", [row(2, "ERROR")], 3, probes)
    found = find_wording_results(sorted(tmp_path.iterdir()), "cat-name")
    assert found.runs == {"new": 3, "old": 2, "bens": 1}
    rates = {(rate.text, rate.bot): rate for rate in rate_questions(found.asked)}
    assert {key: str(rate.tally) for key, rate in rates.items()} == {
        (other, "alice"): "[1, 3]",
        (plain, "alice"): "[1, 1]",
        (plain, "ben"): "[0, 0]",
    }
    example = rates[other, "alice"].example
    assert example is not None
    assert (example.run, example.round) == ("new", 3)
    assert rates[plain, "alice"].example is None
    assert {(rate.text, rate.bot): str(rate.tally) for rate in rate_alterations(found.asked)} == {
        ("mask", "alice"): "[0, 1]",
        ("typo", "alice"): "[2, 3]",
        ("typo", "ben"): "[0, 0]",
    }
    assert {rate.text for rate in rate_statements(found.asked)} == {"My cat is Juniper."}


def test_a_conversation_that_is_gone_leaves_the_question_as_it_was_asked(tmp_path: Path) -> None:
    folder = make(tmp_path, "run", "alice", [row(2)], 1)
    (folder / "conversations" / "run-001.json").unlink()
    (asked,) = find_wording_results([folder], "cat-name").asked
    assert (asked.question, asked.statements) == ("Wat is my cat called?", ())


def test_a_conversation_outside_of_the_folder_is_not_read(tmp_path: Path) -> None:
    folder = make(tmp_path, "run", "alice", [row(2, conversation="../../secret")], 1)
    content = {"plan": {"probes": [{"case": "ML-U3", "testset": "cat-name", "steps": steps("secret")}]}}
    (tmp_path / "secret.json").write_text(json.dumps(content), "utf-8")
    assert find_wording_results([folder], "cat-name").asked[0].question == "Wat is my cat called?"


@pytest.mark.parametrize(
    "damage",
    [
        '{"testset": "cat-name"}',
        '{"testset": "cat-name", ',
        '["cat-name"]',
        '"cat-name"',
        '{"testset": "cat-name", "run": 1}',
    ],
)
def test_damaged_rows_are_told(tmp_path: Path, damage: str) -> None:
    folder = make(tmp_path, "run", "alice", [row(2)], 1)
    with (folder / "results.jsonl").open("a", encoding="utf-8") as file:
        file.write(damage + "\n")
    make(tmp_path, "good", "alice", [row(2)], 2)
    found = find_wording_results(sorted(tmp_path.iterdir()), "cat-name")
    assert list(found.unread) == ["run"]
    assert list(found.runs) == ["good"]


def test_a_line_that_is_still_being_written_is_left(tmp_path: Path) -> None:
    folder = make(tmp_path, "run", "alice", [row(2)], 1)
    with (folder / "results.jsonl").open("a", encoding="utf-8") as file:
        file.write('{"testset": "cat-name", "ro')
    assert find_wording_results([folder], "cat-name").runs == {"run": 1}


def test_runs_without_rows_or_gone_have_none(tmp_path: Path) -> None:
    assert find_wording_results([tmp_path / "gone"], "cat-name").asked == []


def test_what_is_too_much_is_left_out(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    make(tmp_path, "new", "alice", [row(2)], 1)
    make(tmp_path, "old", "alice", [row(2)], 2)
    monkeypatch.setattr(by_wording, "MOST_ROWS", 1)
    found = find_wording_results(sorted(tmp_path.iterdir()), "cat-name")
    assert (list(found.runs), found.left_out) == (["new"], ["old"])
