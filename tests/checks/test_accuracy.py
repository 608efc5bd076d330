"""Accuracy, fairness and representation."""

from pathlib import Path
from typing import Any

import pytest

from chattest.datasets.groups import group_of, mentioned, read_groups
from chattest.datasets.questions import read_questions
from chattest.errors import InputError
from chattest.judging.correctness import MEASURES, token_f1
from chattest.records.result import Verdict
from chattest.runner.checks import plan_checks
from chattest.settings.declaration import Settings
from tests.support.answering_bots import models, right, wrong
from tests.support.asking import rows, tally
from tests.support.stand_ins import ROOT


@pytest.mark.parametrize("measure", MEASURES)
@pytest.mark.parametrize(("bot", "share"), [(right, 1.0), (wrong, 0.0)])
def test_accuracy_and_fairness(tmp_path: Path, measure: str, bot: Any, share: float) -> None:
    assert tally(tmp_path, bot, f"accuracy.{measure}", judges=models()).rate == share
    groups = rows(tmp_path, bot, f"fairness.{measure}", judges=models())
    assert [row.group for row in groups] == ["male", "female", "unknown"]
    assert [row.score.value for row in groups] == [share] * 3
    assert {row.verdict for row in groups} == {Verdict.PASS if share else Verdict.FAIL}


def test_a_bot_that_is_right_about_men_alone_is_unfair(tmp_path: Path) -> None:
    groups = read_groups(ROOT / "testsets")["gender"]

    def partial(said: list[str]) -> Any:
        return wrong(said) if group_of("\n".join(said[::2]), groups) == "female" else right(said)

    found = {row.group: row.verdict for row in rows(tmp_path, partial, "fairness.exact_match")}
    assert found == {"male": Verdict.PASS, "female": Verdict.FAIL, "unknown": Verdict.PASS}


def test_a_group_that_was_never_answered_is_not_applicable(tmp_path: Path) -> None:
    groups = read_groups(ROOT / "testsets")["gender"]

    def failing(said: list[str]) -> Any:
        if group_of("\n".join(said[::2]), groups) == "female":
            raise OSError("gone")
        return right(said)

    found = {row.group: row for row in rows(tmp_path, failing, "fairness.exact_match") if row.label}
    assert found["female"].verdict is Verdict.NOT_APPLICABLE
    assert found["female"].reason == "no question about female was answered"
    assert found["male"].verdict is Verdict.PASS


@pytest.mark.parametrize(
    ("expected", "said", "f1"),
    [
        ("red", "Red!", 1.0),
        ("on the bus", "It was on a bus", 2 * 2 / 6),
        ("Oslo", "Bergen", 0.0),
        ("the", "a", 0.0),
        ("two two", "two", 2 / 3),
    ],
)
def test_token_f1(expected: str, said: str, f1: float) -> None:
    assert token_f1(expected, said) == pytest.approx(f1)


@pytest.mark.parametrize(
    ("text", "group"),
    [
        ("Where is her car?", "female"),
        ("HE left.", "male"),
        ("Peter said so.", "male"),
        ("Maria and James met.", "unknown"),
        ("The sheriff and the heroes", "unknown"),
        ("rosa is a colour", "unknown"),
    ],
)
def test_the_group_a_text_is_about(text: str, group: str) -> None:
    assert group_of(text, read_groups(ROOT / "testsets")["gender"]) == group


def test_representation_counts_every_group(tmp_path: Path) -> None:
    found = rows(tmp_path, wrong, "representation")
    assert {row.check.partition(".")[2] for row in found} == {"gender", "ethnicity", "religion", "country"}
    for attribute in ("gender", "religion"):
        shares = [row.score.value or 0.0 for row in found if row.label == attribute]
        assert sum(shares) == pytest.approx(1.0)
    for check, least in (("gender", 0.4), ("religion", 0.8 / 6), ("ethnicity", 0.16), ("country", 0.2)):
        own = [row for row in found if row.label == check]
        assert [row.verdict is Verdict.PASS for row in own] == [(row.score.value or 0) >= least for row in own]


def write(folder: Path, questions: str, groups: str) -> Path:
    for kind, text in (("questions", questions), ("groups", groups)):
        (folder / "testsets" / kind).mkdir(parents=True)
        (folder / "testsets" / kind / "mine.toml").write_text(text)
    return folder


GROUPS = 'about = "x"\n[groups]\ncats = ["cat"]\ndogs = ["dog"]\n'


@pytest.mark.parametrize(
    ("texts", "verdicts"),
    [
        (["A cat?", "A dog?"], [Verdict.PASS, Verdict.PASS]),
        (["A cat?", "My cat?"], [Verdict.PASS, Verdict.FAIL]),
        (["A cow?"], [Verdict.NOT_APPLICABLE] * 2),
    ],
)
def test_word_lists_of_ones_own(tmp_path: Path, texts: list[str], verdicts: list[Verdict]) -> None:
    asked = 'about = "x"\n' + "".join(f'[[question]]\ntext = "{text}"\n' for text in texts)
    root = write(tmp_path, asked, GROUPS)
    assert [row.verdict for row in rows(tmp_path, wrong, "representation", root=root)] == verdicts
    assert mentioned("Cats and a cat", {"cats": ("cat",), "dogs": ("dog",)}) == {"cats"}


@pytest.mark.parametrize("check", ["accuracy.exact_match", "fairness.exact_match", "invariance.uppercase"])
def test_questions_come_from_the_files_wanted(tmp_path: Path, check: str) -> None:
    wanted = {entry.question.shown for entry in read_questions(ROOT / "testsets", ["knowledge"])}
    asked: set[str] = set()

    def bot(said: list[str]) -> str:
        asked.add("\n".join(said[::2]).casefold())
        return "Hm."

    rows(tmp_path, bot, check, judges=models(), testsets=["knowledge", "co/*"])
    assert asked
    assert asked <= {text.casefold() for text in wanted}


@pytest.mark.parametrize("name", ["accuracy", "fairness", "invariance", "representation"])
def test_a_family_that_the_setting_leaves_no_question_is_refused(name: str) -> None:
    settings = Settings(checks=[name], testsets=["cat-name"])
    with pytest.raises(InputError) as refused:
        plan_checks(settings, ROOT)
    (problem,) = refused.value.problems
    what = f'{name} has no test set to draw from: testsets = ["cat-name"] selects none of testsets/questions'
    assert (problem.where, problem.what) == ("testsets", what)
    assert '"questions/*" selects all' in problem.remedy
