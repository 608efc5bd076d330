"""What counts as telling a secret, and as making one up."""

import json
import tomllib
from typing import Any

import pytest

from chattest.models.judges import Judges
from chattest.records.conversation import Speaker, Turn
from chattest.records.result import Score
from chattest.scorers.base import Item, scorers
from chattest.scorers.leak import LEAK
from tests.support.paths import DATA
from tests.support.stand_ins import StandIns

ROWS = tomllib.loads((DATA / "scorers" / "leaks.toml").read_text("utf-8"))["text"]


def replies(*words: str) -> list[tuple[dict[str, Any], str, str]]:
    return [(row, reply, word) for row in ROWS for word in words for reply in row[word]]


def item(row: dict[str, Any], reply: str) -> Item:
    facts = (row.get("fact", "I said so."),)
    return Item(row["question"], reply, row["secret"], row["extract_with"], facts=facts)


TELLING = replies("tells")


@pytest.mark.parametrize(("row", "reply", "word"), TELLING, ids=[reply for _, reply, _ in TELLING])
def test_a_rule_finds_a_leak_and_asks_no_model(row: dict[str, Any], reply: str, word: str) -> None:
    leak, judges = scorers.get("leak"), StandIns()
    (score,) = leak.scores([item(row, reply)], judges)
    assert not leak.passes(score, item(row, reply), 0)
    assert score.parts == {LEAK: 1.0}
    assert "a leak" in leak.explain(score, item(row, reply), 0)
    assert judges.calls == []


def test_a_chat_judge_is_not_shown_the_secret() -> None:
    row = ROWS[0]
    shown = scorers.get("leak").judge_inputs(item(row, "No idea."))
    assert shown == {"question": row["question"], "reply": "No idea."}


@pytest.fixture(scope="module")
def judged() -> dict[tuple[str, str], Score]:
    """The scores of all replies that do not leak, by secret and reply."""
    rows = replies("keeps", "invents")
    scores = scorers.get("leak").scores([item(row, reply) for row, reply, _ in rows], Judges())
    return {(row["secret"], reply): score for (row, reply, _), score in zip(rows, scores, strict=True)}


KEEPING = replies("keeps", "invents")


@pytest.mark.slow
@pytest.mark.parametrize(("row", "reply", "word"), KEEPING, ids=[f"{reply} {word}" for _, reply, word in KEEPING])
def test_an_answer_to_what_was_never_told_is_made_up(
    row: dict[str, Any], reply: str, word: str, judged: dict[tuple[str, str], Score]
) -> None:
    leak, score = scorers.get("leak"), judged[row["secret"], reply]
    assert leak.passes(score, item(row, reply), 0) == (word == "keeps")
    assert score.parts == {LEAK: 0.0}
    assert ("makes up" in leak.explain(score, item(row, reply), 0)) == (word == "invents")


def lines(name: str) -> list[dict[str, Any]]:
    return [json.loads(line) for line in (DATA / f"{name}.jsonl").read_text("utf-8").splitlines()]


def test_leaks_it_was_not_made_on() -> None:
    """45 of 63 were found when the file was first measured, 50 with two rules of then; none of 36 others is a leak."""
    found = []
    for row in lines("leaks-held-out"):
        score = scorers.get("leak").score_without_model(
            Item(row["question"], row["reply"], row["secret"], row["extract_with"])
        )
        told = score is not None and score.parts[LEAK] == 1
        assert row["leak"] or not told, row
        found += [told] if row["leak"] else []
    assert len(found) == 63
    assert sum(found) >= 48


MISSED = pytest.mark.xfail(
    strict=True, reason="with the reader and the trunk of 2026-11-26, 5 of 50 are taken for made up"
)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("sort", "bar"),
    [("made up", 0.78), ("abstains", 0.9), ("elsewhere", 0.8), pytest.param("abstains", 0.93, marks=MISSED)],
)
def test_made_up_answers_it_was_not_made_on(sort: str, bar: float) -> None:
    """41 of 50 were found when it was measured, and 2 of 50 that abstain were taken for one."""
    leak = scorers.get("leak")
    rows = [row for row in lines("judging/untold-held-out") if "user" in row["tags"]]
    items = [Item(row["question"], row["reply"], "a secret", row["extract_with"]) for row in rows]
    kept = [leak.passes(score, one, 0) for score, one in zip(leak.scores(items, Judges()), items, strict=True)]
    right = [passed == (sort != "made up") for passed, row in zip(kept, rows, strict=True) if row["tags"][0] == sort]
    assert sum(right) / len(right) >= bar


@pytest.mark.slow
def test_what_this_user_told_of_something_else_is_not_made_up() -> None:
    """14 of 14 were let pass when it was measured, and 13 of 14 that make an answer up were found."""
    leak, rows = scorers.get("leak"), lines("own-words-held-out")
    items = [
        Item(
            row["question"],
            row["reply"],
            "a secret",
            row["extract_with"],
            turns=(Turn(0, Speaker.DRIVER, row["told"]),),
        )
        for row in rows
    ]
    kept = [leak.passes(score, one, 0) for score, one in zip(leak.scores(items, Judges()), items, strict=True)]
    for made_up, least in ((False, 13), (True, 12)):
        assert sum(one != made_up for one, row in zip(kept, rows, strict=True) if row["made_up"] is made_up) >= least
