"""Tests as objects: planned, saved, edited, read and asked."""

import json
from pathlib import Path
from threading import Event
from typing import Any

import pytest

import chattest
from chattest.checks.base import families
from chattest.datasets.own.source import QuestionFile
from chattest.errors import InputError
from chattest.records.result import Result
from chattest.runner.questions.checks import PlannedCheck, ask_questions, judge_answers
from chattest.runner.questions.saved_tests import make_saved_tests, plan_saved_tests
from chattest.settings.declaration import Settings
from chattest.settings.file import read_values
from chattest.storage.saved_tests import read_tests, write_tests
from tests.support.asking import bot, planned
from tests.support.stand_ins import ROOT, StandIns

HEADER = '{"form": "chattest tests", "version": 1}'
FEW: dict[str, Any] = {"check_questions": 2, "check_articles_drawn": 6}


def judged(folder: Path, plan: tuple[PlannedCheck, ...]) -> list[Result]:
    """The rows of a plan on a bot whose answers depend on the words it hears."""
    folder.mkdir()
    answers = ask_questions(
        plan, bot(lambda said: f"Yes, {said[-1][::-3]}"), Settings(), folder, Event(), lambda answer: None
    )
    return judge_answers(plan, answers, StandIns())


@pytest.mark.slow
@pytest.mark.parametrize("family", [name for name in families.names() if name != "representation"])
def test_saved_tests_get_the_verdicts_that_planned_ones_get(tmp_path: Path, family: str) -> None:
    plan = planned(family, **FEW)[:8]
    file = tmp_path / "tests.jsonl"
    write_tests(file, make_saved_tests(plan))
    loaded = plan_saved_tests(read_tests(file), Settings(check_questions=9), ROOT)
    assert judged(tmp_path / "saved", loaded) == judged(tmp_path / "planned", plan)


def test_names_and_patterns_select_tests() -> None:
    tests = make_saved_tests(planned("invariance.uppercase", "invariance.typo", **FEW))
    placed = {f"tests.jsonl:{number}": test for number, test in enumerate(tests)}
    for name, code in (("invariance.upper*", "invariance.uppercase"), ("invariance.typo", "invariance.typo")):
        found = plan_saved_tests(placed, Settings(checks=[name]), ROOT)
        assert [each.check.code for each in found] == [code]
    with pytest.raises(InputError, match=r'no test is for "invariance.low\*"'):
        plan_saved_tests(placed, Settings(checks=["invariance.low*"]), ROOT)


def test_the_seed_decides_the_tests_and_each_has_an_id_of_its_own() -> None:
    first, again, other = (make_saved_tests(planned("invariance.typo", seed=seed, **FEW)) for seed in (1, 1, 2))
    assert first == again != other
    assert len({test.id for test in first}) == len(first)


def test_tests_of_own_data_keep_its_groups_splits_and_right_answers(tmp_path: Path) -> None:
    asked = [
        {"question": "Who runs the bar?", "answers": ["the tall man from the bank"], "group": "new", "split": "test"},
        {"question": "When is it open?", "answers": ["at nine", "9"], "group": "old", "split": "dev"},
        {"question": "Is it far?", "answers": ["yes"]},
    ]
    checks = ("accuracy", "fairness", "invariance.uppercase")
    plan = planned(*checks, check_files=read_values({"check_files": asked}).check_files)
    file = tmp_path / "tests.jsonl"
    write_tests(file, make_saved_tests(plan))
    loaded = plan_saved_tests(read_tests(file), Settings(check_files=[QuestionFile(path="gone.csv")]), ROOT)
    assert {"accuracy.exact_match", "fairness.group.judged"} <= {each.check.code for each in loaded}
    found = judged(tmp_path / "saved", loaded)
    assert found == judged(tmp_path / "planned", plan)
    assert {row.split for row in found} == {"test", "dev", ""}
    assert {row.group for row in found} == {"new", "old", "unknown", ""}


def test_what_is_dropped_is_not_asked_and_what_is_mended_is(tmp_path: Path) -> None:
    file = tmp_path / "tests.jsonl"
    write_tests(file, make_saved_tests(planned("invariance.letter_typo", "mft.names", **FEW)))
    lines = file.read_text("utf-8").splitlines()
    mended = json.loads(lines[1]) | {"altered": "Tell me abuot yourself."}
    file.write_text("\n".join([lines[0], json.dumps(mended), "", *lines[3:5]]))
    (plan,) = plan_saved_tests(read_tests(file), Settings(), ROOT)
    assert plan.trials[0].questions[-1].text == "Tell me abuot yourself."
    assert len(plan.trials) == 3
    selected = plan_saved_tests(read_tests(file), Settings(checks=["invariance"]), ROOT)
    assert [each.check.code for each in selected] == ["invariance.letter_typo"]
    with pytest.raises(InputError, match=r'no test is for "mft"'):
        plan_saved_tests(read_tests(file), Settings(checks=["mft"]), ROOT)


def test_an_altered_context_is_that_of_the_original_unless_it_is_given(tmp_path: Path) -> None:
    test = {"check": "invariance.typo", "original": "Who?", "original_context": "I am Ann.", "altered": "Wo?"}
    file = tmp_path / "tests.jsonl"
    file.write_text("\n".join([HEADER, json.dumps(test), json.dumps(test | {"altered_context": "I am Bob."})]))
    (plan,) = plan_saved_tests(read_tests(file), Settings(), ROOT)
    assert [trial.questions[1].context for trial in plan.trials] == ["I am Ann.", "I am Bob."]


