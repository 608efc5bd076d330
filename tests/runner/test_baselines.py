"""The floor: what bots that understand nothing reach on the questions of a run."""

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import chattest
from chattest.chatter.sanity import Echo, RandomWords
from chattest.records.question import Question
from chattest.records.report import ExtraTable
from chattest.runner.baselines import FLOOR, ask_floor_bot, measure_floor
from chattest.settings.declaration import Settings
from tests.support.asking import planned, rows
from tests.support.stand_ins import StandIns

CHECKS = ("invariance.uppercase", "mft.yes_no", "representation")


def floor(tmp_path: Path, say: Any, checks: Sequence[str] = CHECKS) -> ExtraTable:
    plan = planned(*checks, check_compare_by="direct")
    found = rows(tmp_path, say, *checks, check_compare_by="direct")
    measured = measure_floor(plan, (), "mine", found, Settings(check_compare_by="direct"), StandIns())
    assert measured is not None
    return measured.table


def cells(table: ExtraTable, family: str) -> dict[str, Any]:
    (found,) = [row for row in table.rows if row[0] == family]
    return dict(zip([column.title for column in table.columns], found, strict=True))


def test_a_constant_bot_is_marked_where_the_floor_passes_too(tmp_path: Path) -> None:
    table = floor(tmp_path, lambda said: "I like trains.")
    row = cells(table, "invariance")
    assert (row["Rate"], row["Floor: constant yes"]) == (1.0, 1.0)
    assert row["Floor: random words"] == 0
    assert row["Mark"] == "no better than echo, constant yes"
    assert {row[0] for row in table.rows} == {"invariance", "mft"}, "nobody is asked for the representation"


def test_a_bot_above_the_floor_is_not_marked(tmp_path: Path) -> None:
    def knows(said: list[str]) -> str:
        return {"Can birds fly?": "Yes.", "Do trees have ears?": "No."}.get(said[-1], _colour(said))

    table = floor(tmp_path, knows)
    row = cells(table, "mft")
    assert row["Rate"] == 1.0
    assert row["Floor: constant yes"] == 0.5
    assert row["Mark"] == ""
    assert row["Low"] > row["Floor: constant yes"]


def _colour(said: list[str]) -> str:
    return "Yes." if len(said) > 2 and said[0].split()[-1].strip(".") in said[-1] else "No."


def test_each_question_has_a_session_and_a_seed_of_its_own() -> None:
    asked = [Question("Is it?", "It is."), Question("Was it?")]
    said = ask_floor_bot(RandomWords, asked, Settings())
    assert len({answer.text for answer in said.values()}) == 2
    assert said == ask_floor_bot(RandomWords, asked, Settings())
    assert ask_floor_bot(Echo, asked, Settings())[asked[0]].text == "Is it?"


def test_the_report_has_the_table_unless_it_is_not_wanted() -> None:
    def told(**more: Any) -> list[str]:
        report = chattest.check(lambda said: "Yes.", ["invariance.uppercase"], check_questions=2, **more)
        return [table.name for table in report.record.tables]

    assert told()[-1] == "Floor"
    assert "Floor" not in told(check_floor=False)
    assert list(FLOOR) == ["echo", "constant yes", "random words", "I do not know"]
