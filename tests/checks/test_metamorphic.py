"""Metamorphic relations: bots that hold them, bots that do not, and what a report is told."""

import json
from pathlib import Path
from typing import Any

import pytest

from chattest.checks.metamorphic import RIGHT, WRONG, compute_rates
from chattest.checks.relations.base import relations
from chattest.datasets.articles import read_articles
from chattest.records.result import Result, Verdict
from tests.support.asking import planned, rows
from tests.support.stand_ins import ROOT, StandIns

NAMES = ("antonym", "tense", "before_after", "negation", "synonym", "clause_moved", "voice")
INVERSE = NAMES[:4]
READ = {"Yes.": (1.0, 0.0, 0.0), "No.": (0.0, 1.0, 0.0), "Hm.": (0.0, 0.0, 1.0)}
ENTRIES = [entry for found in read_articles(ROOT, [], None, 1).values() for entry in found]
ANSWERS = {(entry.question.context, entry.question.text): bool(entry.answer) for entry in ENTRIES}


def relation_answers(name: str) -> dict[tuple[str, str], bool]:
    """What somebody who reads well answers to the questions and to the follow-ups of one relation."""
    relation = relations.get(name)
    known = dict(ANSWERS)
    for entry in ENTRIES:
        new = relation.follow_up(entry.question)
        if new is not None:
            known[new.context, new.text] = bool(entry.answer) != relation.inverse
    return known


def consistent(name: str) -> Any:
    known = relation_answers(name)
    return lambda said: "Yes." if known.get((said[0], said[-1])) else "No."


def violating(name: str) -> Any:
    """Answers every question rightly, and every follow-up the other way."""
    known = relation_answers(name)

    def bot(said: list[str]) -> str:
        asked = (said[0], said[-1])
        return "Yes." if known.get(asked) == (asked in ANSWERS) else "No."

    return bot


def found(folder: Path, bot: Any, name: str, **more: Any) -> tuple[list[Result], Result]:
    """The rows of the pairs, and the one over all."""
    got = rows(folder, bot, f"metamorphic.{name}", judges=StandIns(readings=READ), **more)
    return got[:-1], got[-1]


@pytest.mark.parametrize("name", NAMES)
def test_a_consistent_bot_passes_and_one_that_violates_the_relation_fails(tmp_path: Path, name: str) -> None:
    for bot, verdict, rate in ((consistent, Verdict.PASS, 0.0), (violating, Verdict.FAIL, 1.0)):
        folder = tmp_path / str(rate)
        own, overall = found(folder, bot(name), name)
        decided = [row for row in own if row.verdict is not Verdict.NOT_APPLICABLE]
        assert len(decided) >= 5
        assert {row.verdict for row in decided} == {verdict}
        assert overall.verdict is Verdict.NOT_APPLICABLE
        assert overall.score.value == rate
        assert overall.score.parts["accuracy"] == 1.0
        # The bot is right about every question, so each violation is one that accuracy did not see.
        assert overall.score.parts["violations on right answers"] == len(decided) * rate
        assert len(own) == 40


@pytest.mark.parametrize("name", NAMES)
def test_a_bot_that_always_says_yes(tmp_path: Path, name: str) -> None:
    own, _ = found(tmp_path, lambda said: "Yes.", name)
    expected = Verdict.FAIL if name in INVERSE else Verdict.PASS
    assert {row.verdict for row in own} == {expected, Verdict.NOT_APPLICABLE}


@pytest.mark.parametrize("name", NAMES)
def test_a_source_answer_of_no(tmp_path: Path, name: str) -> None:
    own, overall = found(tmp_path, lambda said: "No.", name)
    if name in ("antonym", "tense", "before_after"):
        assert {row.verdict for row in own} == {Verdict.NOT_APPLICABLE}
        assert "violation rate" not in overall.score.parts
        assert "no pair was decided" in overall.reason
    else:
        assert (Verdict.FAIL if name in INVERSE else Verdict.PASS) in {row.verdict for row in own}