def test_what_cannot_be_seen_is_written_as_an_escape(tmp_path: Path) -> None:
    file = tmp_path / "tests.jsonl"
    test = {"check": "invariance.typo", "original": "naïve \u200bcafé \U0001f600", "altered": "x\u2028y\u00a0z"}
    file.write_text(f"{HEADER}\n{json.dumps(test)}\n")
    tests = chattest.load_tests(file)
    text = tests.save(tmp_path / "again.jsonl").read_text("utf-8")
    assert "naïve \\u200bcafé \U0001f600" in text
    assert "x\\u2028y\\u00a0z" in text
    assert list(chattest.load_tests(tmp_path / "again.jsonl")) == list(tests)


NAMES = {"check": "mft.names", "original": "Who?", "expected": {"answers": ["Ann"]}}
TYPO = {"check": "invariance.typo", "original": "Who?", "altered": "Wo?"}


@pytest.mark.parametrize(
    ("test", "why"),
    [
        ("nonsense", "is not JSON"),
        ({"original": "Who?"}, "check: is missing"),
        (TYPO | {"orignal": "x"}, 'Did you mean "original"?'),
        (TYPO | {"altered": " "}, "altered: must not be blank"),
        (TYPO | {"dose": "1"}, "dose: must be a number"),
        (TYPO | {"check": "invariance.typoo"}, 'Did you mean "typo"?'),
        (TYPO | {"check": "nothing"}, 'no family of checks "nothing"'),
        (TYPO | {"expected": {"answers": ["x"]}}, "expects nothing but the same answer"),
        (TYPO | {"altered": None}, "needs an altered question"),
        (TYPO | {"skipped": "why"}, "is skipped and has an altered question"),
        (NAMES | {"altered": "x"}, "has no altered question"),
        (NAMES | {"altered_context": "x"}, "has an altered context or options, and no altered question"),
        (NAMES | {"expected": {}}, "nothing is expected of the reply"),
        (NAMES | {"expected": {"answrs": ["x"]}}, "expected: answrs: is not known here"),
        (NAMES | {"expected": {"sentiment": "good"}}, "sentiment must be one of positive, negative, neutral"),
        ({"check": "accuracy.judged", "original": "Who?"}, "expected: answer: is missing"),
        ({"check": "bias.gender_gap", "original": "Who?", "expected": {"block": "x"}}, "block: must be a whole number"),
    ],
)
def test_a_line_that_is_no_test_is_refused_with_its_place(tmp_path: Path, test: Any, why: str) -> None:
    file = tmp_path / "tests.jsonl"
    line = test if isinstance(test, str) else json.dumps(test)
    file.write_text(f"{HEADER}\n{json.dumps(TYPO)}\n{line}\n")
    with pytest.raises(InputError) as refused:
        plan_saved_tests(read_tests(file), Settings(), ROOT)
    (problem,) = refused.value.problems
    assert problem.where == f"{file}:3"
    assert why in str(refused.value)


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("", "is not the beginning of a file of tests"),
        (json.dumps(TYPO), "is not the beginning of a file of tests"),
        ('{"form": "chattest tests", "version": 2}', "this version of chattest reads form 1"),
        (HEADER, "holds no tests"),
        ("\n".join([HEADER, *[json.dumps(TYPO | {"id": "1"})] * 2]), 'the id "1" is taken'),
        ("\n".join([HEADER, *["{}"] * 30]), "50 more problems in it"),
    ],
)
def test_a_file_that_holds_no_tests_is_refused(tmp_path: Path, text: str, why: str) -> None:
    file = tmp_path / "tests.jsonl"
    file.write_text(text)
    with pytest.raises(InputError) as refused:
        chattest.load_tests(file)
    assert why in str(refused.value)


def test_tests_are_a_table_that_can_be_edited(tmp_path: Path) -> None:
    tests = chattest.generate(["invariance.letter_typo", "mft.names"], **FEW)
    frame = tests.to_pandas()
    assert list(chattest.Tests.from_pandas(frame)) == list(tests)
    assert repr(tests) == "21 tests of 2 checks"
    assert "<table" in tests._repr_html_()
    few = frame[frame["check"] == "invariance.letter_typo"].head(2).copy()
    few["altered"] = ["Hello?", "Hello there?"]
    report = chattest.check(lambda history: history[-1], tests=few, check_compare_by="direct")
    assert [row.prompt.splitlines()[-1] for row in report.results] == ["Hello?", "Hello there?"]
    saved = report.save(tmp_path / "run")
    assert [test.altered for test in chattest.load_tests(saved / "tests.jsonl")] == ["Hello?", "Hello there?"]
    with pytest.raises(InputError, match=r'row 0: alterd: is not known here\s+Did you mean "altered"'):
        chattest.check(lambda history: "x", tests=few.rename(columns={"altered": "alterd"}))
    with pytest.raises(InputError, match="tests: is int"):
        chattest.check(lambda history: "x", tests=3)  # type: ignore[arg-type]
