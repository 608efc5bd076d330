"""Replies to closed questions: what is learnt from, and what is kept apart."""

from __future__ import annotations

import gzip
import json
import random
from pathlib import Path

import pytest

from tests.support.paths import DATA
from training.yes_no import READINGS, Answer, draw_written, read_circa, read_forms

pytestmark = pytest.mark.slow

JUDGED = DATA / "judging"
ROWS = [
    (0, "Are you employed?", "I'm a vet.", "Yes"),
    (1, "Do you like tea?", "I wouldn't say so", "No"),
    (2, "Do you like parks?", "Only in summer", "Yes, subject to some conditions"),
    (3, "Are you hungry?", "Could be", ""),
    (4, 'Do you own a "pet"?', "In a way", "In the middle, neither yes nor no"),
    (5, "Is it far?", "Ask him", "Other"),
    (6, "Is it near?", "Round the corner", "Yes"),
    (7, "Is it new?", "An antique", "No"),
]


@pytest.fixture
def data(tmp_path: Path) -> Path:
    """A folder with eight answers in circa's format."""
    folder = tmp_path / "circa"
    folder.mkdir()
    lines = ["id\tcontext\tquestion-X\tcanquestion-X\tanswer-Y\tjudgements\tgoldstandard1\tgoldstandard2"]
    lines += [f"{number}\tc\t{question}\tx\t{answer}\tj\t{gold}\t{gold}" for number, question, answer, gold in ROWS]
    (folder / "circa-data.tsv.gz").write_bytes(gzip.compress("\n".join(lines).encode()))
    (folder / "matched-dev.ids").write_text("1\n5\n")
    (folder / "matched-test.ids").write_text("2\n3\n6\n7\n")
    return tmp_path


def test_circa_is_read_by_part_and_reading(data: Path) -> None:
    parts = read_circa(data)
    assert [(a.question, a.reading) for a in parts["train"]] == [
        ("Are you employed?", "yes"),
        ('Do you own a "pet"?', "neither"),
    ]
    assert [a.reading for a in parts["dev"]] == ["no", "neither"]
    assert [(a.reply, a.reading) for a in parts["test"]] == [
        ("Only in summer", "neither"),
        ("Could be", ""),
        ("Round the corner", "yes"),
        ("An antique", "no"),
    ]


def test_what_is_learnt_is_halfway_between_the_verdict_and_the_peoples_shares() -> None:
    assert Answer("q", "r", "yes", (0.6, 0.2, 0.2)).target() == pytest.approx([0.8, 0.1, 0.1])
    assert Answer("q", "r", "", (0.4, 0.4, 0.2)).target() == pytest.approx([0.4, 0.4, 0.2])
    assert Answer("q", "r", "no").target() == [0.0, 1.0, 0.0]


def test_held_out_forms_and_facts_are_never_drawn() -> None:
    drawn = list(draw_written(5000, ["Is it?"], random.Random(1)))
    assert {answer.reading for answer in drawn} == set(READINGS)
    learnt = {answer.reply.lower().rstrip(".") for answer in drawn}
    kept = {form.lower().rstrip(".") for forms in read_forms(held_out=True).plain.values() for form in forms}
    assert kept
    assert not kept & learnt
    assert not {fact[0] for fact in read_forms(held_out=True).facts} & {answer.question for answer in drawn}


def test_a_form_has_one_reading() -> None:
    readings: dict[str, set[str]] = {}
    for held_out in (True, False):
        for reading, forms in read_forms(held_out).plain.items():
            for form in forms:
                readings.setdefault(form.lower().rstrip("."), set()).add(reading)
    assert [form for form, found in readings.items() if len(found) > 1] == []


def test_no_long_reply_of_the_judging_set_is_learnt_from() -> None:
    lines = [line for file in JUDGED.glob("closed-*.jsonl") for line in file.read_text(encoding="utf-8").splitlines()]
    judged = {json.loads(line)["reply"].lower().strip(" .!") for line in lines}
    assert len(judged) > 100
    learnt = {answer.reply.lower().strip(" .!") for answer in draw_written(20000, ["Is it?"], random.Random(2))}
    assert not {reply for reply in judged & learnt if len(reply) > 25}
