"""The file of labels, and the keys by which labels find their rows."""

import json
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest

from chattest.errors import InputError
from chattest.records.label import Label, Opinion, by_key, find_majority, list_opinions, summarize_opinions
from chattest.records.result import Result, Score, Verdict
from chattest.storage.labels import add_labels, make_row_keys, read_labels
from tests.support.judged_rows import with_scorer
from tests.support.stand_ins import said


def label(key: str = "k1", by: str = "anna", verdict: str = "pass", minute: int = 0, **more: Any) -> Label:
    at = datetime(2026, 5, 1, 12, minute, tzinfo=UTC)
    return Label(key=key, case="ML-I2", verdict=Opinion(verdict), by=by, at=at, **more)


def test_a_line_is_what_other_programs_read(tmp_path: Path) -> None:
    path = tmp_path / "labels.jsonl"
    add_labels(path, [label(note="ü \u2028 \n x", probability=0.25, judge="fail")])
    assert json.loads(path.read_text("utf-8")) == {
        "key": "k1", "case": "ML-I2", "verdict": "pass", "by": "anna", "at": "2026-05-01T12:00:00Z",
        "note": "ü \u2028 \n x", "probability": 0.25, "judge": "fail",
    }  # fmt: skip
    assert read_labels(path).labels == (label(note="ü \u2028 \n x", probability=0.25, judge="fail"),)


@pytest.mark.parametrize(
    ("tail", "cut_off"),
    [('{"key":"k2","ca', True), ("", False), ("\n\n", False), (label("k2").__class__.__name__, True)],
)
def test_what_a_power_cut_left_is_told_and_then_removed(tmp_path: Path, tail: str, cut_off: bool) -> None:
    path = tmp_path / "labels.jsonl"
    add_labels(path, [label()])
    path.write_text(path.read_text("utf-8") + tail, "utf-8")
    assert bool(read_labels(path).cut_off) is cut_off
    assert [known.key for known in read_labels(path).labels] == ["k1"]
    add_labels(path, [label("k3")])
    assert [known.key for known in read_labels(path).labels] == ["k1", "k3"]
    assert not read_labels(path).cut_off


def test_a_last_line_without_its_end_is_a_label(tmp_path: Path) -> None:
    path = tmp_path / "labels.jsonl"
    add_labels(path, [label()])
    path.write_text(path.read_text("utf-8").rstrip("\n"), "utf-8")
    add_labels(path, [label("k2")])
    assert [known.key for known in read_labels(path).labels] == ["k1", "k2"]


@pytest.mark.parametrize(
    ("line", "why"),
    [
        ("{}", "key: is missing"),
        ('{"key": ', "is not a label"),
        (json.dumps({"key": "k", "case": "c", "verdict": "good", "by": "a", "at": "2026-05-01T12:00:00Z"}), "verdict"),
        (json.dumps({"key": "k", "case": "c", "verdict": "pass", "by": "a", "at": "2026-05-01T12:00:00"}), "at"),
        (json.dumps({"key": "k", "case": "c", "verdict": "pass", "by": "a", "at": 1, "probability": 2}), "probability"),
    ],
)
def test_a_line_that_is_no_label_is_named(tmp_path: Path, line: str, why: str) -> None:
    path = tmp_path / "labels.jsonl"
    add_labels(path, [label()])
    path.write_text(path.read_text("utf-8") + line + "\n", "utf-8")
    with pytest.raises(InputError, match=why) as told:
        read_labels(path)
    assert "labels.jsonl:2" in str(told.value)
    before = path.read_bytes()
    with pytest.raises(InputError):
        add_labels(path, [label("k2")])
    assert path.read_bytes() == before


@pytest.mark.parametrize(
    ("given", "most", "shown"),
    [
        (["pass"], Opinion.PASS, "pass"),
        (["pass", "fail", "fail"], Opinion.FAIL, "fail"),
        (["pass", "fail"], None, "split"),
        (["cannot tell"], None, "cannot tell"),
        (["cannot tell", "pass"], Opinion.PASS, "pass"),
    ],
)
def test_what_most_people_said(given: list[str], most: Opinion | None, shown: str) -> None:
    labels = [label(by=f"p{number}", verdict=verdict) for number, verdict in enumerate(given)]
    assert (find_majority(labels), summarize_opinions(labels)) == (most, shown)


def test_the_last_label_in_the_file_counts_whatever_the_clock_said() -> None:
    first, later = label(minute=1), label(verdict="fail", minute=2, note="on second thoughts")
    assert list_opinions(by_key([first, later, label("k2")])["k1"]) == "anna: fail (on second thoughts)"
    assert list_opinions(by_key([later, first, label("k2")])["k1"]) == "anna: pass", "the clock was set back in between"


TALK = said(("Hello", "Hi"), ("Rain?", "Well"))
ROW = Result(
    "ML-I3", 1, "run-001", 1, Verdict.PASS, prompt="Rain?", reply="Well", score=Score(0.5), scorer="prompt_coherence"
)
OTHER_TALK = said(("Bye", "Hi"), ("Rain?", "Well"))


def key(row: Result, *conversations: Any) -> str:
    return make_row_keys([row], conversations or [TALK])[0]


@pytest.mark.parametrize(
    "changed",
    [
        {"verdict": Verdict.FAIL, "score": Score(0.1), "reason": "another judge", "in_doubt": True},
        {"conversation": "run-007", "run": 7, "round": 9, "dose": 2.0, "label": "x", "group": "g", "person": "pass"},
    ],
)
def test_a_key_holds_when_a_run_is_judged_or_held_again(changed: dict[str, Any]) -> None:
    assert key(replace(ROW, **changed)) == key(ROW)


@pytest.mark.parametrize("field", ["check", "prompt", "reply", "expected", "original", "original_reply"])
def test_a_key_changes_with_what_the_verdict_rests_on(field: str) -> None:
    changed: dict[str, Any] = {field: "other"}
    assert key(replace(ROW, **changed)) != key(ROW)


def test_only_cases_that_read_the_history_depend_on_it() -> None:
    for code in ("ML-I2", "ML-A7"):
        row = with_scorer(replace(ROW, check=code, scorer=""))
        assert key(row) != key(row, OTHER_TALK)
        assert make_row_keys([row], []) == [""], "its conversation is missing"
    for code in ("ML-I3", "ML-P1"):
        row = replace(ROW, check=code)
        assert key(row) == key(row, OTHER_TALK) == make_row_keys([row], [])[0] != ""