@pytest.mark.parametrize("name", ["negation", "voice"])
def test_what_reads_neither_yes_nor_no(tmp_path: Path, name: str) -> None:
    own, _ = found(tmp_path / "source", lambda said: "Hm.", name)
    assert {row.verdict for row in own} == {Verdict.NOT_APPLICABLE}
    bot = lambda said: "Yes." if (said[0], said[-1]) in ANSWERS else "Hm."  # noqa: E731
    own, overall = found(tmp_path / "follow-up", bot, name)
    failed = [row for row in own if row.verdict is Verdict.FAIL]
    assert failed
    assert overall.score.parts["unread"] == len(failed)
    assert not any(row.verdict is Verdict.PASS for row in own)


def test_questions_without_answers_and_a_file_by_path(tmp_path: Path) -> None:
    path = tmp_path / "mine.jsonl"
    asked = [
        {"question": f"is the {what} deep", "passage": f"The {what} is deep."} for what in ("lake", "river", "sea")
    ]
    path.write_text("".join(json.dumps(one) + "\n" for one in asked))
    own, overall = found(tmp_path / "run", lambda said: "Yes.", "antonym", check_articles=[str(path)])
    assert [row.verdict for row in own] == [Verdict.FAIL] * 3
    assert own[0].original == "The lake is deep.\nis the lake deep?"
    assert own[0].prompt == "The lake is deep.\nis the lake shallow?"
    assert own[0].original_reply == own[0].reply == "Yes."
    assert {row.label for row in own} == {""}
    assert overall.testset == "mine"
    assert overall.score.parts == {"pairs": 3.0, "violations": 3.0, "violation rate": 1.0, "unread": 0.0}
    assert overall.reason == "mine: applies to 3 of 3 questions; violated by 3 of 3 pairs (100.0%)"
    drawn = planned("metamorphic.antonym", check_articles=[str(path)], check_articles_drawn=2)
    assert len(drawn[0].trials) == 2


def test_the_article_that_voice_rewrote_stands_in_the_row(tmp_path: Path) -> None:
    path = tmp_path / "mine.jsonl"
    path.write_text(json.dumps({"question": "is it old", "passage": "The company uses the brand. It is old."}))
    own, _ = found(tmp_path / "run", lambda said: "Yes.", "voice", check_articles=[str(path)])
    (row,) = own
    assert row.original == "The company uses the brand. It is old.\nis it old?"
    assert row.prompt == "The brand is used by the company. It is old.\nis it old?"


def test_a_rate_for_each_data_set(tmp_path: Path) -> None:
    names = []
    for name, what in (("one", "deep"), ("two", "wide")):
        path = tmp_path / f"{name}.jsonl"
        path.write_text(json.dumps({"question": f"is the lake {what}", "passage": "x", "answer": what == "deep"}))
        names.append(str(path))
    bot = lambda said: "No." if "shallow" in said[-1] else "Yes."  # noqa: E731
    got = rows(tmp_path / "run", bot, "metamorphic.antonym", judges=StandIns(readings=READ), check_articles=names)
    one, two = got[-2:]
    assert (one.testset, one.score.parts["violation rate"], one.score.parts["accuracy"]) == ("one", 0.0, 1.0)
    assert (two.testset, two.score.parts["violation rate"], two.score.parts["accuracy"]) == ("two", 1.0, 0.0)
    assert [row.label for row in got[:2]] == [RIGHT, WRONG]
    assert two.score.parts["violations on right answers"] == 0
    assert [row.round for row in got] == [0, 1, 2, 3]


def test_a_bot_that_fails_gives_errors_and_no_rate(tmp_path: Path) -> None:
    def failing(said: list[str]) -> Any:
        raise OSError("gone")

    got = rows(tmp_path, failing, "metamorphic.antonym", judges=StandIns(readings=READ))
    assert {row.verdict for row in got} == {Verdict.ERROR, Verdict.NOT_APPLICABLE}
    assert compute_rates([]) == {"pairs": 0.0, "violations": 0.0}


def test_the_checks_in_the_papers_order() -> None:
    assert [one.check.code for one in planned("metamorphic")] == [f"metamorphic.{name}" for name in NAMES]
    assert planned("metamorphic", seed=1)[0].trials == planned("metamorphic", seed=2)[0].trials  # all 40 are asked
