"""The kind that no scorer judges is measured too: the same answer. So are replies that decline, by whoever judges."""

import json
from collections.abc import Mapping
from pathlib import Path

import pytest

from chattest.errors import InputError
from chattest.models.chat import SPENT, Opinion
from chattest.settings.declaration import Settings
from chattest.validation.labelled import read_cases
from chattest.validation.measured import Validation
from chattest.validation.report import lines, write_json, write_workbook
from chattest.validation.tune import propose_thresholds
from chattest.validation.validate import validate
from tests.support.chat_stand_ins import Opinionated
from tests.support.stand_ins import StandIns

PAIRS = [  # question, altered question, answers, label: rules decide all of them, the last one wrongly
    ("Do you like tea?", "", "Yes.", "yes", True),
    ("Do you like tea?", "Do you like  tea?", "Yes, I do.", "No, I do not.", False),
    ("How many legs has a spider?", "", "It has 8.", "It has 6.", False),
    ("Do you like tea?", "", "Yes.", "Yes", False),
]
REPLIES = [("Where do I live?", "I do not know.", True), ("Where do I live?", "In Oslo.", False)]


def file_of(folder: Path, rows: list[dict[str, object]]) -> Path:
    path = folder / "own.jsonl"
    path.write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")
    return path


def pairs() -> list[dict[str, object]]:
    names = ("question", "altered", "first", "second", "label")
    return [{"kind": "same_answer", **dict(zip(names, row, strict=True)), "tags": ["tea"]} for row in PAIRS]


def replies(*more: tuple[str, str, bool]) -> list[dict[str, object]]:
    names = ("question", "reply", "label")
    return [{"kind": "abstention", **dict(zip(names, row, strict=True))} for row in (*REPLIES, *more)]


def measured(path: Path, judges: StandIns, settings: Settings | None = None) -> Validation:
    (found,) = validate(read_cases([path]), settings or Settings(), judges)
    return found


def test_two_answers_are_compared_as_checks_compare_them(tmp_path: Path) -> None:
    found = measured(file_of(tmp_path, pairs()), StandIns())
    assert (found.kind, found.predicted, found.threshold) == ("same_answer", (True, False, False, True), 0.5)
    assert found.figures()["accuracy"] == 0.75
    assert measured(tmp_path / "own.jsonl", StandIns(), Settings(check_compare_by="jaro")).predicted == found.predicted
    write_json([found], tmp_path / "figures.json")
    write_workbook([found], tmp_path / "figures.xlsx")
    assert json.loads((tmp_path / "figures.json").read_text())["same_answer"]["by_tag"]["tea"]["n"] == 4
    assert propose_thresholds([found])[1] == ["same_answer: 1 replies of one label, and it takes 10"]


def test_a_chat_judge_of_two_answers_is_measured_by_its_verdicts(tmp_path: Path) -> None:
    def says(shown: Mapping[str, str]) -> Opinion:
        if shown["second answer"] == "It has 6.":
            return Opinion(error=SPENT if "altered question" in shown else "cannot be read")
        return Opinion("same", 0.8, "Both.")

    judges = StandIns()
    judges.use_chat({"same_answer": Opinionated("same_answer", says)})
    found = measured(file_of(tmp_path, pairs()), judges)
    assert found.judge == "chat:stand-in"
    assert (found.predicted, found.not_judged, found.threshold) == ((True, True, True), 1, None)
    assert found.values[1] == 0.8


def test_who_declines_is_told_by_a_chat_judge_that_is_named(tmp_path: Path) -> None:
    path = file_of(tmp_path, replies(("Where do I live?", "...", True)))
    shipped = measured(path, StandIns())
    assert (shipped.kind, shipped.judge, shipped.not_judged) == ("abstention", "", 0)

    def says(shown: Mapping[str, str]) -> Opinion:
        if shown["reply"] == "...":
            return Opinion(error="cannot be read")
        return Opinion("abstains" if "not know" in shown["reply"] else "answers", 0.9, "It says so.")

    judges = StandIns()
    judges.use_chat({"abstention": Opinionated("abstention", says)})
    found = measured(path, judges)
    assert (found.kind, found.predicted, found.not_judged) == ("abstention", (True, False), 1)
    assert found.values == pytest.approx((0.9, 0.1))
    assert any("chat:stand-in gave no verdict" in line for line in lines([found]))


@pytest.mark.parametrize("gone", ["first", "question"])
def test_a_pair_that_lacks_a_text_is_refused(tmp_path: Path, gone: str) -> None:
    row = {name: value for name, value in pairs()[0].items() if name != gone}
    with pytest.raises(InputError, match=rf"own\.jsonl:1.*{gone}"):
        read_cases([file_of(tmp_path, [row])])
